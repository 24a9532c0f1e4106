"""Ways and notices in memory: the part of each class of Postgres that a notifier uses, gone with the process."""

from collections import Counter
from collections.abc import Collection, Sequence

from msgspec import Struct
from msgspec.structs import replace

from domain.accounts.notice import DEADLINES, ORDER, Notice
from domain.accounts.way import WayRow
from domain.ids import LogPosition, PlayerId, StreamId, StreamVersion
from infra.clock_book import BookMoved
from infra.postgres.notices import (
    DEADLINES_WAITING_MAX,
    FIRST_REST_MS,
    OTHERS_WAITING_MAX,
    REST_MAX_MS,
    WAYS_OF_ACCOUNT_MAX,
)
from simulate.stores.event_store import MemoryEventStore


class _Due(Struct):
    """When a way is due, and since where it gets notices."""

    added_position: LogPosition
    due_ms: int | None = None
    is_light_rest: bool = False


class MemoryNotices:
    """`NoticeBook`, `Outbox`, and of `NoticeWays` the methods for the notifier."""

    def __init__(self, log: MemoryEventStore) -> None:
        self._log = log
        self.position = LogPosition(0)
        self.ways: dict[str, WayRow] = {}
        self.waiting: dict[tuple[str, str], Notice] = {}
        self._due: dict[str, _Due] = {}

    async def add(self, row: WayRow) -> None:
        self.ways[row.id] = row
        self._due[row.id] = _Due(added_position=await self._log.read_head())

    async def find(self, way: str) -> WayRow | None:
        return self.ways.get(way)

    async def is_open(self, token: str) -> bool:
        return bool(token)

    async def read_position(self) -> LogPosition:
        if not any(way.end_reason is None for way in self.ways.values()):
            self.position = max(self.position, await self._log.read_head())
        return self.position

    async def find_reached(self, accounts: Collection[PlayerId]) -> set[PlayerId]:
        return {PlayerId(way.account) for way in self.ways.values() if way.end_reason is None} & set(accounts)

    async def follow(self, before: LogPosition, after: LogPosition, notices: Sequence[Notice], *, now_ms: int) -> None:
        if self.position != before:
            raise BookMoved(before)
        self.position = after
        for way in self.ways.values():
            for notice in notices:
                if self._is_wanted(way, notice) and (way.id, notice.id) not in self.waiting:
                    self._add(way, notice, now_ms)

    async def list_due(self, now_ms: int, *, is_proven: bool, without: Collection[str], limit: int) -> list[str]:
        served = Counter(self.ways[way].account for way in without)
        found = []
        for way in sorted(self.ways.values(), key=lambda way: (self._due[way.id].due_ms or 0, way.id)):
            due_ms = self._due[way.id].due_ms
            if way.id in without or due_ms is None or due_ms > now_ms or served[way.account] >= WAYS_OF_ACCOUNT_MAX:
                continue
            if (way.has_worked and way.failures == 0) == is_proven:
                served[way.account] += 1
                found.append(way.id)
        return found[:limit]

    async def read_waiting(self, way: str, *, limit: int) -> list[Notice]:
        waiting = [notice for (owner, _), notice in self.waiting.items() if owner == way]
        return sorted(
            waiting, key=lambda entrant: (ORDER.index(entrant.kind), entrant.position, entrant.version, entrant.id)
        )[:limit]

    async def settle(self, way: str, *notices: str, now_ms: int) -> None:
        for notice in notices:
            self.waiting.pop((way, notice), None)
        self._due[way].due_ms = now_ms if await self.read_waiting(way, limit=1) else None

    async def put_off(self, way: str, until_ms: int, *, is_light: bool = False) -> None:
        if self.ways[way].end_reason is None:
            self._due[way].due_ms, self._due[way].is_light_rest = until_ms, is_light

    async def fail(self, way: str, reason: str, *, now_ms: int, rest_ms: int, is_challenge: bool = False) -> int:
        row = self.ways[way]
        if row.end_reason is not None or (is_challenge and row.is_proven):
            return 0
        self._due[way].due_ms = now_ms + max(rest_ms, min(FIRST_REST_MS * 2 ** min(row.failures, 20), REST_MAX_MS))
        since_ms = now_ms if row.failing_since_ms is None else row.failing_since_ms
        failed = {"failures": row.failures + 1, "failing_since_ms": since_ms, "failing_reason": reason}
        self.ways[way] = replace(row, **failed)
        return now_ms - since_ms

    async def recover(self, way: str) -> None:
        recovered = {"has_worked": True, "failures": 0, "failing_since_ms": None, "failing_reason": None}
        self.ways[way] = replace(self.ways[way], **recovered)

    async def end(self, way: str, reason: str) -> None:
        self.waiting = {key: notice for key, notice in self.waiting.items() if key[0] != way}
        self._due[way].due_ms = None
        self.ways[way] = replace(self.ways[way], sealed_box=None, end_reason=reason)

    def _add(self, way: WayRow, notice: Notice, now_ms: int) -> None:
        is_deadline, due = notice.kind in DEADLINES, self._due[way.id]
        waiting = [each for (owner, _), each in self.waiting.items() if owner == way.id]
        alike = sum((entrant.kind in DEADLINES) == is_deadline for entrant in waiting)
        if alike < (DEADLINES_WAITING_MAX if is_deadline else OTHERS_WAITING_MAX):
            self.waiting[way.id, notice.id] = notice
        elif all(entrant.kind != "more" for entrant in waiting):
            more = replace(notice, kind="more", stream=StreamId(way.id), fact=None, version=StreamVersion(0))
            self.waiting[way.id, notice.id] = more
        if due.due_ms is None or (is_deadline and due.is_light_rest and not way.failures):
            due.due_ms = now_ms if due.due_ms is None else min(due.due_ms, now_ms)

    def _is_wanted(self, way: WayRow, notice: Notice) -> bool:
        is_there = way.end_reason is None and way.kind != "calendar" and way.account == notice.account
        return is_there and notice.kind in way.kinds and notice.position > self._due[way.id].added_position
