"""Checkpoints: the text in which a log states its number of leaves and its root (C2SP tlog-checkpoint).

A log that signs two of them between which there is no consistency proof has lied.
"""

from msgspec import Struct

from domain.ledger.merkle import EMPTY_ROOT
from domain.ledger.note import Note, format_note, parse_note
from domain.ledger.spelling import (
    Misspelt,
    decode_text,
    format_base64,
    parse_hash,
    parse_number,
    quote,
    split_lines,
)

# Example, the text of a note, without its signatures:
#
#     example.com/board-log
#     8
#     XcnaeacGWamtVZy3Ad7ZoqudgjqtL0lgz+Nw7/RgQyg=
#
#     checkpoint = origin newline tree-size newline base64(root) newline (extension newline)*
#
# Origin and extensions are lines of any text, not empty; our own logs write no extensions. There is no time in it: the
# log's word on that would be worth nothing, a witness's stands in its cosignature. Refused: any other spelling, and a
# root of the empty tree that is not the one it has.

# An origin, a number, a root; the rest is room for other logs' extensions.
CHECKPOINT_SIZE_MAX = 10_000

_LINES_MIN = 3


class Checkpoint(Struct, frozen=True, kw_only=True):
    origin: str
    tree_size: int
    root: bytes
    extensions: tuple[str, ...] = ()


class SignedCheckpoint(Struct, frozen=True, kw_only=True):
    """A checkpoint and the note that holds it; it is worth as much as its signers."""

    checkpoint: Checkpoint
    note: Note


def parse_checkpoint(text: str) -> Checkpoint:
    decode_text(text.encode(), size_max=CHECKPOINT_SIZE_MAX)
    lines = split_lines(text)
    if len(lines) < _LINES_MIN or not all(lines):
        raise Misspelt(expected="origin, tree size, root, and no empty line", found=quote(text))
    origin, tree_size, root, *extensions = lines
    checkpoint = Checkpoint(
        origin=origin, tree_size=parse_number(tree_size), root=parse_hash(root), extensions=tuple(extensions)
    )
    if checkpoint.tree_size == 0 and checkpoint.root != EMPTY_ROOT:
        raise Misspelt(expected=f"{format_base64(EMPTY_ROOT)}, the root of the empty tree", found=root)
    return checkpoint


def format_checkpoint(checkpoint: Checkpoint) -> str:
    lines = (checkpoint.origin, str(checkpoint.tree_size), format_base64(checkpoint.root), *checkpoint.extensions)
    return "".join(f"{line}\n" for line in lines)


def parse_signed_checkpoint(raw: bytes) -> SignedCheckpoint:
    note = parse_note(raw)
    return SignedCheckpoint(checkpoint=parse_checkpoint(note.text), note=note)


def format_signed_checkpoint(signed: SignedCheckpoint) -> bytes:
    return format_note(signed.note)
