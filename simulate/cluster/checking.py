"""The checks after the faults: the journals of players and readers beside the stored log."""

import hashlib
from collections import Counter, defaultdict
from collections.abc import Iterable

import asyncpg
import msgspec
from msgspec import Struct

from simulate.cluster.load import Acked, Entry, Shown

PAGE = 5_000
READ_EVENTS = """
select position, stream::text as stream, version, body from spina.event where position > $1 order by position limit $2
"""


class Line(Struct, frozen=True):
    """The members of a stored line that are compared."""

    command: str | None
    kind: str
    type: str


class Checked(Struct, frozen=True, kw_only=True):
    """The log and the journals beside each other; every number but the first three is to be 0."""

    events: int
    acked: int
    shown: int
    # Acknowledged commands whose lines are not in the log.
    lost: int
    # Command ids that stand in more than one input.
    doubled: int
    # Lines that a reader was shown and that the log has otherwise, or not.
    otherwise: int
    # Versions that a reader was not shown, or was shown twice, while it followed.
    skipped: int
    expired: int
    extended: int = 0

    @property
    def is_held(self) -> bool:
        has_both = self.acked > 0 and self.shown > 0
        return has_both and not (self.lost or self.doubled or self.otherwise or self.skipped or self.expired)


class StoredLog:
    def __init__(self) -> None:
        self.hashes: dict[tuple[str, int], str] = {}
        self.inputs = Counter[tuple[str, str]]()
        self.types = Counter[str]()

    def add(self, stream: str, version: int, body: bytes) -> None:
        line = msgspec.json.decode(body, type=Line)
        self.hashes[stream, version] = hashlib.sha256(body).hexdigest()
        self.types[line.type] += 1
        if line.kind == "input" and line.command is not None:
            self.inputs[stream, line.command] += 1


async def read_stored(connection: asyncpg.Connection) -> StoredLog:
    stored, after = StoredLog(), 0
    while rows := await connection.fetch(READ_EVENTS, after, PAGE):
        for row in rows:
            stored.add(row["stream"], row["version"], row["body"])
        after = rows[-1]["position"]
    return stored


def check(stored: StoredLog, journal: Iterable[Entry]) -> Checked:
    acked: list[Acked] = []
    shown: list[Shown] = []
    for entry in journal:
        if isinstance(entry, Acked):
            acked.append(entry)
        else:
            shown.append(entry)
    return Checked(
        events=len(stored.hashes),
        acked=len(acked),
        shown=len(shown),
        lost=sum(not _is_stored(stored, each) for each in acked),
        doubled=sum(count > 1 for count in stored.inputs.values()),
        otherwise=sum(stored.hashes.get((each.game, each.version)) != each.hash for each in shown),
        skipped=_count_skipped(shown),
        expired=stored.types["clock_expired"],
        extended=stored.types["clock_extended"],
    )


def _is_stored(stored: StoredLog, each: Acked) -> bool:
    return stored.hashes.get((each.game, each.last)) == each.head and stored.inputs[each.game, each.command] == 1


def _count_skipped(shown: Iterable[Shown]) -> int:
    versions = defaultdict[tuple[str, int], list[int]](list)
    for each in shown:
        versions[each.game, each.reader].append(each.version)
    return sum(
        after != before + 1 for read in versions.values() for before, after in zip([0, *read], read, strict=False)
    )
