"""The seat of a player who stays away is driven by a house bot; a pause and the end of a game by consent."""

from collections.abc import AsyncIterator

import pytest
import pytest_asyncio
from playwright.async_api import Page, expect

from domain.rulesets.charioteer.kit.kit import KIT as CHARIOTEER
from services.node.steady_clock import read_clock_ms
from spina_client.client import ClockTerms, StandIn
from spina_client.seat import SeatAt
from tests.database import Database
from tests.infra.embedded.conditions import eventually
from tests.services.listening import listening
from tests.services.web.axe import find_serious
from tests.services.web.seat.table import laid_table, sit_down
from tests.services.web.watching import WAIT_MS

# No longer than a timekeeper may be away without giving it back.
BRIEF = ClockTerms(per_decision_ms=2_000, bank_ms=0)
# The race lasts longer than the test.
RIVAL_THINKS_S = 0.8


@pytest.fixture
def times() -> list[int]:
    """Return the instants of the server's clock, which stands at the last one."""
    return [read_clock_ms()]


@pytest_asyncio.fixture(loop_scope="session")
async def timed(database: Database, times: list[int]) -> AsyncIterator[str]:
    async with listening(database, now_ms=lambda: times[-1]) as url:
        yield url


async def test_a_player_takes_the_seat_back_from_the_house_bot(timed: str, times: list[int], page: Page) -> None:
    stand_in = StandIn(bot="longest", after=1)
    laid = laid_table(timed, CHARIOTEER, options={"laps": 3}, clock=BRIEF, stand_in=stand_in, think_s=RIVAL_THINKS_S)
    async with laid as table:
        await page.goto(table.url)
        await expect(page.locator(".joining")).to_contain_text("a house bot drives for you", timeout=WAIT_MS)
        await sit_down(page, table)
        await eventually(lambda: has_answered(table.rivals[0]))
        times.append(times[-1] + BRIEF.per_decision_ms + 500)

        await page.get_by_role("heading", name="A house bot drives for you").wait_for(timeout=WAIT_MS)
        await page.get_by_role("button", name="Take my seat back").click()

        await expect(page.locator(".story")).to_contain_text("is played by its player again.", timeout=WAIT_MS)


async def has_answered(at: SeatAt) -> bool:
    seen = await at.read()
    return seen.status == "running" and not any(owed.seat == at.seat and owed.is_waited_for for owed in seen.owed)


async def test_a_player_pauses_the_clocks_goes_on_and_ends_the_game(served: str, page: Page, axe: str) -> None:
    await page.goto(served)
    await page.get_by_role("button", name="Play Charioteer", exact=True).click()
    await page.get_by_role("button", name="To the start").click()
    await page.get_by_role("heading", name="Your turn").wait_for(timeout=WAIT_MS)
    await page.get_by_text("Your seat", exact=True).click()

    await page.get_by_role("button", name="Pause the clocks …").click()
    await page.get_by_role("button", name="Pause the clocks", exact=True).click()
    await page.get_by_role("heading", name="The game is paused").wait_for(timeout=WAIT_MS)
    await expect(page.locator(".game-head .status")).to_have_text("Paused", timeout=WAIT_MS)
    game = page.url
    await page.goto(served)
    await expect(page.locator("spina-my-games .status")).to_have_text("Paused", timeout=WAIT_MS)
    await page.goto(game)
    await page.get_by_text("Your seat", exact=True).click(timeout=WAIT_MS)
    serious = await find_serious(page, axe)
    await page.get_by_role("button", name="Go on").click()
    await page.get_by_role("heading", name="Your turn").wait_for(timeout=WAIT_MS)
    await page.get_by_role("button", name="End the game …").click()
    await page.get_by_role("button", name="End the game", exact=True).click()

    await page.get_by_role("heading", name="The game ended without a result").wait_for(timeout=WAIT_MS)
    await expect(page.locator(".banner")).to_have_text("The players agreed to end this game without a result.")
    assert serious == []


async def test_a_player_agrees_to_the_wish_of_another_to_end_the_game(served: str, page: Page) -> None:
    async with laid_table(served, CHARIOTEER) as table:
        await sit_down(page, table)
        await page.get_by_role("heading", name="Your turn").wait_for(timeout=WAIT_MS)

        await table.rivals[0].consent("end")
        await expect(page.locator(".agreements")).to_contain_text("Rival 1 wants to end the game.", timeout=WAIT_MS)
        await page.get_by_role("button", name="Agree").click()

        await page.get_by_role("heading", name="The game ended without a result").wait_for(timeout=WAIT_MS)
