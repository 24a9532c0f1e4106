"""The games of a ledger by their openers and ends, as far as their server shows them to the public.

Every line that counts is compared with its leaf in the ledger: a server cannot name another opener or end.
"""

from collections import Counter, deque
from pathlib import Path
from typing import Annotated, Literal

import httpx2
import msgspec
from msgspec import Meta, Struct

from domain.derived_ids import is_record
from domain.ids import StreamId
from domain.ledger.leaf import Leaf, build_leaf
from domain.log.record import LINE_SIZE_MAX, BadLine, Line, line_hash, parse_line
from infra.witness_files import MemoryDamaged
from services.ledger.watching import fetch_file

NDJSON = "application/x-ndjson"
FILE_NAME = "streams.ndjson"

Kind = Literal["games", "tournaments"]
# In the order of a report.
ENDS = ("finished", "aborted", "cancelled", "stopped")


class LineContradicted(Exception):
    """A server shows a line that is not the one in its ledger."""


class Told(Struct, frozen=True, kw_only=True):
    """A stream by its own lines. `ended` is None while it goes on."""

    stream: StreamId
    kind: Kind
    opener: str
    leaf_key: str
    ended: str | None = None


class Sum(Struct, frozen=True, kw_only=True):
    """The games, or the tournaments, that one account opened."""

    kind: Kind
    opener: str
    opened: int
    finished: int
    aborted: int
    cancelled: int
    stopped: int
    going_on: int


class _Opening(Struct):
    """The one field of a first line needed here."""

    leaf_key: Annotated[str, Meta(pattern="^[0-9a-f]{64}$(?!\n)")]


class _Leaves(Struct):
    """The leaves of a stream that its lines are compared with: the first, and the last two."""

    first: Leaf
    last: tuple[Leaf, ...]


class OpenedGames:
    """Answers given once stand in a file, and are not asked for again. About a kilobyte for each game."""

    def __init__(self, folder: Path, client: httpx2.AsyncClient, url: str) -> None:
        self._file = folder / FILE_NAME
        self._client = client
        self._url = url.removesuffix("/")
        self._leaves: dict[StreamId, _Leaves] = {}
        self._told: dict[StreamId, Told] = _read(self._file)
        # The streams that go on or were not shown, those first that were asked about longest ago.
        self._unended: deque[StreamId] = deque()
        self._fresh: deque[StreamId] = deque()

    def add(self, leaf: Leaf) -> None:
        """Take the next leaf of the ledger."""
        if is_record(leaf.stream):
            # Of this ledger, or of one of another name before it.
            return
        known = self._leaves.get(leaf.stream)
        if known is not None:
            known.last = (*known.last, leaf)[-2:]
            return
        self._leaves[leaf.stream] = _Leaves(first=leaf, last=(leaf,))
        told = self._told.get(leaf.stream)
        if told is None or told.ended is None:
            self._fresh.append(leaf.stream)

    @property
    def is_all_asked(self) -> bool:
        return not self._fresh

    async def ask(self, count_max: int) -> None:
        """Ask the server about some streams. Raises LineContradicted or httpx2.HTTPError."""
        for _ in range(min(count_max, len(self._fresh) + len(self._unended))):
            queue = self._fresh or self._unended
            stream = queue[0]
            try:
                told = await self._ask(stream)
            except LineContradicted:
                # The others are asked about all the same.
                self._unended.append(queue.popleft())
                raise
            queue.popleft()
            if told is None or told.ended is None:
                self._unended.append(stream)
            if told is not None and told != self._told.get(stream):
                self._told[stream] = told
                with self._file.open("ab") as file:
                    file.write(msgspec.json.encode(told) + b"\n")

    def sum_up(self) -> list[Sum]:
        """Sum up by opener, those with the most games without a result first."""
        counted: dict[tuple[Kind, str], Counter[str]] = {}
        for stream, told in self._told.items():
            if stream in self._leaves:
                counted.setdefault((told.kind, told.opener), Counter())[told.ended or "going_on"] += 1
        sums = [
            Sum(
                kind=kind,
                opener=opener,
                opened=ends.total(),
                going_on=ends["going_on"],
                **{end: ends[end] for end in ENDS},
            )
            for (kind, opener), ends in counted.items()
        ]
        return sorted(sums, key=lambda sum_: (sum_.kind, -_count_unranked(sum_), -sum_.opened, sum_.opener))

    def count_hidden(self) -> int:
        """Count the streams that the server does not show to the public."""
        return len(self._leaves.keys() - self._told.keys())

    async def _ask(self, stream: StreamId) -> Told | None:
        leaves = self._leaves[stream]
        told = self._told.get(stream) or await self._find_opening(leaves.first)
        if told is None or len(leaves.last) == 1:
            return told
        lines = await self._read_lines(told.kind, leaves.last, bytes.fromhex(told.leaf_key)) or []
        match [line.type for line in lines]:
            case [end, "secret_disclosed"]:
                return msgspec.structs.replace(told, ended=end.partition("_")[2])
            case _:
                return told

    async def _find_opening(self, first: Leaf) -> Told | None:
        kinds: tuple[Kind, ...] = ("games", "tournaments")
        for kind in kinds:
            lines = await self._read_lines(kind, (first,), None)
            if lines:
                key = _read_leaf_key(lines[0]).hex()
                return Told(stream=first.stream, kind=kind, opener=lines[0].by, leaf_key=key)
        return None

    async def _read_lines(self, kind: Kind, leaves: tuple[Leaf, ...], leaf_key: bytes | None) -> list[Line] | None:
        """Read the lines of these leaves, or as many of them as are shown. The first line of a stream has its key."""
        stream, after = leaves[0].stream, leaves[0].version - 1
        url = f"{self._url}/v1/{kind}/{stream}/events?after={after}&limit={len(leaves)}"
        try:
            raw = await fetch_file(self._client, url, size_max=2 * LINE_SIZE_MAX + 2, accept=NDJSON)
        except httpx2.HTTPStatusError as error:
            if error.response.status_code == httpx2.codes.NOT_FOUND:
                return None
            raise
        raws = raw.split(b"\n")[:-1]
        try:
            lines = [parse_line(raw) for raw in raws]
            key = leaf_key or (_read_leaf_key(lines[0]) if lines else b"")
        except (BadLine, msgspec.ValidationError) as error:
            raise LineContradicted(f"{url} shows no line of a log: {error}") from error
        shown = [
            build_leaf(key, stream=line.stream, version=line.version, line=line_hash(each))
            for line, each in zip(lines, raws, strict=True)
        ]
        if shown != list(leaves[: len(shown)]):
            raise LineContradicted(f"{url} shows another line than the one in the ledger")
        return lines


def _read_leaf_key(line: Line) -> bytes:
    return bytes.fromhex(msgspec.convert(line.data, _Opening).leaf_key)


def _read(file: Path) -> dict[StreamId, Told]:
    """Read all whole lines; the last one may have been cut by a loss of power. Raises MemoryDamaged."""
    raw = file.read_bytes() if file.exists() else b""
    whole, _, cut = raw.rpartition(b"\n")
    if cut:
        file.write_bytes(whole + b"\n" if whole else b"")
    try:
        found = [msgspec.json.decode(line, type=Told) for line in whole.split(b"\n") if line]
    except msgspec.DecodeError as error:
        raise MemoryDamaged(file, str(error)) from error
    return {told.stream: told for told in found}


def _count_unranked(counted: Sum) -> int:
    return counted.aborted + counted.cancelled + counted.stopped
