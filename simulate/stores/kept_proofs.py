"""Kept proofs in memory, beside a log and a ledger in memory."""

import asyncpg

from domain.ids import StreamId, StreamVersion
from domain.log.record import parse_line
from infra.postgres.kept_proofs import DueEvent, KeptProof
from simulate.stores.event_store import MemoryEventStore
from simulate.stores.ledger import MemoryLedger

OPENINGS = ("game_opened", "tournament_opened")
SEATINGS = ("seat_taken", "entrant_entered")
ENDED, WITNESSED = "secret_disclosed", "opening_witnessed"
DUE = (*OPENINGS, ENDED)
DEMAND = b'"witnessed_opening"'


class MemoryKeptProofs:
    """See `KeptProofs`."""

    def __init__(self, log: MemoryEventStore, ledger: MemoryLedger) -> None:
        self._log = log
        self._ledger = ledger
        self.kept: dict[StreamId, KeptProof] = {}
        self.passed = 0

    async def find(self, stream: StreamId) -> KeptProof | None:
        return self.kept.get(stream)

    async def keep(self, stream: StreamId, kept: KeptProof) -> None:
        (last,) = await self._log.read_stream(stream, after=StreamVersion(kept.version - 1), limit=1) or (None,)
        if last is None or parse_line(last).type != ENDED:
            raise asyncpg.InvalidParameterValueError(f"line {kept.version} is not the last of {stream}")
        self.kept.setdefault(stream, kept)

    async def read_passed(self) -> int:
        return self.passed

    async def mark_passed(self, index: int) -> None:
        if index <= self.passed:
            return
        due = await self.list_due(self.passed, index)
        if index > len(self._ledger.entries) or any([await self._is_waiting(event) for event in due]):
            raise asyncpg.InvalidParameterValueError(f"before leaf {index} some wait for a proof")
        self.passed = index

    async def list_due(self, first: int, end: int) -> list[DueEvent]:
        due = []
        for index, entry in enumerate(self._ledger.entries[first:end], start=first):
            leaf = entry.leaf
            (raw,) = await self._log.read_stream(leaf.stream, after=StreamVersion(leaf.version - 1), limit=1)
            type_ = parse_line(raw).type
            if type_ in DUE:
                opening = raw if type_ in OPENINGS else None
                due.append(DueEvent(index=index, stream=leaf.stream, version=leaf.version, opening=opening))
        return due

    async def find_first_seat(self, stream: StreamId) -> StreamVersion | None:
        for raw in await self._log.read_stream(stream, after=StreamVersion(0), limit=10_000):
            line = parse_line(raw)
            if line.type in SEATINGS:
                return line.version
        return None

    async def _is_waiting(self, due: DueEvent) -> bool:
        if due.opening is None:
            return due.stream not in self.kept
        lines = await self._log.read_stream(due.stream, after=StreamVersion(0), limit=10_000)
        is_settled = any(parse_line(raw).type in {ENDED, WITNESSED} for raw in lines)
        return DEMAND in due.opening and not is_settled
