"""Signed notes: a text and the signatures under it (C2SP signed-note).

This reads and writes the form alone. Nothing in a note may be believed before `signers.find_signers` has been asked.
"""

from msgspec import Struct

from domain.ledger.note_key import KEY_ID_SIZE, check_key_name
from domain.ledger.spelling import Misspelt, decode_text, format_base64, parse_base64, quote, split_lines

# Example (the signature broken here to fit):
#
#     This is an example message.
#
#     — example.com/foo Uw2QOkn8srV1yJGh2VYRlL1Tnagv1YEq6TfXppzi2ONncAlTgK7Ztg1E
#     RYNZXsYjOBH3mFXmRKuwHjG1Yu72IneyaQM=
#
#     note      = text newline signature+           so a blank line stands between; the last one of the note counts
#     text      = one or more lines, empty ones too, each ended by a newline
#     signature = U+2014 " " name " " base64(id of 4 bytes || one or more bytes) newline
#
# Signed is the text with its last newline, without the blank line. Everything is UTF-8 without control characters but
# the newline. Refused: any other spelling, names that no key may have, more than 100 signatures, more than 1,000,000
# bytes; golang.org/x/mod/sumdb/note draws the same two limits, so both read the same notes.

NOTE_SIGNATURES_MAX = 100
NOTE_SIZE_MAX = 1_000_000

_MARK = "\N{EM DASH} "
_BLANK_LINE = "\n\n"


class NoteSignature(Struct, frozen=True, kw_only=True):
    """One line: who it states it is by, and the bytes whose meaning depends on that key's kind."""

    name: str
    key_id: bytes
    payload: bytes


class Note(Struct, frozen=True, kw_only=True):
    text: str
    signatures: tuple[NoteSignature, ...]


def parse_note(raw: bytes) -> Note:
    whole = decode_text(raw, size_max=NOTE_SIZE_MAX)
    text, blank_line, signatures = whole.rpartition(_BLANK_LINE)
    if not blank_line:
        raise Misspelt(expected="a blank line before the signatures", found=quote(whole))
    return Note(text=text + "\n", signatures=parse_signatures(signatures))


def format_note(note: Note) -> bytes:
    assert note.text.endswith("\n"), note.text
    return f"{note.text}\n{format_signatures(note.signatures)}".encode()


def parse_signatures(text: str) -> tuple[NoteSignature, ...]:
    """Read signature lines alone, one to 100 of them, as they stand under a note or in the answer of a witness."""
    lines = split_lines(text)
    if not 1 <= len(lines) <= NOTE_SIGNATURES_MAX:
        raise Misspelt(expected=f"1 to {NOTE_SIGNATURES_MAX} signatures", found=str(len(lines)))
    return tuple(_parse_signature(line) for line in lines)


def format_signatures(signatures: tuple[NoteSignature, ...]) -> str:
    return "".join(
        f"{_MARK}{signature.name} {format_base64(signature.key_id + signature.payload)}\n" for signature in signatures
    )


def _parse_signature(line: str) -> NoteSignature:
    name, space, encoded = line.removeprefix(_MARK).partition(" ")
    if not (line.startswith(_MARK) and space):
        raise Misspelt(expected="a dash, a name and a signature", found=quote(line))
    check_key_name(name)
    octets = parse_base64(encoded)
    if len(octets) <= KEY_ID_SIZE:
        raise Misspelt(expected="a signature behind the key's id", found=quote(line))
    return NoteSignature(name=name, key_id=octets[:KEY_ID_SIZE], payload=octets[KEY_ID_SIZE:])
