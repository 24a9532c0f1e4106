"""One attack against a server of its own, beside honest players."""

import asyncio
import os
import sys
import tempfile
from asyncio.subprocess import DEVNULL, PIPE
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

import msgspec
from msgspec import Struct

from infra.embedded.credentials import choose_port
from infra.embedded.servers import find_server_urls
from services.node.accounts import made_by_owner
from simulate.attack.company import ENTRANTS, PACE, Noticed, check_in, enter_cup, watch
from simulate.attack.wire import Target
from simulate.load.checking import read_stored
from simulate.load.journal import Journal
from simulate.load.players import play_on
from simulate.tournament.own_server import own_server
from spina_client.connection import connected
from spina_client.ids import PlayerId
from spina_client.seen import Account

# The attack without attackers, to compare with.
NONE = "none"
# An attack costs honest players no more than a busy evening does, and the server no more than its smallest machine has.
P99_TIMES_MAX = 3.0
MEMORY_MB_MAX = 200
COLUMNS = "{:<20} {:>2} {:<5} {:>8} {:>7} {:>7} {:>7} {:>10} {:>9} {:>6}  {}"
HEADER = COLUMNS.format(
    *("attack", "x", "proxy", "commands", "p99 ms", "expired", "gave up", "checked in", "health", "MB", "")
)
RATE_PER_S = "50"
CADDYFILE = Path(__file__).parents[2] / "infra" / "deploy" / "Caddyfile"
# The attack is at its full strength by then, and goes on for longer than the check-in.
CALL_AFTER_S = 2.0
# Its first look at the server's health included.
CADDY_START_S = 3.0


class CaddyDidNotStart(Exception):
    """Caddy ended before the attack began."""


class AttackDidNotBegin(Exception):
    """The server refused the attackers from the first request on: nothing was attacked."""


class Row(Struct, frozen=True, kw_only=True):
    """One attack, and what the honest players noticed of it."""

    attack: str
    strength: int
    has_proxy: bool
    commands: int
    p99_ms: float
    expired: int
    gave_up: int
    checked_in: int
    health: str
    memory_mb: int

    def format(self, faults: Sequence[str]) -> str:
        """Return the row of the table under `HEADER`."""
        people = (self.expired, self.gave_up, f"{self.checked_in} of {ENTRANTS}")
        said = "fails: " + ", ".join(faults) if faults else "holds"
        proxy = "yes" if self.has_proxy else "no"
        numbers = (self.commands, f"{self.p99_ms:.0f}", *people, self.health, self.memory_mb)
        return COLUMNS.format(self.attack, self.strength, proxy, *numbers, said)

    @property
    def losses(self) -> list[str]:
        """List what honest players lost."""
        lost = {"clocks expired": self.expired, "players gave up": self.gave_up}
        missing = {"entrants were not checked in": ENTRANTS - self.checked_in}
        return [f"{count} {name}" for name, count in (lost | missing).items() if count]


def list_faults(row: Row, quiet: Row) -> list[str]:
    """List the limits that an attack broke, beside the same server without attackers."""
    times = row.p99_ms / quiet.p99_ms
    slow = [f"p99 {times:.1f} times the quiet one"] if times > P99_TIMES_MAX else []
    large = [f"more than {MEMORY_MB_MAX} MB"] if row.memory_mb > MEMORY_MB_MAX else []
    return [*row.losses, *slow, *large]


