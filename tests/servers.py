"""One pair of servers for a whole test session, started when the first test asks, wherever that test runs.

The process that owns the session listens on a socket in a private folder; tests, in it or in its workers, ask there.
"""

import asyncio
import os
import shutil
import socket
import tempfile
import threading
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from enum import StrEnum
from pathlib import Path

import msgspec
from msgspec import Struct

from infra.embedded.folder import DataFolder, FolderInUse, find_servers, hold
from infra.embedded.servers import ServerUrls, embedded_servers
from tests.database import app_login, quicken_logins, template_database

FOLDER_PREFIX = "spina-tests-"
DATA = "data"
MEMORY = Path("/dev/shm")  # noqa: S108  a private folder is made in it
# The test databases with their log fit four times over. In memory a database is copied in 10 ms, on a disk in 100.
MEMORY_FREE_MIN = 4 * 1024**3
# Pulling images over a slow line is the longest; embedded servers take about a second.
ANSWER_TIMEOUT_S = 300.0
STOP_TIMEOUT_S = 60.0
ANSWER_SIZE_MAX = 64 * 1024


class Servers(StrEnum):
    EMBEDDED = "embedded"
    CONTAINERS = "containers"


class ServersForTests(Struct, frozen=True, kw_only=True, tag="ready"):
    """State shared by every test of a session."""

    urls: ServerUrls
    template: str


class NoServers(Struct, frozen=True, kw_only=True, tag="failed"):
    reason: str


ANSWER: msgspec.json.Decoder[ServersForTests | NoServers] = msgspec.json.Decoder(ServersForTests | NoServers)


class ServersUnavailable(Exception):
    """The session's servers could not be started; every test that needs them fails with the same reason."""


def request_servers(address: Path) -> ServersForTests:
    """Ask the session's owner, which starts them at the first request. Raises ServersUnavailable."""
    with socket.socket(socket.AF_UNIX) as connection:
        connection.settimeout(ANSWER_TIMEOUT_S)
        connection.connect(str(address))
        with connection.makefile("rb") as answer:
            found = ANSWER.decode(answer.read(ANSWER_SIZE_MAX))
    if isinstance(found, NoServers):
        raise ServersUnavailable(found.reason)
    return found


@contextmanager
def serve(choice: Servers) -> Iterator[Path]:
    """Answer requests at the yielded address. Afterwards the servers have ended and their data is gone.

    The servers end with this process, however it ends; the folder of one that was killed goes with the next session.
    """
    _sweep()
    folder = Path(tempfile.mkdtemp(prefix=FOLDER_PREFIX, dir=temporary_place()))
    owner = Owner(choice, folder)
    # The servers count the thread that starts them as their parent, so it is one that lasts as long as they may.
    thread = threading.Thread(target=owner.run, name="servers for tests")
    with hold(folder):
        thread.start()
        try:
            owner.listening.wait(STOP_TIMEOUT_S)
            yield owner.address
        finally:
            owner.close()
            thread.join(STOP_TIMEOUT_S)
            shutil.rmtree(folder, ignore_errors=True)


class Owner:
    """Runs in a thread of its own: waits for the first request, then keeps the servers until closed."""

    def __init__(self, choice: Servers, folder: Path) -> None:
        self.address = folder / "socket"
        self.listening = threading.Event()
        self._choice = choice
        self._folder = folder
        self._loop = asyncio.new_event_loop()
        self._wanted = asyncio.Event()
        self._closed = asyncio.Event()

    def run(self) -> None:
        with asyncio.Runner(loop_factory=lambda: self._loop) as runner:
            runner.run(self._serve())

    def close(self) -> None:
        self._loop.call_soon_threadsafe(self._closed.set)
        self._loop.call_soon_threadsafe(self._wanted.set)

    async def _serve(self) -> None:
        answer: asyncio.Future[bytes] = self._loop.create_future()

        async def on_request(_reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            self._wanted.set()
            writer.write(await answer)
            writer.close()
            with suppress(ConnectionError):
                await writer.wait_closed()

        async with await asyncio.start_unix_server(on_request, str(self.address)):
            self.listening.set()
            await self._wanted.wait()
            if not self._closed.is_set():
                await self._keep_servers(answer)

    async def _keep_servers(self, answer: asyncio.Future[bytes]) -> None:
        try:
            async with _servers(self._choice, self._folder) as urls, template_database(urls.owner_url) as template:
                answer.set_result(msgspec.json.encode(ServersForTests(urls=urls, template=template)))
                await self._closed.wait()
        except Exception as error:
            # The error belongs in the report of the tests that asked, not in a thread's last words.
            if answer.done():
                raise
            answer.set_result(msgspec.json.encode(NoServers(reason=f"{type(error).__name__}: {error}")))
            await self._closed.wait()


@asynccontextmanager
async def _servers(choice: Servers, folder: Path) -> AsyncIterator[ServerUrls]:
    """Prefer given servers, then the choice of the run."""
    database_url, redis_url = os.environ.get("SPINA_DATABASE_URL"), os.environ.get("SPINA_REDIS_URL")
    if database_url and redis_url:
        async with app_login(database_url) as app_url:
            yield ServerUrls(database_url=app_url, owner_url=database_url, redis_url=redis_url)
    elif database_url or redis_url:
        raise ServersUnavailable("expected both or none of SPINA_DATABASE_URL and SPINA_REDIS_URL, found one")
    elif choice is Servers.CONTAINERS:
        # Half a second of imports for an option that is seldom used.
        from tests.containers import containers  # noqa: PLC0415  see above

        with containers() as started:
            async with app_login(started.owner_url) as app_url:
                yield ServerUrls(database_url=app_url, owner_url=started.owner_url, redis_url=started.redis_url)
    else:
        async with embedded_servers(folder / DATA) as urls:
            await quicken_logins(urls)
            yield urls


def temporary_place() -> Path:
    """Find where test data are written fastest: in memory, where there is room and programs may be run."""
    if "TMPDIR" in os.environ:
        return Path(os.environ["TMPDIR"])
    if MEMORY.is_dir() and os.access(MEMORY, os.W_OK):
        found = os.statvfs(MEMORY)
        if found.f_bavail * found.f_frsize >= MEMORY_FREE_MIN and not found.f_flag & os.ST_NOEXEC:
            return MEMORY
    return Path(tempfile.gettempdir())


def _sweep() -> None:
    """Remove the folders of sessions that were killed; a living one holds its own."""
    for folder in temporary_place().glob(f"{FOLDER_PREFIX}*"):
        # One without a lock is just being made. Another user's cannot be looked into, and is not ours to remove.
        with suppress(FolderInUse, OSError):
            if (folder / "lock").exists():
                with hold(folder):
                    _remove(folder)


def _remove(folder: Path) -> None:
    """Leave it to a later session while servers still write there; the lock goes last, or none would look again."""
    data = folder / DATA
    if not find_servers(DataFolder(path=data)):
        shutil.rmtree(data, ignore_errors=not data.exists())
        shutil.rmtree(folder)
