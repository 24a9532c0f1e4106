"""The newest checkpoint this machine has signed or seen signed, kept beside the master key, outside of the database.

A database that was restored to an older state does not know the later checkpoints; this file does.
"""

from hashlib import sha256
from pathlib import Path

from domain.ledger.checkpoint import SignedCheckpoint, format_signed_checkpoint, parse_signed_checkpoint
from domain.ledger.note_key import NoteKey
from domain.ledger.signers import BadSignature, NoKnownSigner, check_signed
from domain.ledger.spelling import Misspelt
from infra.durable_file import locked_file, replace_file

# Two logs of one machine have two origins, and an origin has characters that a file's name may not have.
NAME_DIGITS = 16


class CheckpointFileDamaged(Exception):
    """The file exists and cannot be believed. Without it an older database cannot be noticed."""

    def __init__(self, path: Path, reason: str) -> None:
        self.path = path
        super().__init__(f"{path} should hold the last signed checkpoint, and does not: {reason}")


class CheckpointFile:
    def __init__(self, folder: Path, key: NoteKey) -> None:
        self._key = key
        self.path = folder / f"ledger-{sha256(key.name.encode()).hexdigest()[:NAME_DIGITS]}.checkpoint"

    def read(self) -> SignedCheckpoint | None:
        """Read the newest one; None before the first. Raises CheckpointFileDamaged."""
        try:
            signed = parse_signed_checkpoint(self.path.read_bytes())
            check_signed(signed.note, (self._key,))
        except FileNotFoundError:
            return None
        except (Misspelt, BadSignature, NoKnownSigner) as error:
            raise CheckpointFileDamaged(self.path, str(error)) from error
        return signed

    def replace(self, signed: SignedCheckpoint, *, expected: SignedCheckpoint | None) -> bool:
        """Put a newer one in the place of `expected`, on the disk before this returns; False if another stands there.

        The signature in it is the log's own, so the same checkpoint is always the same bytes.
        """
        with locked_file(self.path):
            if self.read() != expected:
                return False
            replace_file(self.path, format_signed_checkpoint(signed))
            return True
