"""One database machine of the simulated cluster: Patroni and its Postgres, killed, frozen and started as one."""

import os
import sys
from asyncio.subprocess import Process
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from signal import SIGCONT, SIGKILL, SIGSTOP, SIGTERM, Signals

from msgspec import Struct

from infra.embedded.account import Account, give
from infra.embedded.binaries import find_binaries
from infra.embedded.program import launch

EXAMPLE = Path(__file__).parents[2] / "infra" / "deploy" / "patroni" / "patroni.yaml"
# Made by `make cluster`.
ENVIRONMENT = Path(sys.prefix) / "cluster"
PROC = Path("/proc")
# Little room for WAL, and no sockets, whose paths have a limit of about a hundred bytes.
SMALL = """max_slot_wal_keep_size: 512MB
        max_wal_size: 128MB
        min_wal_size: 32MB
        unix_socket_directories: ''"""


class NodePlace(Struct, frozen=True, kw_only=True):
    """Where a node is: its folder, whose name is its own, its ports, and the port of etcd."""

    folder: Path
    postgres_port: int
    rest_port: int
    etcd_port: int

    @property
    def name(self) -> str:
        return self.folder.name

    @property
    def log(self) -> Path:
        return self.folder.with_suffix(".log")

    @property
    def data(self) -> Path:
        return self.folder / "data"

    def configure(self, passwords: dict[str, str]) -> str:
        """Return the shipped example with the addresses, folders and passwords of this node."""
        changes = {
            "name: db1": f"name: {self.name}",
            "10.0.0.1:8008": f"127.0.0.1:{self.rest_port}",
            "10.0.0.1:5432": f"127.0.0.1:{self.postgres_port}",
            "[10.0.0.1:2379, 10.0.0.2:2379, 10.0.0.3:2379]": f"[127.0.0.1:{self.etcd_port}]",
            "10.0.0.0/24": "127.0.0.1/32",
            "/var/lib/postgresql/18/spina": str(self.data),
            "/var/lib/postgresql/18/pgpass": str(self.folder / "pgpass"),
            "/usr/lib/postgresql/18/bin": str(find_binaries().postgres.parent),
            # No such device here.
            "mode: automatic": "mode: off",
            "max_slot_wal_keep_size: 10GB": SMALL,
            **passwords,
        }
        text = EXAMPLE.read_text()
        for before, after in changes.items():
            assert before in text, f"{before} stands in {EXAMPLE}"
            text = text.replace(before, after)
        return text


class DatabaseNode:
    """The processes of one node, known by their folder."""

    def __init__(self, place: NodePlace, account: Account, passwords: dict[str, str]) -> None:
        self.place = place
        self._account = account
        self._process: Process | None = None
        place.folder.mkdir(mode=0o700)
        (place.folder / "patroni.yaml").write_text(place.configure(passwords))
        give(place.folder, account)

    async def start(self) -> None:
        command = (str(ENVIRONMENT / "bin" / "patroni"), str(self.place.folder / "patroni.yaml"))
        self._process = await launch(command, account=self._account, death_signal=SIGTERM, log=self.place.log)

    def freeze(self) -> None:
        """Stop all processes, as a paused virtual machine does: the connections stay open, and silent."""
        self._signal_all(SIGSTOP)

    def thaw(self) -> None:
        self._signal_all(SIGCONT)

    async def kill(self) -> None:
        """Kill all processes at one moment."""
        self.freeze()
        self._signal_all(SIGKILL)
        if self._process is not None:
            await self._process.wait()

    async def kill_patroni(self) -> None:
        """Kill Patroni alone: its Postgres takes on writes, which no replica confirms once another node is primary."""
        assert self._process is not None, "the node was started"
        self._process.kill()
        await self._process.wait()

    def kill_postgres(self) -> None:
        """Kill Postgres alone; Patroni finds it dead."""
        for signal in (SIGSTOP, SIGKILL):
            for pid in self._list_servers():
                _send(pid, signal)

    def _signal_all(self, signal: Signals) -> None:
        reached: set[int] = set()
        # A process that was forked meanwhile gets the signal in the next round.
        while found := {*self._list_servers(), *self._list_patroni()} - reached:
            for pid in found:
                _send(pid, signal)
            reached |= found

    def _list_patroni(self) -> Iterator[int]:
        if self._process is not None and self._process.returncode is None:
            yield self._process.pid

    def _list_servers(self) -> Iterator[int]:
        """List the postmaster and its children: all of them work in the folder of the data."""
        for process in PROC.glob("[0-9]*"):
            with suppress(OSError):
                if (process / "cwd").readlink() == self.place.data:
                    yield int(process.name)


def _send(pid: int, signal: Signals) -> None:
    with suppress(ProcessLookupError):
        os.kill(pid, signal)
