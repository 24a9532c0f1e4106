"""The cost of a spectator: the bytes of a whole game, live or scrubbed through, and the memory of a tab after it."""

from typing import Any

import pytest
from playwright.async_api import Browser, CDPSession, Page, expect

from domain.rulesets.charioteer.kit.kit import KIT as CHARIOTEER_KIT
from tests.services.web.game_server import CHARIOTEER, Stage
from tests.services.web.seat.table import laid_table, sit_down
from tests.services.web.watching import WAIT_MS, open_game, wait_for_version

KB = 1000
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

        await expect(page.get_by_label("Whole moves")).to_be_visible(timeout=WAIT_MS)
        assert 0 < received.bytes < SEAT_MAX


@pytest.mark.parametrize("stage", [(CHARIOTEER, FIRST)], indirect=True)
async def test_a_spectator_of_a_whole_live_game_is_sent_each_event_once(stage: Stage, page: Page) -> None:
    received = Received()
    await received.watch(page)
    await open_game(page, stage.url)
    opened = received.bytes

    await wait_for_version(page, await stage.play())

    assert 0 < received.bytes - opened < SCRUBBED_MAX
