"""The cost of a spectator: the bytes of a whole game, live or scrubbed through, and the memory of a tab after it."""

import re
from typing import Any
from urllib.parse import urljoin, urlsplit

import pytest
from playwright.async_api import Browser, CDPSession, Page

from domain.rulesets.charioteer.kit.kit import KIT as CHARIOTEER_KIT
from infra.settings import Settings
from services.api.http.costs import COSTS, FILES_PATH, find_cost
from services.api.http.rates import NETWORK_BURST, NETWORK_FACTOR
from tests.services.api.test_prices import ROUTES
from tests.services.web.game_server import CHARIOT_RACE, CHARIOTEER, CHARIOTMASTER, Stage
from tests.services.web.seat.table import laid_table, sit_down
from tests.services.web.watching import WAIT_MS, open_game, wait_for_version

KB = 1000
# Phones that open one page at the same time, as when a round is called.
HALL, HALL_S_MAX = 100, 10
RATE_PER_S = Settings().rate_per_s
# A game of some 430 events has 160 kB of log; scripts, styles and one board are about as much again.
OPENED_MAX = 700 * KB
# The page of a game with its seat, the words and schemas of every ruleset, and the first board with all its choices.
SEAT_MAX = 500 * KB
# Every board of it as patches, and the log once more: a twentieth of the size of whole boards.
SCRUBBED_MAX = 900 * KB
# Boards share their unchanged parts.
HEAP_MAX = 40 * KB * KB
# The first line of the game is there, everything else is followed.
FIRST = 60
SCRUB = """
async (last) => {
  const game = document.querySelector("spina-game");
  for (let version = 1; version <= last; version += 1) {
    game.playhead.seek(version);
    await game.settled(version);
  }
}
"""
# Every version in one task, in which no frame is drawn.
PASS = """
(last) => {
  const { playhead } = document.querySelector("spina-game");
  for (let version = 1; version <= last; version += 1) playhead.seek(version);
}
"""
# Some frames before and after; each of the versions took one or two before.
LAYOUTS_MAX = 20
# Versions that are gone through; their boards are here.
KNOWN = 120


class Received:
    """Bytes from the network, as they were sent."""

    def __init__(self) -> None:
        self.bytes = 0

    async def watch(self, page: Page) -> CDPSession:
        session = await page.context.new_cdp_session(page)
        session.on("Network.dataReceived", self._count)
        await session.send("Network.enable")
        return session

    def _count(self, told: dict[str, Any]) -> None:
        self.bytes += int(told["encodedDataLength"])


class Spent:
    """The units of processor time that a page's requests cost its network."""

    def __init__(self, page: Page) -> None:
        self.units = 0.0
        page.on("request", lambda request: self._count(request.method, urlsplit(request.url).path))

    def _count(self, method: str, path: str) -> None:
        handlers = (handler for name, (_, _, handler) in ROUTES.items() if _fits(name, f"{method} {path}"))
        self.units += COSTS["read_web_file"] if path.startswith(FILES_PATH) else find_cost(next(handlers, None))

    @property
    def hall_s(self) -> float:
        """How long the network of a whole hall takes to pay for as many pages at its pace."""
        pace = NETWORK_FACTOR * RATE_PER_S
        return (HALL * self.units - NETWORK_BURST) / pace


def _fits(route: str, asked: str) -> bool:
    return re.fullmatch(re.sub(r"\{[^}]+\}", "[^/]+", route), asked) is not None


@pytest.mark.parametrize("path", ["", "/", "/tournaments"])
async def test_a_hall_of_phones_behind_one_address_has_its_pages_within_ten_seconds(
    stage: Stage, page: Page, path: str
) -> None:
    spent = Spent(page)

    await page.goto(urljoin(stage.url, path), wait_until="networkidle")

    assert spent.units > 1
    assert spent.hall_s < HALL_S_MAX, f"{spent.units:.1f} units of a page"


async def test_a_replay_is_scrubbed_through_for_less_than_a_megabyte(stage: Stage, page: Page) -> None:
    received = Received()
    session = await received.watch(page)
    await open_game(page, stage.url)
    opened = received.bytes

    await page.evaluate(SCRUB, stage.version)
    await session.send("HeapProfiler.collectGarbage")
    heap = await session.send("Runtime.getHeapUsage")

    assert 0 < opened < OPENED_MAX
    assert 0 < received.bytes - opened < SCRUBBED_MAX
    assert heap["usedSize"] < HEAP_MAX


async def test_a_seat_opens_with_half_a_megabyte(served: str, browser: Browser) -> None:
    context = await browser.new_context()
    first, page = await context.new_page(), await context.new_page()
    received = Received()
    session = await received.watch(page)
    await session.send("Network.setCacheDisabled", {"cacheDisabled": True})
    async with laid_table(served, CHARIOTEER_KIT) as table:
        await sit_down(first, table)
        await first.close()

        await page.goto(table.url)

        await page.get_by_label("Whole moves").wait_for(timeout=WAIT_MS)
        assert 0 < received.bytes < SEAT_MAX


@pytest.mark.parametrize("stage", [CHARIOTEER, CHARIOT_RACE, CHARIOTMASTER], indirect=True)
async def test_the_page_is_laid_out_once_a_frame_not_once_a_version(stage: Stage, page: Page) -> None:
    await open_game(page, stage.url)
    await page.evaluate(SCRUB, KNOWN)
    session = await page.context.new_cdp_session(page)
    await session.send("Performance.enable")
    before = await count_layouts(session)

    await page.evaluate(PASS, KNOWN)

    assert await count_layouts(session) - before < LAYOUTS_MAX


async def count_layouts(session: CDPSession) -> int:
    metrics = (await session.send("Performance.getMetrics"))["metrics"]
    return next(int(metric["value"]) for metric in metrics if metric["name"] == "LayoutCount")


@pytest.mark.parametrize("stage", [(CHARIOTEER, FIRST)], indirect=True)
async def test_a_spectator_of_a_whole_live_game_is_sent_each_event_once(stage: Stage, page: Page) -> None:
    received = Received()
    await received.watch(page)
    await open_game(page, stage.url)
    opened = received.bytes

    await wait_for_version(page, await stage.play())

    assert 0 < received.bytes - opened < SCRUBBED_MAX
