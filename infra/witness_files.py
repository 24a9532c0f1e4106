"""The files of a witness: its key, and for each log the last cosigned checkpoint or the fork that proves a lie.

The memory of a log is on the disk before the witness answers by it.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from secrets import token_bytes

import msgspec

from domain.ledger import note_key
from domain.ledger.checkpoint import SignedCheckpoint, format_signed_checkpoint
from domain.ledger.fork import Fork
from domain.ledger.proof import format_path
from domain.ledger.spelling import Misspelt
from domain.ledger.witness import LogMemory
from infra.durable_file import locked_file, replace_file
from infra.keys import KeyRefused, read_private, write_private
from infra.ledger_keys import WitnessSigner

KEY_FILE_NAME = "witness.key"

_MEMORY = msgspec.json.Decoder(LogMemory, strict=True)


class MemoryDamaged(Exception):
    """The memory of a log cannot be read. Without it the witness would cosign anything, so it cosigns nothing."""

    def __init__(self, path: Path, reason: str) -> None:
        self.path = path
        super().__init__(f"expected the memory of a log at {path}, found: {reason}")


class WitnessFiles:
    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def read_memory(self, origin_hash: str) -> LogMemory:
        """Read the memory of a log; empty at first. Raises MemoryDamaged."""
        path = self._path(origin_hash)
        try:
            return _MEMORY.decode(path.read_bytes())
        except FileNotFoundError:
            return LogMemory()
        except msgspec.DecodeError as error:
            raise MemoryDamaged(path, str(error)) from error

    def store_memory(self, origin_hash: str, memory: LogMemory) -> None:
        """Return when it would survive a loss of power."""
        replace_file(self._path(origin_hash), msgspec.json.encode(memory))
        if memory.fork is not None:
            self.evidence_path(origin_hash).write_bytes(format_evidence(memory.fork))

    @contextmanager
    def held(self, origin_hash: str) -> Iterator[None]:
        """Keep other processes from deciding about this log meanwhile."""
        with locked_file(self._path(origin_hash)):
            yield

    def evidence_path(self, origin_hash: str) -> Path:
        return self._folder / f"{origin_hash}.fork.txt"

    def read_signer(self, name: str) -> WitnessSigner:
        """Read the witness's key, or make one under this name. Raises KeyRefused."""
        path = self._folder / KEY_FILE_NAME
        text = read_private(path)
        if text is None:
            return _create_signer(path, name)
        try:
            seed = note_key.parse_note_seed(text.removesuffix("\n"))
            signer = WitnessSigner(seed.name, seed.seed)
            note_key.public_half(seed, public_key=signer.key.public_key)
        except Misspelt as error:
            raise KeyRefused(f"{path} is not a witness's key: {error}") from None
        if seed.kind != note_key.COSIGNATURE or seed.name != name:
            raise KeyRefused(f"{path} is the key of {seed.name}, expected one of the witness {name}")
        return signer

    def _path(self, origin_hash: str) -> Path:
        return self._folder / f"{origin_hash}.json"


def hash_origin(origin: str) -> str:
    """Name a log where a path may not hold its origin, as witnesses do in their addresses."""
    return sha256(origin.encode()).hexdigest()


def format_evidence(fork: Fork) -> bytes:
    """Write a fork for people: two checkpoints that the log signed, and the path that shows they exclude each other."""
    parts = [_note(fork.older), _note(fork.newer), format_path(fork.path)]
    return b"older:\n%b\nnewer:\n%b\npath:\n%b" % tuple(part.encode() for part in parts)


def _note(signed: SignedCheckpoint) -> str:
    return format_signed_checkpoint(signed).decode()


def _create_signer(path: Path, name: str) -> WitnessSigner:
    material = token_bytes(note_key.KEY_SIZE)
    signer = WitnessSigner(name, material)
    write_private(path, note_key.format_note_seed(note_key.build_note_seed(signer.key, seed=material)) + "\n")
    return signer
