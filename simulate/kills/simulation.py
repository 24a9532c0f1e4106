"""Several servers over one database, killed again and again while players play and readers read."""

import asyncio
import time
from itertools import cycle, islice
from pathlib import Path
from random import Random

from domain.rulesets.released import KITS
from infra.embedded.servers import ServerUrls, embedded_servers
from infra.keys import build_master_key, format_master_key
from simulate.load.journal import Journal
from simulate.load.outcome import Outcome, judge
from simulate.load.players import Pace
from simulate.load.process import Table
from simulate.load.run import Run
from simulate.load.running import loaded, served
from simulate.tournament.own_server import OwnServer

# A server is killed at a random moment of so many seconds after it answered.
LIFE_S_MAX = 2.0
PACES = [Pace(ruleset=kit.reference, think_s=0.05, per_decision_ms=10_000) for kit in KITS]
PAUSE_S = 0.1
# The kills begin once each table has a game, and after them so many games are finished, unless that takes too long.
GAMES_TIMEOUT_S = 120.0


async def simulate_kills(folder: Path, run: Run, *, servers: int, tables: int, seed: int) -> Outcome:
    """Run in a folder of its own. Raises ServerDidNotStart and the client's errors, in a group."""

    async def hurt(server: OwnServer, number: int) -> None:
        """Kill a server and start it again, while kills are left for all servers together."""
        draw = Random(f"{seed} {number}")  # noqa: S311  a seed repeats the moments
        while run.begin_kill():
            await asyncio.sleep(draw.uniform(0, LIFE_S_MAX))
            await server.end("kill")
            await server.start()
            run.end_kill()

    with run.heeding_signals():
        async with embedded_servers(folder / "data") as urls, served(folder, servers, **given_settings(urls)) as at:
            seated = [
                Table(number=number, pace=pace, players=at.urls, reader=at.urls)
                for number, pace in enumerate(islice(cycle(PACES), tables))
            ]
            async with loaded(at, run, seated) as load:
                await until_begun(tables, load.journal, run)
                await asyncio.gather(*(hurt(server, number) for number, server in enumerate(at.servers)))
                await until_begun(len(load.journal.games) + tables, load.journal, run)
                await load.ledger.expect_newest()
            return await judge(at, load, run)


def given_settings(urls: ServerUrls) -> dict[str, str]:
    """Make the master key, and return the settings that all servers share."""
    return {
        "DATABASE_URL": urls.database_url,
        "OWNER_DATABASE_URL": urls.owner_url,
        "REDIS_URL": urls.redis_url,
        "MASTER_KEY": format_master_key(build_master_key()),
        "LOG": "warning",
    }


async def until_begun(games: int, journal: Journal, run: Run) -> None:
    """Return once so many games have begun, or it takes too long, or the run is interrupted."""
    until_s = time.monotonic() + GAMES_TIMEOUT_S
    while len(journal.games) < games:
        if run.is_interrupted or time.monotonic() > until_s:
            return
        await asyncio.sleep(PAUSE_S)
