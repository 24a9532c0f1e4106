"""Every remembered checkpoint that this log has signed: nothing may be signed that contradicts one."""

import asyncio

from msgspec.structs import replace

from domain.ledger.checkpoint import Checkpoint, SignedCheckpoint
from domain.ledger.note_key import NoteKey
from infra.checkpoint_file import CheckpointFile
from infra.ledger_store import Ledger
from services.ledger.proofs import LedgerProofs


class OlderLedger(Exception):
    """The stored ledger is not the one whose checkpoints were signed, or not all of it."""

    def __init__(self, signed: Checkpoint, *, source: str, found: str) -> None:
        self.origin = signed.origin
        super().__init__(
            f"{source} knows a checkpoint of {signed.origin} with {signed.tree_size} leaves and root "
            f"{signed.root.hex()}, but the database has {found}: it was restored to an older state, or is another one. "
            "Bring the newest back; or begin a new log with a new name in SPINA_ORIGIN and `spina serve --new-origin`"
        )


def signed_by_log_alone(signed: SignedCheckpoint, key: NoteKey) -> SignedCheckpoint:
    """Leave out the lines of witnesses: the rest of a checkpoint is always the same bytes."""
    lines = tuple(line for line in signed.note.signatures if (line.name, line.key_id) == (key.name, key.key_id))
    return replace(signed, note=replace(signed.note, signatures=lines))


class SignedMemory:
    """The file beside the key, kept up to date and compared with the stored tree."""

    def __init__(self, ledger: Ledger, proofs: LedgerProofs, file: CheckpointFile) -> None:
        self._ledger = ledger
        self._proofs = proofs
        self._file = file
        # The file's content when it was last compared with the tree.
        self._compared: SignedCheckpoint | None = None

    async def check_file(self) -> None:
        """Raise OlderLedger if the tree contradicts a checkpoint that this machine has seen signed."""
        known = await asyncio.to_thread(self._file.read)
        if known is not None and known != self._compared:
            await self.check(known.checkpoint, source=str(self._file.path))
            self._compared = known

    async def check(self, signed: Checkpoint, *, source: str) -> None:
        """Raise OlderLedger unless the stored tree begins with the signed one."""
        head = await self._ledger.read_head()
        if head.tree_size < signed.tree_size:
            raise OlderLedger(signed, source=source, found=f"{head.tree_size} leaves")
        root = await self._proofs.read_root(signed.tree_size)
        if root != signed.root:
            raise OlderLedger(signed, source=source, found=f"root {root.hex()} at that size")

    async def remember(self, signed: SignedCheckpoint) -> None:
        """Return when the file holds this checkpoint, or a newer one that the tree has too.

        Another process of this machine may have signed since; a tree that does not hold that raises OlderLedger.
        """
        while True:
            await self.check_file()
            known = self._compared
            if known is not None and known.checkpoint.tree_size >= signed.checkpoint.tree_size:
                return
            if await asyncio.to_thread(self._file.replace, signed, expected=known):
                self._compared = signed
                return
