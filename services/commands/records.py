"""The write path of the operators' record: load, decide and append, in the transaction of the act on record.

Only the owner of the database can write there. Nothing that an act asks for is shown before its line is durable.
"""

import secrets
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import asyncpg

from domain.derived_ids import derive_record
from domain.ids import CommandId, StreamId
from domain.ledger.leaf import LEAF_KEY_SIZE
from domain.log.actors import ByOperator
from domain.log.entry import Entry
from domain.log.replay import replay
from domain.operators.commands import OpenRecord, RecordCommand
from domain.operators.decide import decide, decide_opening
from domain.operators.events import AnyAct, LedgerBegun
from domain.operators.kind import RECORDS
from domain.operators.state import Record
from infra.postgres.records import (
    append_record,
    find_newest,
    list_records,
    lock_records,
    read_clock,
    read_ends,
    use_record,
)
from infra.store_faults import StoreUnavailable
from infra.uuid7 import build_uuid7


class NoRecord(Exception):
    """No record is open: its id follows from the name of the ledger, which a server alone knows."""

    def __init__(self) -> None:
        super().__init__("expected an operators' record, found none: the first start of a server opens it")


@asynccontextmanager
async def transaction_of_act(owner: asyncpg.Connection) -> AsyncIterator[None]:
    """Begin with the lock of the record: an act waits for another one before it locks a table that players need.

    Raises StoreUnavailable where a lock is not to be had within seconds.
    """
    try:
        async with owner.transaction():
            await lock_records(owner)
            yield
    except asyncpg.LockNotAvailableError as error:
        raise StoreUnavailable(f"{error}: another act, or a session of the server's login, holds it") from None


async def put_on_record(owner: asyncpg.Connection, act: AnyAct) -> Entry:
    """Append the line of an act to the record in use. Raises NoRecord.

    To be called in `transaction_of_act`, as its last statement: the append lock is held until the commit.
    """
    newest = await find_newest(owner)
    if newest is None:
        raise NoRecord
    record, now_ms = await _load(owner, newest), await read_clock(owner)
    command = RecordCommand(
        id=CommandId(build_uuid7(now_ms)), stream=record.id, at_ms=now_ms, actor=ByOperator(), event=act
    )
    (entry,) = decide(record, command).entries
    await append_record(owner, entry)
    return entry


async def use_record_of(owner: asyncpg.Connection, origin: str, *, operator: str) -> None:
    """Put lines into the record of a ledger from now on; where another was in use, the change is its first act."""
    wanted = derive_record(origin)
    if await find_newest(owner) == wanted:
        return
    async with transaction_of_act(owner):
        newest = await find_newest(owner)
        if newest == wanted:
            return
        if wanted not in await list_records(owner):
            await _open(owner, origin)
        await use_record(owner, wanted)
        if newest is not None:
            former = (await _load(owner, newest)).opened.ledger
            await put_on_record(owner, LedgerBegun(operator=operator, reason=None, former=former))


async def _open(owner: asyncpg.Connection, origin: str) -> None:
    record = derive_record(origin)
    command = OpenRecord(
        id=CommandId(record),
        stream=record,
        at_ms=await read_clock(owner),
        actor=ByOperator(),
        ledger=origin,
        leaf_key=secrets.token_bytes(LEAF_KEY_SIZE).hex(),
    )
    (entry,) = decide_opening(command).entries
    await append_record(owner, entry)


async def _load(owner: asyncpg.Connection, record: StreamId) -> Record:
    """Fold the ends alone: an act needs no line between, and its id is a new one."""
    return replay(RECORDS, await read_ends(owner, record))
