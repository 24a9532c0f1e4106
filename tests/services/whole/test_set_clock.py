"""A whole server on a machine whose clock is set by an hour while people play: no player loses time by it."""

import asyncio
import re
import sys
import time
from pathlib import Path
from typing import Any

from domain.log.record import parse_at, parse_line
from infra.keys import format_master_key
from simulate.load.checking import read_stored
from simulate.load.journal import Journal
from simulate.load.players import Pace, play_on
from spina_client.client import Client, register
from spina_client.connection import connected
from tests.database import Database
from tests.infra.embedded.conditions import eventually
from tests.services.cli.program import get_health, serving
from tests.services.commands.test_arena import KEY
from tests.services.whole.set_clock import CLOCK_FILE

PROGRAM = (sys.executable, "-m", "tests.services.whole.set_clock")
HOUR_S = 3_600
# Enough that the timekeeper has looked, and stored a heartbeat.
COMMANDS, STEP_S = 10, 1.2
SLACK_MS = 1_000
PACE = Pace(ruleset="chariot-race", think_s=0.01, per_decision_ms=10_000)


def set_clock(file: Path, off_s: int) -> None:
    unfinished = file.with_suffix(".new")
    unfinished.write_text(str(off_s))
    unfinished.replace(file)


async def test_no_player_loses_time_when_the_machines_clock_is_set(tmp_path: Path, database: Database) -> None:
    file, journal = tmp_path / "clock", Journal()
    told: list[Any] = []
    set_clock(file, 0)
    given = {
        "SPINA_DATABASE_URL": database.owner_url,
        "SPINA_MASTER_KEY": format_master_key(KEY),
        CLOCK_FILE: str(file),
    }
    begun_ms = time.time_ns() // 1_000_000
    with serving(tmp_path / "data", program=PROGRAM, **given) as server:
        health = server.until_ready()
        async with connected(health.removesuffix("/v1/health")) as connection:
            playing = asyncio.create_task(play_on(connection, PACE, journal.note))
            for off_s in (HOUR_S, -HOUR_S, 0):
                set_clock(file, off_s)
                await until_played(journal)
                told.append((await asyncio.to_thread(get_health, health))["checks"])
            playing.cancel()
            stored = await read_stored(database.owner_url)
            reader = Client(connection, await register(connection, "Reader"))
            lines = [parse_line(raw) async for raw in reader.read_events(journal.games[0])]

    instants = [parse_at(line.at) for line in lines]
    assert (journal.gave_up, stored.expired) == ([], [])
    assert [re.sub(r"(359.|3600) s", "an hour", sentence["clock"]["found"]) for sentence in told] == [
        "the machine's clock was set: it is an hour ahead of this process; a restart follows it",
        "the machine's clock was set: it is an hour behind this process; a restart follows it",
        "ready",
    ]
    assert instants == sorted(instants)
    assert begun_ms - SLACK_MS <= instants[0] <= instants[-1] <= time.time_ns() // 1_000_000 + SLACK_MS


async def until_played(journal: Journal) -> None:
    """Return after some commands and some seconds."""
    until_s, commands = time.monotonic() + STEP_S, len(journal.acked) + COMMANDS
    await eventually(lambda: time.monotonic() >= until_s and len(journal.acked) >= commands, within_s=60)
