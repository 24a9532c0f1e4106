"""The form of an append, checked before any store looks at its stream. Only a bug of ours breaks it.

`line_fits` and the checks around it in the migrations say the same in SQL; they must agree with this.
"""

import hashlib

from domain.ids import is_uuid
from domain.log.record import GENESIS, LINE_SIZE_MAX
from infra.event_store import LINES_MAX, Append
from infra.store_faults import AppendRefused

# In quotes, as it stands in the line.
SIGNATURE_SIZE = 130
HASH_SIZE = 32


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
