"""Appends that no correct program makes: each is changed from a good one of two lines on a stream of one."""

from collections.abc import Callable

from msgspec.structs import replace

from domain.ids import LineHash, StreamVersion
from domain.log.record import GENESIS, line_hash
from infra.event_store import LINES_MAX, Append
from tests.appends import at_place, held_opening, new_command, new_game

ELSEWHERE = LineHash("ab" * 32)


def with_last_line(append: Append, line: bytes) -> Append:
    """Another last line, under its own right hash."""
    return replace(append, lines=(*append.lines[:-1], line), hashes=(*append.hashes[:-1], line_hash(line)))


def with_signature(append: Append, signature: str) -> Append:
    return with_last_line(append, append.lines[-1].replace(b'"sig":null', b'"sig":"%s"' % signature.encode()))


MALFORMED: dict[str, Callable[[Append], Append]] = {
    "no lines": lambda append: replace(append, lines=(), types=(), hashes=()),
    "more lines than one append may have": lambda append: replace(append, lines=append.lines * (LINES_MAX // 2 + 1)),
    "a line too long": lambda append: with_last_line(append, b" " * 65_537),
    "a type too few": lambda append: replace(append, types=append.types[:-1]),
    "a hash too few": lambda append: replace(append, hashes=append.hashes[:-1]),
    "a short hash": lambda append: replace(append, hashes=(append.hashes[0], LineHash("ab"))),
    "a hash that is not hex": lambda append: replace(append, hashes=(append.hashes[0], LineHash("xy" * 32))),
    "another hash": lambda append: replace(append, hashes=(append.hashes[0], ELSEWHERE)),
    "another type": lambda append: replace(append, types=(append.types[0], "seat_left")),
    "lines in the wrong order": lambda append: replace(append, lines=append.lines[::-1], hashes=append.hashes[::-1]),
    "another stream": lambda append: replace(append, stream=new_game()),
    "another version": lambda append: with_last_line(append, append.lines[-1].replace(b'"version":3', b'"version":4')),
    "another line before": lambda append: with_last_line(
        append, append.lines[-1].replace(append.hashes[0].encode(), ELSEWHERE.encode())
    ),
    "another first line before": lambda append: replace(append, expected_head=ELSEWHERE),
    "a version before the expected one": lambda append: replace(append, expected_version=StreamVersion(0)),
    "a first line after another": lambda append: at_place(append.stream, version=0, head=ELSEWHERE),
    "a later line after none": lambda append: at_place(append.stream, version=1, head=GENESIS),
    "a short signature": lambda append: with_signature(append, "ab"),
    "a line that is cut": lambda append: with_last_line(append, append.lines[-1][:-1]),
    "a line that goes on": lambda append: with_last_line(append, append.lines[-1] + b" "),
    "a line of nothing": lambda append: with_last_line(append, b""),
    "a secret of an old game": lambda append: replace(append, secret_box=b"secret"),
    "a held opening of an earlier line": lambda append: replace(append, held=(held_opening(1),)),
    "a held opening of a later line": lambda append: replace(append, held=(held_opening(4),)),
    "a short command hash": lambda append: replace(append, command=new_command(b"short")),
}
