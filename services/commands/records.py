"""The write path of the operators' record: load, decide and append, in the transaction of the act on record.

Only the owner of the database can write there. Nothing that an act asks for is shown before its line is durable.
"""

import secrets

import asyncpg

from domain.derived_ids import derive_record
from domain.ids import CommandId, StreamId
from domain.ledger.leaf import LEAF_KEY_SIZE
from domain.log.actors import ByOperator
from domain.log.replay import replay
from domain.operators.commands import OpenRecord, RecordCommand
from domain.operators.decide import decide, decide_opening
from domain.operators.events import AnyAct, LedgerBegun
from domain.operators.kind import RECORDS
from domain.operators.state import Record
from infra.postgres.records import append_record, find_newest, lock_records, read_record, use_record
from infra.uuid7 import build_uuid7


async def put_on_record(owner: asyncpg.Connection, act: AnyAct, *, origin: str, now_ms: int) -> None:
    """Append the line of an act to the record in use; the first act opens the record of `origin`.

    To be called in the transaction of the act, as its last statement: the append lock is held until the commit.
    """
    await lock_records(owner)
    newest = await find_newest(owner)
    record = await _open(owner, origin, now_ms=now_ms) if newest is None else await _load(owner, newest)
    assert record is not None, "a record in use has a first line"
    command = RecordCommand(
        id=CommandId(build_uuid7(now_ms)), stream=record.id, at_ms=now_ms, actor=ByOperator(), event=act
    )
    await append_record(owner, decide(record, command).entries)


async def use_record_of(owner: asyncpg.Connection, origin: str, *, operator: str, now_ms: int) -> None:
    """Put lines into the record of a ledger from now on; where another was in use, the change is its first act."""
    wanted = derive_record(origin)
    if await find_newest(owner) == wanted:
        return
    async with owner.transaction():
        await lock_records(owner)
        newest = await find_newest(owner)
        if newest == wanted:
            return
        if await _load(owner, wanted) is None:
            await _open(owner, origin, now_ms=now_ms)
        else:
            await use_record(owner, wanted)
        former = None if newest is None else await _load(owner, newest)
        if former is not None:
            begun = LedgerBegun(operator=operator, reason=None, former=former.opened.ledger)
            await put_on_record(owner, begun, origin=origin, now_ms=now_ms)


async def _open(owner: asyncpg.Connection, origin: str, *, now_ms: int) -> Record:
    record = derive_record(origin)
    command = OpenRecord(
        id=CommandId(record),
        stream=record,
        at_ms=now_ms,
        actor=ByOperator(),
        ledger=origin,
        leaf_key=secrets.token_bytes(LEAF_KEY_SIZE).hex(),
    )
    opened = decide_opening(command)
    await append_record(owner, opened.entries)
    await use_record(owner, record)
    return opened.state


async def _load(owner: asyncpg.Connection, record: StreamId) -> Record | None:
    lines = await read_record(owner, record)
    return replay(RECORDS, lines) if lines else None
