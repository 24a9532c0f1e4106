"""A whole tournament of bots on a server of its own, restarted in the middle: how it went, and its bundle."""

import asyncio
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from random import Random

from msgspec import Struct
from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

from domain.audit.bundle import parse_bundle
from domain.audit.tournament_bundle import TournamentBundle, parse_tournament_bundle
from services.node.accounts import made_by_owner
from services.terminal.plain_console import PlainConsole
from simulate.tournament.own_server import OwnServer, own_server
from simulate.tournament.programme import Programme, Restart
from spina_client.connection import Connection, Request, connected
from spina_client.ids import PlayerId, TournamentId
from spina_client.seen import Account
from spina_client.tournament_seen import TournamentSeen
from spina_players.demonstrations.tournament import demonstrate_tournament

# A checkpoint comes about once a second.
PROOF_LOOKS_MAX = 60
PROOF_PAUSE_S = 0.5
# A result is two lines of the tournament's log: as it was taken, and as it counts.
RESULT_LINES = 2

OnMoved = Callable[[TournamentSeen], None]


class Rehearsal(Struct, frozen=True, kw_only=True):
    """How it went. `away_s` is how long the server was away, `played_s` everything from the opening to the end."""

    bundle: bytes
    played_s: float
    away_s: float


async def rehearse(programme: Programme, folder: Path, *, seed: int, on_moved: OnMoved) -> Rehearsal:
    """Play it over a folder of its own, which may be thrown away afterwards.

    Raises the client's errors and ServerDidNotStart, in a group.
    """
    async with own_server(folder) as server:
        made = await made_by_owner(server.settings, name="Rehearsal", role="organiser", by="spina simulate")
        organiser = Account(id=PlayerId(made.id), name=made.name, token=made.token)
        begun_s, restarter = time.monotonic(), _Restarter(server, programme.restart)

        def on_each(seen: TournamentSeen) -> None:
            restarter.look(seen)
            on_moved(seen)

        async with connected(server.url) as connection, asyncio.TaskGroup() as together:
            together.create_task(restarter.run())
            shown = await demonstrate_tournament(
                connection,
                organiser,
                programme.plan,
                numbers=Random(seed),  # noqa: S311  the bots' whims, which a seed repeats
                on_moved=on_each,
            )
            played_s = time.monotonic() - begun_s
            bundle = await _fetch_proven(connection, shown.tournament.id)
        return Rehearsal(bundle=bundle, played_s=played_s, away_s=restarter.away_s)


async def rehearse_shown(programme: Programme, *, seed: int) -> Rehearsal:
    """Rehearse in a folder that goes away, with progress shown; raises the first error."""
    columns = SpinnerColumn(), TextColumn("{task.description}"), TimeElapsedColumn()
    with Progress(*columns, console=PlainConsole(stderr=True), transient=True) as progress:
        bar = progress.add_task("starting a server", total=None)

        def on_moved(seen: TournamentSeen) -> None:
            told = f"{seen.entries} entrants, round {seen.round} {seen.round_status or ''}, {seen.version} events"
            progress.update(bar, description=told)

        with tempfile.TemporaryDirectory(prefix="spina-rehearsal-") as folder:
            try:
                return await rehearse(programme, Path(folder), seed=seed, on_moved=on_moved)
            except ExceptionGroup as failed:
                raise find_first(failed) from None


class _Restarter:
    """Restarts the server once, in the middle of the given round."""

    def __init__(self, server: OwnServer, restart: Restart) -> None:
        self._server = server
        self._restart = restart
        self._drawn_version: int | None = None
        self._is_time = asyncio.Event()
        self.away_s = 0.0

    def look(self, seen: TournamentSeen) -> None:
        if seen.round != self._restart.round or seen.round_status != "playing":
            return
        if self._drawn_version is None:
            self._drawn_version = seen.version
        if seen.version >= self._drawn_version + RESULT_LINES * self._restart.results:
            self._is_time.set()

    async def run(self) -> None:
        await self._is_time.wait()
        begun_s = time.monotonic()
        await self._server.end(self._restart.how)
        await self._server.start()
        self.away_s = time.monotonic() - begun_s


async def _fetch_proven(connection: Connection, tournament: TournamentId) -> bytes:
    """Wait for the checkpoint over the last lines of the tournament and of every game."""
    path = f"/v1/tournaments/{tournament}/bundle"
    for _ in range(PROOF_LOOKS_MAX):
        raw = await connection.send(Request(method="GET", path=path, token=None, is_of_file=True))
        if _is_proven(parse_tournament_bundle(raw)):
            return raw
        await asyncio.sleep(PROOF_PAUSE_S)
    return raw


def _is_proven(bundle: TournamentBundle) -> bool:
    proofs = (parse_bundle(game.raw).last_proof for game in bundle.games)
    return bundle.last_proof is not None and None not in proofs


def find_first(failed: ExceptionGroup[Exception]) -> Exception:
    """Find the first error of a group, and of the groups in it."""
    first = failed.exceptions[0]
    return find_first(first) if isinstance(first, ExceptionGroup) else first
