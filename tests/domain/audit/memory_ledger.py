"""A ledger in memory: the lines of a game among those of others, and proofs as a notary hands them out."""

from collections.abc import Sequence

import msgspec

from domain.audit.bundle import Bundle
from domain.ids import StreamVersion
from domain.ledger.inclusion import prove_inclusion
from domain.ledger.leaf import build_leaf, hash_leaf
from domain.ledger.merkle import root_hash
from domain.ledger.policy import Policy, PolicyLog, PolicyWitness
from domain.ledger.proof import LedgerProof, format_proof
from domain.log.record import line_hash, parse_at, parse_line
from tests.domain.audit.audited_game import bundle_of
from tests.domain.ledger.reference_tree import leaf, read_from
from tests.domain.ledger.signing import LOG, WITNESS, SigningKey, cosigned, publish

LEAF_KEY = bytes.fromhex("55" * 32)
# Events of other games, before each of ours and behind the last one.
BETWEEN = 2
TRUSTED = Policy(
    logs=(PolicyLog(key=LOG.key),), witnesses=(PolicyWitness(name="club", key=WITNESS.key),), groups=(), quorum="club"
)


def leaves_of(raws: Sequence[bytes]) -> list[bytes]:
    leaves: list[bytes] = []
    stream = parse_line(raws[0]).stream
    for version, raw in enumerate(raws, start=1):
        leaves += [leaf(len(leaves) + number) for number in range(BETWEEN)]
        own = build_leaf(LEAF_KEY, stream=stream, version=StreamVersion(version), line=line_hash(raw))
        leaves.append(hash_leaf(own))
    return [*leaves, leaf(len(leaves))]


def index_of(version: int) -> int:
    return version * (BETWEEN + 1) - 1


def prove(
    raws: Sequence[bytes],
    version: int,
    *,
    tree_size: int | None = None,
    signer: SigningKey = LOG,
    witnesses: Sequence[SigningKey] = (WITNESS,),
    late_s: int = 1,
) -> bytes:
    """Prove a line in the tree of all of them, or of the first `tree_size` leaves; witnesses see it `late_s` later."""
    leaves = leaves_of(raws)[:tree_size]
    read = read_from(leaves)
    inclusion = prove_inclusion(read, index=index_of(version), tree_size=len(leaves))
    signed = publish(len(leaves), root_hash(read, len(leaves)), signer=signer, origin=signer.key.name)
    time_s = parse_at(parse_line(raws[version - 1]).at) // 1000 + late_s
    proof = LedgerProof(index=inclusion.index, path=inclusion.path, signed=cosigned(signed, *witnesses, time_s=time_s))
    return format_proof(proof)


def proven(raws: Sequence[bytes], *, signer: SigningKey = LOG, witnesses: Sequence[SigningKey] = (WITNESS,)) -> Bundle:
    """Bundle a log with the proof of its last line."""
    proof = prove(raws, len(raws), signer=signer, witnesses=witnesses)
    return msgspec.structs.replace(bundle_of(tuple(raws)), last_proof=proof)
