"""An outage beside a browser and bots: none gives up, no clock runs out, a move pressed meanwhile is sent once.

`--away 30` makes it thirty seconds, `--beside 28` plays twenty-eight games of bots beside the page and the house.
"""

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine
from contextlib import asynccontextmanager
from datetime import datetime
from email.utils import parsedate_to_datetime
from pathlib import Path
from random import Random

import pytest
from playwright.async_api import Browser, Page, expect

from domain.rulesets.chariot_race.kit.kit import KIT as CHARIOT_RACE
from domain.rulesets.charioteer.kit.kit import KIT as CHARIOTEER
from spina_client.bot import Bot, play_seat
from spina_client.challenge import challenge
from spina_client.client import Client, ClockTerms, Terms, register
from spina_client.connection import Connection
from spina_client.ids import GameId
from spina_client.seen import GameSeen
from spina_players.bots.player import read_bot
from spina_players.demonstrations.game import Plan, demonstrate
from tests.services.web.seat.table import SeatTable, laid_table, sit_down
from tests.services.web.watching import wait_for_state
from tests.services.whole.installation import Town, town, visiting

# In the middle of the bots' game.
BEGINS = 20
CLOCK = ClockTerms(per_decision_ms=90_000, bank_ms=60_000)
# For a machine that does much else, after the outage.
PATIENCE_S = 90.0
# The pages' clocks and the server's, as both are shown in whole seconds.
AGREED_S = 2.0
# Between two looks at the clock of a page.
LOOK_S = 0.2

Harm = Callable[[Town, Awaitable[object]], Coroutine[None, None, None]]


async def kill_server(there: Town, away: Awaitable[object]) -> None:
    await there.kill("players")
    await away
    await there.open("players")


async def hold_postgres(there: Town, away: Awaitable[object]) -> None:
    await there.hold_postgres(away)


async def hold_redis(there: Town, away: Awaitable[object]) -> None:
    await there.freeze("valkey-server", away=away)


async def freeze_machine(there: Town, away: Awaitable[object]) -> None:
    await there.freeze("players", "postgres", "valkey-server", away=away)


# Dear ones: the whole installation shows the faults of Redis as well.
LONG_RUN = pytest.mark.skipif("config.getoption('--away') < 30", reason="a long run of `make simulate`")
LONG = [pytest.param(harm, marks=LONG_RUN) for harm in (hold_redis, freeze_machine)]


@pytest.mark.parametrize("harm", [kill_server, hold_postgres, *LONG])
async def test_a_browser_and_bots_outlive_an_outage(
    tmp_path: Path, browser: Browser, request: pytest.FixtureRequest, harm: Harm
) -> None:
    away_s, beside = request.config.getoption("--away"), request.config.getoption("--beside")
    async with town(tmp_path) as there, begun(there, browser) as (server, table, page):
        begins = asyncio.Event()
        games = [asyncio.create_task(play_among_bots(server, begins, seed)) for seed in range(beside)]
        games.append(asyncio.create_task(play_the_house(server)))
        await begins.wait()

        away = asyncio.get_running_loop().create_future()
        outage = asyncio.create_task(harm(there, away))
        await wait_for_loss(page, harm)
        await page.get_by_role("button", name="Seal: ").click()
        asyncio.get_running_loop().call_later(away_s, away.set_result, None)
        await outage

        await wait_for_state(page, "Live")
        await expect(page.locator(".where")).to_contain_text("turn 2", timeout=1_000 * PATIENCE_S)
        clocks = await wait_for_agreement(server, table, page)
        async with asyncio.timeout(PATIENCE_S):
            ended = await asyncio.gather(*games)
        lines = [json.loads(line) async for line in table.rivals[0].client.read_events(table.game)]

    print(f"{away_s} s away: {clocks}, {len(ended)} games beside")  # noqa: T201  the figures of a long run
    assert {game.status for game in ended} == {"finished"}
    own = [line for line in lines if (line["type"], line["by"]) == ("action_sealed", "seat:0")]
    assert len(own) == 1
    assert not [line for line in lines if line["type"] == "clock_expired"]


async def wait_for_agreement(server: Connection, table: SeatTable, page: Page) -> str:
    """Wait until the page shows the clock of the server: the line that gives time back may be on its way to it."""
    async with asyncio.timeout(PATIENCE_S):
        while True:
            before_s = await read_left(server, table)
            shown_s = await read_clock(page)
            after_s = await read_left(server, table)
            if after_s - AGREED_S <= shown_s <= before_s + AGREED_S:
                return f"{shown_s:.0f} s shown of {before_s:.1f} to {after_s:.1f} s"
            await asyncio.sleep(LOOK_S)


@asynccontextmanager
async def begun(there: Town, browser: Browser) -> AsyncIterator[tuple[Connection, SeatTable, Page]]:
    """Sit down with a page at a game against a bot, and choose an action without sending it."""
    url = await there.open("players")
    laying = laid_table(url, CHARIOTEER, options={"laps": 1}, clock=CLOCK)
    async with laying as table, visiting(url):
        page = await browser.new_page()
        await sit_down(page, table)
        await page.get_by_label("Whole moves").select_option(index=1)
        yield table.connection, table, page
        await page.close()


async def wait_for_loss(page: Page, harm: Harm) -> None:
    """Wait until the page knows, where it can: a server without a database keeps its streams."""
    if harm is kill_server:
        await wait_for_state(page, "Connection lost, trying again")


async def play_among_bots(server: Connection, begins: asyncio.Event, seed: int) -> GameSeen:
    plan = Plan(kit=CHARIOTEER, bots=CHARIOTEER.favourites, seats=2)
    numbers = Random(seed)  # noqa: S311  the same whims in every run

    def on_version(version: int) -> None:
        if version >= BEGINS:
            begins.set()

    opened: list[GameId] = []
    await demonstrate(server, plan, numbers=numbers, on_version=on_version, on_opened=opened.append)
    return await Client(server, await register(server, "Reader")).read_game(opened[0])


async def play_the_house(server: Connection) -> GameSeen:
    client = Client(server, await register(server, "Ada"))
    offers = (None, {"kind": "house", "bot": "fast"})
    terms = Terms(ruleset="chariot-race@1", seats=2, options={"rounds_max": 1}, offers=offers)
    # The house may be kept from its seat for as long as the outage lasts.
    at = await challenge(client, terms)
    numbers = Random(7)  # noqa: S311  a game, not a secret
    bot = Bot(choose=read_bot(CHARIOT_RACE, "fast"), numbers=numbers)
    return await play_seat(at, bot)


async def read_clock(page: Page) -> float:
    """Read the seconds that the page shows to its player."""
    text = await page.locator(".limit-line spina-countdown").inner_text(timeout=1_000 * PATIENCE_S)
    minutes, seconds = text.strip().split(":")
    return 60.0 * int(minutes) + int(seconds)


async def read_left(server: Connection, table: SeatTable) -> float:
    """Return the seconds that the server gives the page's seat."""
    async with visiting(server.url) as visitor:
        answer = await visitor.get(f"/v1/games/{table.game}")
    (deadline,) = (each["deadline"] for each in answer.json()["owed"] if each["seat"] == 0)
    return (datetime.fromisoformat(deadline) - parsedate_to_datetime(answer.headers["date"])).total_seconds()
