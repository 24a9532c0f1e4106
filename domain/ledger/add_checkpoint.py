"""The messages between a log and a witness: a request to cosign, and its answers (C2SP tlog-witness)."""

from msgspec import Struct

from domain.ledger.checkpoint import SignedCheckpoint, format_signed_checkpoint, parse_signed_checkpoint
from domain.ledger.note import NOTE_SIZE_MAX
from domain.ledger.proof import format_path, parse_path
from domain.ledger.spelling import Misspelt, decode_text, parse_number, quote

# Example of a request, without the signatures under its checkpoint:
#
#     old 6
#     DrxdNDf74tsVi58Sah0RjjCBgQMdCpSfje3t68VY72o=
#     yoVOoSjtBQtBs1/8G4e46yveRh6eO1WW7Oa51ZdaCuA=
#     037kGJdt2VdTwcc4Yrk5j6Kiz5tP8P3+izDNlSCWFLc=
#
#     example.com/board-log
#     8
#     XcnaeacGWamtVZy3Ad7ZoqudgjqtL0lgz+Nw7/RgQyg=
#
#     request = "old " number newline (base64(hash) newline)* newline checkpoint
#
# The hashes are the consistency proof from the old size, at most 63; the checkpoint is a whole signed note. The answer
# to a request that is granted is the witness's signature lines (`note.parse_signatures`), one or more. The answer 409
# to a log with an outdated size of the witness's tree is the true size in decimal and a newline, of the media type
# text/x.tlog.size. Refused: any other spelling, and texts that are too large.

SIZE_MEDIA_TYPE = "text/x.tlog.size"
# The note, and 63 hashes of 45 bytes with their newlines.
REQUEST_SIZE_MAX = NOTE_SIZE_MAX + 4_000

_OLD = "old "


class AddCheckpoint(Struct, frozen=True, kw_only=True):
    old_size: int
    path: tuple[bytes, ...]
    signed: SignedCheckpoint


def parse_add_checkpoint(raw: bytes) -> AddCheckpoint:
    text = decode_text(raw, size_max=REQUEST_SIZE_MAX)
    head, _, checkpoint = text.partition("\n\n")
    old, *hashes = head.split("\n")
    if not old.startswith(_OLD):
        raise Misspelt(expected="old and a size", found=quote(old))
    return AddCheckpoint(
        old_size=parse_number(old.removeprefix(_OLD)),
        path=parse_path(hashes),
        signed=parse_signed_checkpoint(checkpoint.encode()),
    )


def format_add_checkpoint(request: AddCheckpoint) -> bytes:
    head = f"{_OLD}{request.old_size}\n{format_path(request.path)}\n"
    return head.encode() + format_signed_checkpoint(request.signed)


def parse_witness_size(raw: bytes) -> int:
    """Read the body of an answer 409."""
    # A number's digits and the newline.
    text = decode_text(raw, size_max=20)
    if not text.endswith("\n"):
        raise Misspelt(expected="a size and a newline", found=quote(text))
    return parse_number(text.removesuffix("\n"))


def format_witness_size(tree_size: int) -> bytes:
    return b"%d\n" % tree_size