async def run(name: str, strength: int, seconds: float, *, caddy: str | None = None) -> Row:
    """Run one attack against a fresh server, behind a Caddy where its program is named."""
    noticed, journal = Noticed(), Journal()
    with tempfile.TemporaryDirectory(prefix="spina-attack-") as folder:
        async with (
            own_server(Path(folder), RATE_PER_S=RATE_PER_S, PROXIES="127.0.0.1" if caddy else "") as server,
            reached(server.url, caddy, Path(folder)) as url,
            connected(url) as connection,
        ):
            made = await made_by_owner(server.settings, name="Organiser", role="organiser", by="spina simulate")
            organiser = Account(id=PlayerId(made.id), name=made.name, token=made.token)
            cup, entrants = await enter_cup(connection, organiser)
            working = [
                asyncio.create_task(play_on(connection, PACE, journal.note)),
                asyncio.create_task(watch(url, server.pid, noticed)),
            ]
            await journal.wait_for_command(0.0)
            host, _, port = url.removeprefix("http://").rpartition(":")
            target = Target(
                host=host,
                port=int(port),
                game=journal.games[0],
                tournament=cup.tournament,
                player=entrants[0].client.account.id,
                strength=strength,
                seconds=seconds,
            )
            async with attacked(name, target):
                await asyncio.sleep(CALL_AFTER_S)
                await asyncio.gather(check_in(cup, entrants, noticed), asyncio.sleep(seconds - CALL_AFTER_S))
            for task in working:
                task.cancel()
            await asyncio.wait(working)
            servers = find_server_urls(Path(folder))
            assert servers is not None, "the server runs them"
            expired = (await read_stored(servers.owner_url)).expired
    took_ms = sorted(command.took_s * 1000 for command in journal.acked)
    return Row(
        attack=name,
        strength=strength,
        has_proxy=caddy is not None,
        commands=len(took_ms),
        p99_ms=took_ms[int(len(took_ms) * 0.99)],
        expired=len(expired),
        gave_up=len(journal.gave_up),
        checked_in=noticed.checked_in,
        health=f"{noticed.health_asked - noticed.health_failed}/{noticed.health_asked}",
        memory_mb=noticed.memory_bytes // 1024**2,
    )


@asynccontextmanager
async def reached(url: str, caddy: str | None, folder: Path) -> AsyncIterator[str]:
    """Yield the server's address, or that of a Caddy in front of it with the project's own Caddyfile."""
    if caddy is None:
        yield url
        return
    port, config, log = choose_port(), folder / "Caddyfile", folder / "caddy.log"
    text = CADDYFILE.read_text().replace("spina-1:8000 spina-2:8000", url.removeprefix("http://"))
    config.write_text(text.replace("{$SPINA_SITE::8080}", f":{port}"))
    own = {**os.environ, "HOME": str(folder), "XDG_DATA_HOME": str(folder), "XDG_CONFIG_HOME": str(folder)}
    with log.open("wb") as told:
        process = await asyncio.create_subprocess_exec(
            *(caddy, "run", "--config", str(config), "--adapter", "caddyfile"), env=own, stdout=DEVNULL, stderr=told
        )
    try:
        await asyncio.sleep(CADDY_START_S)
        if process.returncode is not None:
            last = log.read_text(errors="replace").strip().rpartition("\n")[2]
            raise CaddyDidNotStart(f"expected a Caddy that serves, found one that ended: {last}")
        yield f"http://127.0.0.1:{port}"
    finally:
        if process.returncode is None:
            process.kill()
        await process.wait()


@asynccontextmanager
async def attacked(name: str, target: object) -> AsyncIterator[None]:
    """Run an attack in a process of its own for the time of the block."""
    if name == "none":
        yield
        return
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "simulate.attack.strangers", name), stdin=PIPE, stdout=PIPE
    )
    assert process.stdin is not None, "asked for above"
    assert process.stdout is not None, "asked for above"
    try:
        process.stdin.write(msgspec.json.encode(target))
        process.stdin.write_eof()
        if not await process.stdout.readline():
            raise AttackDidNotBegin(f"expected the attack {name} to begin, found one that ended: its log is above")
        yield
        # It ends early where the server gives it no account.
        if process.returncode:
            raise AttackDidNotBegin(f"expected the attack {name} to go on, found one that ended: its log is above")
    finally:
        if process.returncode is None:
            process.kill()
        await process.wait()
