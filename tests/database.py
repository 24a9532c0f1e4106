"""A database a test, copied from a template that the session migrates once."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from secrets import token_hex, token_urlsafe
from urllib.parse import quote, unquote, urlsplit, urlunsplit

import asyncpg
from msgspec import Struct

from infra.embedded.credentials import APP_ROLE, scram_verifier
from infra.embedded.servers import ServerUrls
from infra.postgres.migrations import migrate

CONNECT_TIMEOUT_S = 10.0
PATIENCE_S = 10.0
# A server lists the locks of all its databases.
IS_WAITING = """
select exists (select from pg_locks where not granted
   and database = (select oid from pg_database where datname = current_database()))
"""
# The server looks again by itself: questions without a pause keep it busy, and the machine of the test.
UNTIL_ONE_WAITS = f"do $$ begin while not ({IS_WAITING}) loop perform pg_sleep(0.002); end loop; end $$"


# Makes one more, for a test of which some cases need none.
NewDatabase = Callable[[], AbstractAsyncContextManager["Database"]]


class Database(Struct, frozen=True, kw_only=True):
    """One test's database, as the owner of the schema and as the app; the URLs carry passwords and are not printed."""

    owner_url: str
    app_url: str

    def __repr__(self) -> str:
        return "Database(…)"

    @asynccontextmanager
    async def owned(self) -> AsyncIterator[asyncpg.Connection]:
        """Connect as the owner of the schema."""
        async with _connected(self.owner_url) as owner:
            yield owner


@asynccontextmanager
async def database_of_its_own(urls: ServerUrls, *, template: str) -> AsyncIterator[Database]:
    async with _copied(urls.owner_url, template, "spina_test") as name:
        yield name_database(urls, name)


async def until_a_session_waits(connection: asyncpg.Connection) -> None:
    """Return once a session of the connection's database waits for a lock."""
    async with asyncio.timeout(PATIENCE_S):
        await connection.execute(UNTIL_ONE_WAITS)


@asynccontextmanager
async def template_database(owner_url: str) -> AsyncIterator[str]:
    """An empty database with the store's migrations applied, to copy from while the block runs."""
    async with _copied(owner_url, "template1", "spina_template") as name:
        await migrate(with_database(owner_url, name))
        yield name


@asynccontextmanager
async def app_login(owner_url: str) -> AsyncIterator[str]:
    """A login of the session's own with the app's rights, so that no password of a given server is changed."""
    role, password = f"spina_test_{token_hex(8)}", token_urlsafe(24)
    async with _connected(owner_url) as owner:
        if not await owner.fetchval("SELECT EXISTS (SELECT FROM pg_roles WHERE rolname = $1)", APP_ROLE):
            await owner.execute(f"CREATE ROLE {APP_ROLE} LOGIN")
        await owner.execute(f"CREATE ROLE {role} LOGIN IN ROLE {APP_ROLE} PASSWORD '{scram_verifier(password)}'")
    try:
        yield with_login(owner_url, user=role, password=password)
    finally:
        async with _connected(owner_url) as owner:
            await owner.execute(f"DROP ROLE {role}")


async def quicken_logins(urls: ServerUrls) -> None:
    """Let a login take one round of hashing: a test has six logins."""
    async with _connected(urls.owner_url) as owner:
        await owner.execute("SET scram_iterations = 1")
        for login in (urlsplit(urls.owner_url), urlsplit(urls.database_url)):
            await owner.execute(f"ALTER ROLE {login.username} PASSWORD '{unquote(login.password or '')}'")


def with_database(url: str, database: str) -> str:
    return urlunsplit(urlsplit(url)._replace(path=f"/{database}"))


def with_login(url: str, *, user: str, password: str) -> str:
    parts = urlsplit(url)
    place = parts.netloc.rpartition("@")[2]
    return urlunsplit(parts._replace(netloc=f"{quote(user, safe='')}:{quote(password, safe='')}@{place}"))


async def copy_database(owner: asyncpg.Connection, template: str, prefix: str = "spina_test") -> str:
    """Return the name of a new database."""
    name = f"{prefix}_{token_hex(8)}"
    # Copying files beats writing every page to the log: twice as fast for a template this small.
    await owner.execute(f"CREATE DATABASE {name} TEMPLATE {template} STRATEGY file_copy")
    return name


async def drop_database(owner: asyncpg.Connection, name: str) -> None:
    # A test that failed half-way may have left connections behind.
    await owner.execute(f"DROP DATABASE {name} WITH (FORCE)")


def name_database(urls: ServerUrls, name: str) -> Database:
    return Database(owner_url=with_database(urls.owner_url, name), app_url=with_database(urls.database_url, name))


@asynccontextmanager
async def _copied(owner_url: str, template: str, prefix: str) -> AsyncIterator[str]:
    async with _connected(owner_url) as owner:
        name = await copy_database(owner, template, prefix)
    try:
        yield name
    finally:
        async with _connected(owner_url) as owner:
            await drop_database(owner, name)


@asynccontextmanager
async def _connected(url: str) -> AsyncIterator[asyncpg.Connection]:
    connection = await asyncpg.connect(url, timeout=CONNECT_TIMEOUT_S)
    try:
        yield connection
    finally:
        await connection.close(timeout=PATIENCE_S)
