"""What deciding a log again has in common for every stream: what follows is compared with the lines that are there."""

from collections.abc import Sequence
from itertools import zip_longest

import msgspec

from domain.audit.findings import Result, broken
from domain.canonical import encode
from domain.log.entry import Entry


class Stopped(Exception):
    """Deciding again goes no further, for the reason that is the result."""

    def __init__(self, result: Result) -> None:
        self.result = result
        super().__init__(str(result))


def compare_following(follows: Sequence[Entry], there: Sequence[Entry]) -> None:
    """Compare what follows from an input, and the input itself, with the lines at that place, or raise Stopped.

    Where only `prev` or `version` differ, another check has told.
    """
    for expected, found in zip_longest(follows, there):
        _compare(expected, found)


def describe(entry: Entry) -> str:
    return f"{entry.line.type} {encode(entry.line.data).decode()}"


def name_error(error: Exception) -> str:
    return f"{type(error).__name__}: {error}"


def _compare(expected: Entry, found: Entry | None) -> None:
    if found is None:
        raise Stopped(broken(expected.line.version, expected=describe(expected), found="nothing"))
    if expected.raw == found.raw:
        return
    same_place = msgspec.structs.replace(found.line, prev=expected.line.prev, version=expected.line.version)
    if encode(same_place) == expected.raw:
        return
    one, other = describe(expected), describe(found)
    if one == other:
        one, other = expected.raw.decode(), found.raw.decode()
    raise Stopped(broken(expected.line.version, expected=one, found=other))
