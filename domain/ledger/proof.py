"""Proof files: all that is needed to check offline that an entry is in a log (C2SP tlog-proof, `.tlog-proof`).

The file is worth as much as the verifier's own policy gives the checkpoint inside.
"""

from msgspec import Struct

from domain.ledger.checkpoint import SignedCheckpoint, format_signed_checkpoint, parse_signed_checkpoint
from domain.ledger.inclusion import Inclusion, check_inclusion
from domain.ledger.merkle import leaf_hash
from domain.ledger.note import NOTE_SIZE_MAX
from domain.ledger.spelling import (
    Misspelt,
    decode_text,
    format_base64,
    parse_base64,
    parse_hash,
    parse_number,
    quote,
)

# Example, without the signatures under its checkpoint:
#
#     c2sp.org/tlog-proof@v1
#     index 5
#     vBoGQ7EuTS18d5GPROD095qDi2z57FtcKD4fTYhZnms=
#     yoVOoSjtBQtBs1/8G4e46yveRh6eO1WW7Oa51ZdaCuA=
#     037kGJdt2VdTwcc4Yrk5j6Kiz5tP8P3+izDNlSCWFLc=
#
#     example.com/board-log
#     8
#     XcnaeacGWamtVZy3Ad7ZoqudgjqtL0lgz+Nw7/RgQyg=
#
#     proof = "c2sp.org/tlog-proof@v1" newline ["extra " base64 newline] "index " number newline
#             (base64(hash) newline)* newline checkpoint
#
# The hashes go from the leaf's neighbour up to the child of the root; the checkpoint is a whole signed note. `extra` is
# not signed; our own proofs have none. Refused: any other spelling, more than 63 hashes, and texts that are too large.

# No tree of at most 2^63-1 leaves has a longer path.
PATH_LENGTH_MAX = 63
# The note, and room for 63 hashes and some extra data.
PROOF_SIZE_MAX = NOTE_SIZE_MAX + 100_000

_FIRST_LINE = "c2sp.org/tlog-proof@v1"
_EXTRA = "extra "
_INDEX = "index "


class LedgerProof(Struct, frozen=True, kw_only=True):
    index: int
    path: tuple[bytes, ...]
    signed: SignedCheckpoint
    # Further bytes by the file's author, or None without the line.
    extra: bytes | None = None


def parse_proof(raw: bytes) -> LedgerProof:
    text = decode_text(raw, size_max=PROOF_SIZE_MAX)
    head, _, checkpoint = text.partition("\n\n")
    first, *lines = head.split("\n")
    if first != _FIRST_LINE:
        raise Misspelt(expected=_FIRST_LINE, found=quote(first))
    extra = parse_base64(lines.pop(0).removeprefix(_EXTRA)) if lines and lines[0].startswith(_EXTRA) else None
    if not (lines and lines[0].startswith(_INDEX)):
        raise Misspelt(expected="a line that begins with index", found=quote(lines[0] if lines else ""))
    return LedgerProof(
        index=parse_number(lines[0].removeprefix(_INDEX)),
        path=parse_path(lines[1:]),
        signed=parse_signed_checkpoint(checkpoint.encode()),
        extra=extra,
    )


def format_proof(proof: LedgerProof) -> bytes:
    extra = "" if proof.extra is None else f"{_EXTRA}{format_base64(proof.extra)}\n"
    head = f"{_FIRST_LINE}\n{extra}{_INDEX}{proof.index}\n{format_path(proof.path)}\n"
    return head.encode() + format_signed_checkpoint(proof.signed)


def check_proof(proof: LedgerProof, entry: bytes) -> None:
    """Check that the entry is where the proof states, or raise BrokenProof; nothing of this asks who signed."""
    checkpoint = proof.signed.checkpoint
    inclusion = Inclusion(index=proof.index, tree_size=checkpoint.tree_size, path=proof.path)
    check_inclusion(inclusion, leaf=leaf_hash(entry), root=checkpoint.root)


def parse_path(lines: list[str]) -> tuple[bytes, ...]:
    """Read hashes, a line each, as they stand in a proof file and in a request to a witness."""
    if len(lines) > PATH_LENGTH_MAX:
        raise Misspelt(expected=f"at most {PATH_LENGTH_MAX} hashes", found=str(len(lines)))
    return tuple(parse_hash(line) for line in lines)


def format_path(path: tuple[bytes, ...]) -> str:
    return "".join(f"{format_base64(found)}\n" for found in path)
