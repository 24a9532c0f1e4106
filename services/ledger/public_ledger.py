"""The ledger as the public may read it: checkpoints, tiles and entries, and proofs under a checkpoint.

Nothing is shown before a published checkpoint covers it.
"""

from contextlib import suppress

from msgspec import Struct

from domain.ids import StreamId, StreamVersion
from domain.ledger.add_checkpoint import AddCheckpoint
from domain.ledger.checkpoint import SignedCheckpoint, parse_signed_checkpoint
from domain.ledger.leaf import format_leaf
from domain.ledger.policy import QUORUM_NONE, Policy, PolicyLog, count_witnesses_min, evaluate
from domain.ledger.proof import LedgerProof
from domain.ledger.signers import BadSignature
from domain.ledger.tiles import TILE_WIDTH, Bundle, Tile, encode_bundle, tile_width
from infra.ledger_keys import LogSigner
from infra.ledger_store import Ledger
from services.ledger.proofs import LedgerProofs

# Cosigned checkpoints looked at in one go for one that has the quorum. Witnesses cosign in order, so it is
# soon met. Checkpoints with enough witnesses but not the right ones are passed by for some minutes' worth: each costs a
# signature to check.
CANDIDATES_MAX = 100
PAGES_MAX = 10


class PublicLedger(Struct, frozen=True, kw_only=True):
    ledger: Ledger
    proofs: LedgerProofs
    # The log itself, and the witnesses that its operator asks. A convenience: no verifier need trust it.
    policy: Policy

    @property
    def origin(self) -> str:
        return self.policy.logs[0].key.name

    async def find_checkpoint(self) -> SignedCheckpoint | None:
        """Find the newest."""
        stored = await self.ledger.find_checkpoint(self.origin)
        return None if stored is None else parse_signed_checkpoint(stored.note)

    async def find_file(self, wanted: Tile | Bundle) -> bytes | None:
        """Return a tile or bundle of the published tree, exactly as wide as asked for."""
        published = await self.ledger.find_checkpoint(self.origin)
        size = 0 if published is None else published.tree_size
        level = wanted.level if isinstance(wanted, Tile) else 0
        if wanted.width > tile_width(level, index=wanted.index, tree_size=size):
            return None
        if isinstance(wanted, Tile):
            return (await self.ledger.read_tiles([wanted])).get(wanted)
        first = wanted.index * TILE_WIDTH
        entries = await self.ledger.read_entries(first, first + wanted.width)
        return encode_bundle([format_leaf(entry.leaf) for entry in entries])

    async def find_proof(self, game: StreamId, version: StreamVersion) -> LedgerProof | None:
        """Prove a line under the first checkpoint that covers it and has the quorum, else the first.

        None where no checkpoint covers it yet.
        """
        index = await self.ledger.find_index(game, version)
        if index is None:
            return None
        signed = await self._find_trusted(index) or await self._find_first(index)
        return None if signed is None else await self._prove(index, signed)

    async def find_trusted_proof(self, game: StreamId, version: StreamVersion) -> LedgerProof | None:
        """Prove a line under the first checkpoint that covers it and has the quorum; None until there is one."""
        index = await self.ledger.find_index(game, version)
        signed = None if index is None else await self._find_trusted(index)
        return None if index is None or signed is None else await self._prove(index, signed)

    async def prove_growth(self, own: SignedCheckpoint, size: int) -> AddCheckpoint | None:
        """Prove that a published checkpoint and the tree of another size, older or newer, are one ledger that grew.

        The request of a witness states it best: the smaller size, the path, and the checkpoint of the larger tree. None
        where no tree of that size was published under this name.
        """
        newer, old_size = own, size
        if own.checkpoint.origin != self.origin:
            return None
        if size > own.checkpoint.tree_size:
            published = await self.ledger.find_checkpoints_after(self.origin, size - 1, limit=1)
            if not published or published[0].tree_size != size:
                return None
            newer, old_size = parse_signed_checkpoint(published[0].note), own.checkpoint.tree_size
        proof = await self.proofs.prove_consistency(old_size=old_size, new_size=newer.checkpoint.tree_size)
        return AddCheckpoint(old_size=old_size, path=proof.path, signed=newer)

    async def _prove(self, index: int, signed: SignedCheckpoint) -> LedgerProof:
        inclusion = await self.proofs.prove_inclusion(index=index, tree_size=signed.checkpoint.tree_size)
        return LedgerProof(index=index, path=inclusion.path, signed=signed)

    async def _find_trusted(self, index: int) -> SignedCheckpoint | None:
        if self.policy.quorum == QUORUM_NONE:
            return await self._find_first(index)
        size, witnesses = index, count_witnesses_min(self.policy)
        for _ in range(PAGES_MAX):
            page = await self.ledger.find_cosigned_after(self.origin, size, witnesses=witnesses, limit=CANDIDATES_MAX)
            for stored in page:
                signed = parse_signed_checkpoint(stored.note)
                # A line that a thief of the database's login put there is none of the witness.
                with suppress(BadSignature):
                    if evaluate(self.policy, signed).has_quorum:
                        return signed
            if len(page) < CANDIDATES_MAX:
                return None
            size = page[-1].tree_size
        return None

    async def _find_first(self, index: int) -> SignedCheckpoint | None:
        first = await self.ledger.find_checkpoints_after(self.origin, index, limit=1)
        return parse_signed_checkpoint(first[0].note) if first else None


def build_policy(signer: LogSigner, given: Policy | None) -> Policy:
    """Put our own log in the place of those that a policy file names."""
    logs = (PolicyLog(key=signer.key),)
    if given is None:
        return Policy(logs=logs, witnesses=(), groups=(), quorum=QUORUM_NONE)
    return Policy(logs=logs, witnesses=given.witnesses, groups=given.groups, quorum=given.quorum)
