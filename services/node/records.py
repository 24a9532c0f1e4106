"""The operators' record of one database: acts that are put on it, and its lines. For the owner alone."""

from collections.abc import AsyncIterator, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Any

import asyncpg

from domain.log.record import Line, parse_line
from domain.names import NameRefused, read_name
from domain.operators.events import AnyAct, DumpMade
from infra.postgres.queries import Queries
from infra.postgres.records import has_line, has_records, list_records, read_record
from infra.settings import Settings
from services.commands.records import put_on_record, transaction_of_act
from services.node.addresses import find_owner_url, name_source
from services.node.databases import database_at


class ActRefused(Exception):
    """An act cannot be put on record as asked."""


def read_words(by: str, reason: str | None) -> dict[str, Any]:
    """Return the fields that every act has. Raises ActRefused."""
    try:
        return {"operator": read_name(by), "reason": None if reason is None else read_name(reason)}
    except NameRefused as refused:
        raise ActRefused(str(refused)) from None


@asynccontextmanager
async def acting_owner(settings: Settings, *, given: str | None = None) -> AsyncIterator[asyncpg.Connection]:
    """Begin the transaction of one act, as `owner_of` the database."""
    async with owner_of(settings, given=given) as owner, transaction_of_act(owner):
        yield owner


async def announce_act(settings: Settings, act: AnyAct, *, shown: Queries, database_url: str | None = None) -> None:
    """Put a view on record before it is shown, in the database that it shows: one of an earlier release has no records.

    Raises ActRefused, NoRecord, NoServerRunning, DatabaseRefused or a fault of the database.
    """
    if not await has_records(shown):
        return
    async with acting_owner(settings, given=database_url) as owner:
        entry = await put_on_record(owner, act)
    if not await has_line(shown, entry):
        raise ActRefused(
            "expected the line of this act in the database that games are read from, found it in another one: "
            "SPINA_DATABASE_URL and SPINA_OWNER_DATABASE_URL must name one database"
        )


async def record_dump(settings: Settings, *, sums: str, games: int, by: str) -> None:
    """Put a data set on record by the hash of its list of files. Raises as `announce_act`."""
    async with acting_owner(settings) as owner:
        await put_on_record(owner, DumpMade(sums=sums, games=games, **read_words(by, None)))


async def read_all_records(settings: Settings) -> Sequence[Line]:
    """Read the lines of all records, in the order of their first use."""
    async with owner_of(settings) as owner:
        records = [await read_record(owner, record) for record in await list_records(owner)]
    return [parse_line(raw) for lines in records for raw in lines]


def owner_of(settings: Settings, *, given: str | None = None) -> AbstractAsyncContextManager[asyncpg.Connection]:
    """Connect as the owner of the database, or of the given one. Raises NoServerRunning or DatabaseRefused."""
    if given is not None:
        return database_at(given, variable="--database")
    variable = name_source(settings, given=None) if settings.owner_database_url is None else "SPINA_OWNER_DATABASE_URL"
    return database_at(find_owner_url(settings), variable=variable)
