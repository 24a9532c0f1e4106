"""The checks of a load against the stored log: acknowledged commands, shown lines and clocks."""

from collections import Counter, defaultdict, deque
from collections.abc import Iterator, Sequence
from hashlib import sha256
from itertools import pairwise

import msgspec
from msgspec import Struct

from infra.postgres.hosts import connect
from simulate.load.journal import Acked, Journal, Shown

PAGE = 5_000
READ_LAST = "select coalesce(max(position), 0) from spina.event"
READ_EVENTS = """
select position, stream::text as stream, version, body from spina.event
 where position > $1 and position <= $2 order by position limit $3
"""
# Of a game whose clock ran out: enough to see how long it waited, and for which seat.
LINES_BEFORE = 6
LINE_SHOWN_MAX = 400


class Line(Struct, frozen=True):
    """The members of a stored line that are compared."""

    command: str | None
    kind: str
    type: str


class StoredLine(Struct, frozen=True):
    command: str | None
    hash: str


class StoredLog:
    def __init__(self) -> None:
        self.lines: dict[tuple[str, int], StoredLine] = {}
        # The places of each command's input.
        self.inputs = defaultdict[str, list[str]](list)
        self.types = Counter[str]()
        # A sentence for each clock that ran out, with the lines before it.
        self.expired: list[str] = []
        self._recent = defaultdict[str, deque[str]](lambda: deque(maxlen=LINES_BEFORE))

    def add(self, stream: str, version: int, body: bytes) -> None:
        line, recent = msgspec.json.decode(body, type=Line), self._recent[stream]
        self.lines[stream, version] = StoredLine(line.command, sha256(body).hexdigest())
        self.types[line.type] += 1
        if line.kind == "input" and line.command is not None:
            self.inputs[line.command].append(f"{stream} version {version}")
        recent.append(body.decode()[:LINE_SHOWN_MAX])
        if line.type == "clock_expired":
            told = "\n".join(recent)
            self.expired.append(f"{stream} version {version}: expected no clock to run out, found one after\n{told}")

    def find_lost(self, each: Acked) -> Iterator[str]:
        """Find an acknowledged command that is not in the log as its answer states."""
        answer = each.answer
        first = self.lines.get((answer.game, answer.first_version))
        last = self.lines.get((answer.game, answer.last_version))
        if first is None or first.command != each.command:
            yield f"{tell(each)}: expected its line, found {first}"
        elif last is None or last.hash != answer.head:
            yield f"{tell(each)}: expected the head {answer.head} at version {answer.last_version}, found {last}"

    def find_doubled(self) -> Iterator[str]:
        for command, places in self.inputs.items():
            if len(places) > 1:
                yield f"command {command}: expected one line, found {', '.join(places)}"

    def find_otherwise(self, each: Shown) -> Iterator[str]:
        """Find a line that a reader was shown and that the log has otherwise, or not."""
        found = self.lines.get((each.game, each.version))
        if found is None or found.hash != each.hash:
            line = f"{each.game} version {each.version}"
            yield f"{line}: expected the one that reader {each.reader} was shown, {each.hash}, found {found}"


def tell(each: Acked) -> str:
    """Name an acknowledged command by its game, seat and line."""
    seat = "" if each.seat is None else f" seat {each.seat}"
    return f"{each.answer.game}{seat} version {each.answer.first_version}, {each.request} {each.command}"


async def read_stored(database_url: str) -> StoredLog:
    """Read the log as it is now; clocks of players who were taken away run out later."""
    connection = await connect(database_url)
    try:
        stored, after, last = StoredLog(), 0, await connection.fetchval(READ_LAST)
        while rows := await connection.fetch(READ_EVENTS, after, last, PAGE):
            for row in rows:
                stored.add(row["stream"], row["version"], row["body"])
            after = rows[-1]["position"]
    finally:
        await connection.close()
    return stored


def check(stored: StoredLog, journal: Journal) -> dict[str, list[str]]:
    """Return the violations of each kind, each by its game, its seat or reader, and its line."""
    return {
        "lost": [told for command in journal.acked for told in stored.find_lost(command)],
        "doubled": list(stored.find_doubled()),
        "otherwise": [told for shown in journal.shown for told in stored.find_otherwise(shown)],
        "skipped": list(_find_skipped(journal.shown)),
        "expired": stored.expired,
    }


def _find_skipped(shown: Sequence[Shown]) -> Iterator[str]:
    """Find versions that a reader was not shown, or was shown twice, while it followed."""
    versions = defaultdict[tuple[str, int], list[int]](lambda: [0])
    for item in shown:
        versions[item.game, item.reader].append(item.version)
    for (game, reader), read in versions.items():
        for before, after in pairwise(read):
            if after != before + 1:
                yield f"{game}: expected reader {reader} to be shown version {before + 1} next, found {after}"
