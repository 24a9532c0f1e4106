"""One call of an append function: its arguments from a batch of appends, and the outcome of each from its rows.

The order of the arguments must agree with `append_batch` and `append_one` in the migrations. The form
is checked before any store looks at its stream; `line_fits` and the checks around it in SQL must agree with it.
"""

import hashlib
from collections.abc import Sequence
from itertools import accumulate
from typing import Any, Protocol

from domain.ids import LineHash, StreamVersion, is_uuid
from domain.log.record import GENESIS, LINE_SIZE_MAX
from infra.event_store import LINES_MAX, Append, CommandAnswer
from infra.store_faults import AppendRefused, CommandSeen, VersionConflict

# In quotes, as it stands in the line.
SIGNATURE_SIZE = 130
HASH_SIZE = 32

# One text for every size of batch, so the server plans it once.
APPEND_BATCH = """
select lost, actual_version, actual_head, appended, seen_hash, seen_first, seen_last, seen_head
from append_batch($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)
"""
# One game's lines without company. The driver takes longer to write fourteen arrays than the server to store a line.
APPEND_ONE = """
select append_one($1, $2, $3, $4, $5, $6, $7, $8)
"""
# It checks line by line, which a batch does faster when there are many.
LONE_LINES_MAX = 8


def check_limits(append: Append) -> None:
    """Raise `AppendRefused` for an append that no store could accept."""
    if not is_uuid(append.stream):
        raise AppendRefused(append.stream, "the id of a stream is a UUID in lower case")
    if append.command is not None and not is_uuid(append.command.id):
        raise AppendRefused(append.stream, f"the id of a command is a UUID in lower case, not {append.command.id!r}")
    count = len(append.lines)
    if not 1 <= count <= LINES_MAX:
        raise AppendRefused(append.stream, f"1 to {LINES_MAX} lines were expected, not {count}")
    if len(append.types) != count or len(append.hashes) != count:
        raise AppendRefused(append.stream, f"{count} lines have {len(append.types)} types, {len(append.hashes)} hashes")
    try:
        for hash_ in (append.expected_head, *append.hashes):
            bytes.fromhex(hash_)
    except ValueError as error:
        raise AppendRefused(append.stream, f"a hash is not hex: {error}") from error
    if (size := max(map(len, append.lines))) > LINE_SIZE_MAX:
        raise AppendRefused(append.stream, f"a line may have {LINE_SIZE_MAX} bytes, not {size}")


def check_form(append: Append) -> None:
    """Raise `AppendRefused` unless every line fits its hash, its type and its place, and its secrets fit."""
    prev = append.expected_head
    for number, (line, type_, hash_) in enumerate(zip(append.lines, append.types, append.hashes, strict=True), start=1):
        version = append.expected_version + number
        if hashlib.sha256(line).hexdigest() != hash_:
            raise AppendRefused(append.stream, f"line {version} has another hash than the one given")
        if not _line_fits(line, prev=prev, end=f',"stream":"{append.stream}","type":"{type_}","version":{version}}}'):
            raise AppendRefused(append.stream, f"line {version} does not fit its place")
        prev = hash_
    is_new = append.expected_version == 0
    if is_new != (append.expected_head == GENESIS):
        raise AppendRefused(
            append.stream, f"version {append.expected_version} cannot have {append.expected_head} as head"
        )
    if append.secret_box is not None and not is_new:
        raise AppendRefused(append.stream, "only a new stream brings a secret")
    if append.command is not None and len(append.command.body_hash) != HASH_SIZE:
        raise AppendRefused(
            append.stream, f"a command's hash has {HASH_SIZE} bytes, not {len(append.command.body_hash)}"
        )
    if any(not append.expected_version < held.version <= append.last_version for held in append.held):
        raise AppendRefused(append.stream, "a held opening belongs to none of the lines")


def _line_fits(line: bytes, *, prev: str, end: str) -> bool:
    right = end.encode()
    left = f'"prev":"{prev}","sig":'.encode()
    rest = line.removesuffix(right)
    rest = rest[:-4] if rest.endswith(b"null") else rest[:-SIGNATURE_SIZE]
    return line.endswith(right) and rest.endswith(left)


def is_lone(batch: Sequence[Append]) -> bool:
    """Whether the batch may be sent to `append_one`."""
    first = batch[0]
    return (
        len(batch) == 1
        and len(first.lines) <= LONE_LINES_MAX
        and first.expected_version > 0
        and first.secret_box is None
        and not first.held
    )


def values(append: Append) -> tuple[object, ...]:
    command = append.command
    return (
        append.stream,
        append.expected_version,
        bytes.fromhex(append.expected_head),
        command and command.id,
        command and command.body_hash,
        append.types,
        [bytes.fromhex(hash_) for hash_ in append.hashes],
        append.lines,
    )


def columns(batch: Sequence[Append]) -> tuple[list[object], ...]:
    commands = [append.command for append in batch]
    numbered = list(enumerate(batch, start=1))
    return (
        [append.stream for append in batch],
        [append.expected_version for append in batch],
        [bytes.fromhex(append.expected_head) for append in batch],
        list(accumulate(len(append.lines) for append in batch)),
        [command and command.id for command in commands],
        [command and command.body_hash for command in commands],
        # None of them, as in most batches: the server reads missing values as null.
        [append.secret_box for append in batch] if any(append.secret_box for append in batch) else [],
        [number for number, append in numbered for _ in append.lines],
        [type_ for append in batch for type_ in append.types],
        [bytes.fromhex(hash_) for append in batch for hash_ in append.hashes],
        [line for append in batch for line in append.lines],
        [number for number, append in numbered for _ in append.held],
        [held.version for append in batch for held in append.held],
        [held.sealed_box for append in batch for held in append.held],
    )


class Lost(Protocol):
    """A row about an append that lost, by the columns of `append_batch`."""

    def __getitem__(self, column: str, /) -> Any: ...


def find_fault(append: Append, row: Lost, *, was_resent: bool) -> VersionConflict | CommandSeen | None:
    """Read the fault of an append that lost: none, if it lost to its own first attempt, whose reply was lost."""
    if was_resent and row["appended"]:
        return None
    if append.command is not None and row["seen_hash"] is not None:
        answer = CommandAnswer(
            first_version=StreamVersion(row["seen_first"]),
            last_version=StreamVersion(row["seen_last"]),
            head=LineHash(row["seen_head"].hex()),
            body_hash=row["seen_hash"],
        )
        return CommandSeen(append.stream, append.command.id, answer)
    return VersionConflict(
        append.stream,
        expected_version=append.expected_version,
        actual_version=StreamVersion(row["actual_version"]),
        actual_head=LineHash(row["actual_head"].hex()),
    )
