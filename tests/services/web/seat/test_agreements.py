"""The seat of a player who stays away is driven by a house bot; a pause and the end of a game by consent."""

from playwright.async_api import Page, expect

from domain.rulesets.charioteer.kit.kit import KIT as CHARIOTEER
from spina_client.client import ClockTerms, StandIn
from tests.services.web.axe import find_serious
from tests.services.web.seat.table import laid_table, sit_down
from tests.services.web.watching import WAIT_MS

# Short enough for a test, and time for the rival, whose pace makes the race last longer than the test.
BRIEF = ClockTerms(per_decision_ms=2_000, bank_ms=0)
RIVAL_THINKS_S = 0.8


async def test_a_player_takes_the_seat_back_from_the_house_bot(served: str, page: Page) -> None:
    stand_in = StandIn(bot="longest", after=1)
    laid = laid_table(served, CHARIOTEER, options={"laps": 3}, clock=BRIEF, stand_in=stand_in, think_s=RIVAL_THINKS_S)
    async with laid as table:
        await page.goto(table.url)
        await expect(page.locator(".joining")).to_contain_text("a house bot drives for you", timeout=WAIT_MS)
        await sit_down(page, table)

        await expect(page.get_by_role("heading", name="A house bot drives for you")).to_be_visible(timeout=WAIT_MS)
        await page.get_by_role("button", name="Take my seat back").click()

        await expect(page.locator(".story")).to_contain_text("is played by its player again.", timeout=WAIT_MS)


async def test_a_player_pauses_the_clocks_goes_on_and_ends_the_game(served: str, page: Page, axe: str) -> None:
    await page.goto(served)
    await page.get_by_role("button", name="Play Charioteer", exact=True).click()
    await page.get_by_role("button", name="To the start").click()
    await expect(page.get_by_role("heading", name="Your turn")).to_be_visible(timeout=WAIT_MS)
    await page.get_by_text("Your seat", exact=True).click()

    await page.get_by_role("button", name="Pause the clocks …").click()
    await page.get_by_role("button", name="Pause the clocks", exact=True).click()
    await expect(page.get_by_role("heading", name="The game is paused")).to_be_visible(timeout=WAIT_MS)
    serious = await find_serious(page, axe)
    await page.get_by_role("button", name="Go on").click()
    await expect(page.get_by_role("heading", name="Your turn")).to_be_visible(timeout=WAIT_MS)
    await page.get_by_role("button", name="End the game …").click()
    await page.get_by_role("button", name="End the game", exact=True).click()

    await expect(page.get_by_role("heading", name="The game was aborted")).to_be_visible(timeout=WAIT_MS)
    assert serious == []


async def test_a_player_agrees_to_the_wish_of_another_to_end_the_game(served: str, page: Page) -> None:
    async with laid_table(served, CHARIOTEER) as table:
        await sit_down(page, table)
        await expect(page.get_by_role("heading", name="Your turn")).to_be_visible(timeout=WAIT_MS)

        await table.rivals[0].consent("end")
        await expect(page.locator(".agreements")).to_contain_text("Rival 1 wants to end the game.", timeout=WAIT_MS)
        await page.get_by_role("button", name="Agree").click()

        await expect(page.get_by_role("heading", name="The game was aborted")).to_be_visible(timeout=WAIT_MS)
