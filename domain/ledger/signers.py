"""Who signed a note, among the keys that one knows: the only way from a note's form to believing it."""

from collections.abc import Iterable

from msgspec import Struct

from domain.ledger.cosignature import cosigned_message, parse_cosignature
from domain.ledger.note import Note, NoteSignature
from domain.ledger.note_key import COSIGNATURE, ED25519, NoteKey
from domain.ledger.spelling import Misspelt
from domain.signature import is_signed_by

# A line whose name and id are both those of a known key must be a good signature by it, or the whole note is refused.
# Every other line is ignored, also where only its name or only its id is known: every author may add such lines.


class Signer(Struct, frozen=True, kw_only=True):
    """A key that signed, and when it states so: a time stands in cosignatures alone."""

    key: NoteKey
    time_s: int | None


class BadSignature(ValueError):
    """A note has a line by a key one knows that this key did not sign."""

    def __init__(self, key: NoteKey) -> None:
        self.key = key
        super().__init__(f"expected a signature by {key.name}+{key.key_id.hex()}, found one that is not by it")


class NoKnownSigner(ValueError):
    """No key one knows has signed this note."""

    def __init__(self, *, expected: str, found: str) -> None:
        self.expected = expected
        self.found = found
        super().__init__(f"expected a signature by {expected}, found {found}")


def find_signers(note: Note, keys: Iterable[NoteKey]) -> tuple[Signer, ...]:
    """Find the signers among `keys`, in the order of their lines; raises BadSignature. About 60 µs for each."""
    known = {(key.name, key.key_id): key for key in keys}
    signers = []
    for line in note.signatures:
        key = known.get((line.name, line.key_id))
        if key is not None:
            signers.append(_check_line(note, line, key))
    return tuple(signers)


def check_signed(note: Note, keys: Iterable[NoteKey]) -> tuple[Signer, ...]:
    """Find the signers among `keys`, at least one; raises BadSignature or NoKnownSigner."""
    wanted = tuple(keys)
    signers = find_signers(note, wanted)
    if not signers:
        raise NoKnownSigner(
            expected=" or ".join(f"{key.name}+{key.key_id.hex()}" for key in wanted) or "a key, and none is known",
            found=", ".join(f"{line.name}+{line.key_id.hex()}" for line in note.signatures),
        )
    return signers


def _check_line(note: Note, line: NoteSignature, key: NoteKey) -> Signer:
    try:
        time_s, message, signature = _signed_parts(note, line, key)
    except Misspelt as error:
        raise BadSignature(key) from error
    if not is_signed_by(message, key_hex=key.public_key.hex(), sig_hex=signature.hex()):
        raise BadSignature(key)
    return Signer(key=key, time_s=time_s)


def _signed_parts(note: Note, line: NoteSignature, key: NoteKey) -> tuple[int | None, bytes, bytes]:
    if key.kind == COSIGNATURE:
        cosignature = parse_cosignature(line.payload)
        return cosignature.time_s, cosigned_message(note.text, time_s=cosignature.time_s), cosignature.signature
    assert key.kind == ED25519, key
    return None, note.text.encode(), line.payload
