"""A seat in a real browser: taken as a guest, played to the end, and kept through reloads, tabs and lost answers."""

import re
from collections.abc import AsyncIterator
from typing import Any

import pytest
import pytest_asyncio
from playwright.async_api import Browser, Page, Route, expect

from domain.rulesets.released import KITS
from spina_client.client import ClockTerms
from spina_client.connection import connected
from tests.database import Database
from tests.rulesets.dash.kit import KIT as DASH
from tests.services.listening import listening
from tests.services.web.seat.table import SeatTable, laid_table, sit_down
from tests.services.web.watching import WAIT_MS, hurried_context, wait_for_state

TURNS_MAX = 60
OVER = re.compile("^You (won|came in)")
# A frame that gives the page's seat an hour, as an arbiter or a server that was away does, and changes nothing else.
ATTEND_AN_HOUR_MORE = """seen => {
    const later = (owed) => ({...owed, deadline: new Date(Date.parse(owed.deadline) + 3_600_000).toISOString()})
    document.querySelector("spina-seat").attend({...seen, your_seat: 0, owed: seen.owed.map(later)})
}"""


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def dash_server(module_database: Database) -> AsyncIterator[str]:
    async with listening(module_database, kits=(*KITS, DASH)) as url:
        yield url


@pytest_asyncio.fixture(loop_scope="session")
async def table(dash_server: str) -> AsyncIterator[SeatTable]:
    """A game of Dash, which has no picture and no panel, with a free seat."""
    async with laid_table(dash_server, DASH) as found:
        yield found


async def wait_for_turn(page: Page) -> None:
    await page.get_by_role("heading", name="Your turn").wait_for(timeout=WAIT_MS)


async def test_a_guest_plays_a_ruleset_without_a_panel_to_its_end(table: SeatTable, page: Page) -> None:
    await sit_down(page, table)

    for _ in range(TURNS_MAX):
        turn = page.get_by_role("heading", name="Your turn")
        over = page.locator(".seat h2").filter(has_text=OVER)
        await turn.or_(over).first.wait_for(timeout=WAIT_MS)
        if await over.count():
            break
        await page.get_by_role("button", name="Dare", exact=True).click()
        await expect(page.locator(".effect")).to_have_text("Spaces min 0, spaces max 6.", timeout=WAIT_MS)
        version = await page.locator(".where").inner_text()
        await page.get_by_role("button", name="Play: Dare").click()
        await expect(page.locator(".where")).not_to_have_text(version, timeout=WAIT_MS)

    await wait_for_state(page, "The end")
    await expect(page.locator(".seat h2")).to_have_text(OVER)


async def test_a_reload_returns_to_the_seat(table: SeatTable, page: Page) -> None:
    await sit_down(page, table)
    await wait_for_turn(page)

    await page.reload()

    await wait_for_turn(page)
    assert (await page.title()).startswith("● ")


async def test_time_that_is_given_while_a_decision_is_offered_shows_at_once(dash_server: str, page: Page) -> None:
    clock = ClockTerms(per_decision_ms=60_000, bank_ms=0)
    async with laid_table(dash_server, DASH, clock=clock) as table:
        await sit_down(page, table)
        await wait_for_turn(page)
        decision = page.locator(".decision")
        await decision.evaluate("each => { each.dataset.kept = 'yes' }")
        async with connected(dash_server) as connection:
            seen = await connection.get(f"/v1/games/{table.game}", dict[str, Any])

        await page.evaluate(ATTEND_AN_HOUR_MORE, seen)

        await expect(page.locator(".limit-line")).to_have_text(re.compile("^1:00:"), timeout=WAIT_MS)
        await expect(decision).to_have_attribute("data-kept", "yes")


async def test_a_second_tab_tells_where_the_game_is_played_and_takes_it_over(
    table: SeatTable, browser: Browser
) -> None:
    context = await hurried_context(browser)
    page, second = await context.new_page(), await context.new_page()
    await sit_down(page, table)
    await wait_for_turn(page)
    await second.goto(table.url)
    await second.get_by_role("heading", name="You play this game in another tab").wait_for(timeout=WAIT_MS)

    await second.get_by_role("button", name="Play here").click()

    await wait_for_turn(second)
    await page.get_by_role("heading", name="You play this game in another tab").wait_for(timeout=WAIT_MS)


async def test_a_lost_answer_is_asked_for_again_and_played_once(
    table: SeatTable, page: Page, complaints: list[str]
) -> None:
    await sit_down(page, table)
    await wait_for_turn(page)
    lost = 0

    async def lose(route: Route) -> None:
        nonlocal lost
        lost += 1
        await route.fetch()
        await route.abort()

    await page.route("**/actions", lose, times=1)
    await page.get_by_role("button", name="Walk", exact=True).click()
    await page.get_by_role("button", name="Play: Walk").click()

    await expect(page.locator(".seat-state")).to_contain_text("Played, and kept by the server", timeout=WAIT_MS)
    assert lost == 1
    assert [complaint for complaint in complaints if "ERR_FAILED" not in complaint] == []
    complaints.clear()


async def test_a_command_on_its_way_is_sent_again_after_a_reload(
    table: SeatTable, page: Page, complaints: list[str]
) -> None:
    await sit_down(page, table)
    await wait_for_turn(page)
    await page.route("**/actions", lambda route: route.abort())
    await page.get_by_role("button", name="Walk", exact=True).click()
    await page.get_by_role("button", name="Play: Walk").click()
    await expect(page.locator(".seat-state")).to_contain_text("sending it again", timeout=WAIT_MS)

    await page.unroute("**/actions")
    await page.reload()

    await expect(page.locator(".story")).to_contain_text("walks", timeout=WAIT_MS)
    complaints.clear()


async def test_a_refusal_is_told_in_words_and_the_answer_stays(
    table: SeatTable, page: Page, complaints: list[str]
) -> None:
    await sit_down(page, table)
    await wait_for_turn(page)
    problem = {"type": "urn:spina:problem:test", "title": "Too steep", "status": 422, "detail": "expected a hill"}
    await page.route("**/actions", lambda route: route.fulfill(status=422, json=problem), times=1)
    await page.get_by_role("button", name="Walk", exact=True).click()

    await page.get_by_role("button", name="Play: Walk").click()

    await page.get_by_role("alert").filter(has_text="Not accepted: Too steep").wait_for(timeout=WAIT_MS)
    await expect(page.get_by_role("button", name="Walk", exact=True)).to_have_attribute("aria-pressed", "true")
    await expect(page.get_by_role("button", name="Play: Walk")).to_be_enabled()
    complaints.clear()


@pytest.mark.parametrize("width", [1280, 390])
async def test_a_spectator_of_a_running_game_sees_no_seat(table: SeatTable, page: Page, width: int) -> None:
    await sit_down(page, table)
    await wait_for_turn(page)
    browser = page.context.browser
    assert browser is not None
    other = await browser.new_page(viewport={"width": width, "height": 900})

    await other.goto(table.url)

    await other.locator(".story li").first.wait_for(timeout=WAIT_MS)
    await expect(other.locator("spina-seat")).to_be_hidden()
