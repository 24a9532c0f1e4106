"""One data folder and who holds it: at most one supervisor at a time, and no server left from an earlier one."""

import asyncio
import fcntl
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from msgspec import Struct

# A server asked to stop by its supervisor's death writes a checkpoint first; on a slow disk that takes seconds.
LEFTOVERS_TIMEOUT_S = 20.0
POLL_S = 0.02
SERVER_PROGRAMS = {"initdb", "postgres", "valkey-server"}


class FolderInUse(Exception):
    """Another supervisor runs the servers of this folder."""

    def __init__(self, folder: Path, holder_pid: int | None) -> None:
        self.folder = folder
        self.holder_pid = holder_pid
        holder = "an unknown process" if holder_pid is None else f"process {holder_pid}"
        super().__init__(
            f"expected to be the only one to run servers in {folder}, found {holder} doing so; "
            f"stop it or take another folder"
        )


class ServersLeftRunning(Exception):
    """Servers of an earlier supervisor, which is gone, do not end."""

    def __init__(self, folder: Path, pids: tuple[int, ...], *, waited_s: float) -> None:
        self.folder = folder
        self.pids = pids
        super().__init__(
            f"expected no server in {folder}, found processes {', '.join(map(str, pids))} of an earlier run "
            f"still there after {waited_s:.0f} s; stop them and start again"
        )


class DataFolder(Struct, frozen=True, kw_only=True):
    """The names inside a data folder."""

    path: Path

    @property
    def credentials(self) -> Path:
        return self.path / "credentials.json"

    @property
    def postgres(self) -> Path:
        return self.path / "postgres"

    @property
    def unfinished_postgres(self) -> Path:
        return self.path / "postgres.new"

    @property
    def valkey(self) -> Path:
        return self.path / "valkey"

    @property
    def postgres_log(self) -> Path:
        return self.path / "logs" / "postgres.log"

    @property
    def valkey_log(self) -> Path:
        return self.path / "logs" / "valkey.log"


@contextmanager
def hold(path: Path) -> Iterator[DataFolder]:
    """Make the folder and be its only supervisor. The kernel frees it however this process ends. Raises FolderInUse."""
    path.mkdir(mode=0o700, parents=True, exist_ok=True)
    # Children are started with every descriptor closed, so none of them can keep the lock.
    with (path / "lock").open("a+") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise FolderInUse(path, _read_pid(path / "lock")) from None
        lock.truncate(0)
        lock.write(f"{os.getpid()}\n")
        lock.flush()
        folder = DataFolder(path=path.resolve())
        folder.postgres_log.parent.mkdir(mode=0o700, exist_ok=True)
        yield folder


def is_held(path: Path) -> bool:
    """Return whether the folder has a supervisor now."""
    try:
        with (path / "lock").open() as lock:
            fcntl.flock(lock, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    except OSError:
        return False  # no such folder: it never had one
    return False


def find_holder(path: Path) -> int | None:
    """Find the process that is the folder's supervisor now, if there is one."""
    return _read_pid(path / "lock") if is_held(path) else None


async def wait_until_free(folder: DataFolder, timeout_s: float = LEFTOVERS_TIMEOUT_S) -> None:
    """Wait for servers whose supervisor was killed: they are asked to stop, but need a moment.

    Raises ServersLeftRunning when the moment is over.
    """
    deadline = time.monotonic() + timeout_s
    while pids := find_servers(folder):
        if time.monotonic() > deadline:
            raise ServersLeftRunning(folder.path, pids, waited_s=timeout_s)
        await asyncio.sleep(POLL_S)


def find_servers(folder: DataFolder) -> tuple[int, ...]:
    """List the processes that serve from this folder. Without /proc none are seen; PostgreSQL's lock file decides."""
    inside = {str(folder.postgres), str(folder.unfinished_postgres), str(folder.valkey)}
    return tuple(
        int(process.name)
        for process in Path("/proc").glob("[0-9]*")
        if (command := _read_command(process)) and Path(command[0]).name in SERVER_PROGRAMS and inside & {*command}
    )


def forget_stale_pid(folder: DataFolder) -> None:
    """Remove a dead server's postmaster.pid: if its number is another process's by now, PostgreSQL would not start.

    Typical for a container, where every start counts its processes from 1 again. Call only when `wait_until_free` has
    returned. PostgreSQL has a second guard, on its shared memory, against a mistake here.
    """
    if Path("/proc/self").exists():
        (folder.postgres / "postmaster.pid").unlink(missing_ok=True)


def _read_command(process: Path) -> list[str]:
    try:
        return (process / "cmdline").read_bytes().decode(errors="replace").split("\0")[:-1]
    except OSError:
        return []  # it ended while we looked


def _read_pid(lock: Path) -> int | None:
    text = lock.read_text().strip()
    return int(text) if text.isdecimal() else None
