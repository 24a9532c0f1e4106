"""The operators' record of one database: acts that are put on it, and its lines. For the owner alone."""

from collections.abc import Sequence
from contextlib import AbstractAsyncContextManager
from typing import Any

import asyncpg

from domain.log.record import Line, parse_line
from domain.names import NameRefused, read_name
from domain.operators.events import AnyAct
from infra.postgres.records import has_records, list_records, read_record
from infra.settings import Settings
from services.commands.records import put_on_record
from services.node.addresses import find_owner_url
from services.node.building import read_clock_ms
from services.node.serving import database_at


class ActRefused(Exception):
    """An act cannot be put on record as asked, or there is no record."""


def read_words(by: str, reason: str | None) -> dict[str, Any]:
    """Return the fields that every act has. Raises ActRefused."""
    try:
        return {"operator": read_name(by), "reason": None if reason is None else read_name(reason)}
    except NameRefused as refused:
        raise ActRefused(str(refused)) from None


async def put_act(owner: asyncpg.Connection, settings: Settings, act: AnyAct) -> None:
    """Put an act on record, as the last statement of its transaction."""
    await put_on_record(owner, act, origin=settings.origin, now_ms=read_clock_ms())


async def announce_act(settings: Settings, act: AnyAct, *, database_url: str | None = None) -> None:
    """Put a view on record before it is shown. Raises NoServerRunning, DatabaseRefused or a fault of the database.

    The audit before an upgrade is of a database that has no records yet.
    """
    async with owner_of(settings, given=database_url) as owner, owner.transaction():
        if await has_records(owner):
            await put_act(owner, settings, act)


async def read_all_records(settings: Settings) -> Sequence[Line]:
    """Read the lines of all records, in the order of their first use."""
    async with owner_of(settings) as owner:
        records = [await read_record(owner, each) for each in await list_records(owner)]
    return [parse_line(raw) for lines in records for raw in lines]


def owner_of(settings: Settings, *, given: str | None = None) -> AbstractAsyncContextManager[asyncpg.Connection]:
    """Connect as the owner of the database, or of the given one. Raises NoServerRunning or DatabaseRefused."""
    if given is not None:
        return database_at(given, variable="--database")
    return database_at(find_owner_url(settings), variable=_find_source(settings))


def _find_source(settings: Settings) -> str:
    """Name the variable of the owner's URL, for the operator who has to correct it."""
    if settings.owner_database_url is not None:
        return "SPINA_OWNER_DATABASE_URL"
    return f"the server of {settings.data}" if settings.database_url is None else "SPINA_DATABASE_URL"
