"""A tab that dies at any step of a sealed turn: the next one of the same browser plays on; nothing is done twice."""

from collections.abc import AsyncIterator
from uuid import uuid4

import pytest
import pytest_asyncio
from playwright.async_api import Browser, BrowserContext, Page, Route, expect

from domain.rulesets.charioteer.kit.kit import KIT as CHARIOTEER
from spina_client.client import Demand
from tests.database import Database
from tests.services.listening import listening
from tests.services.web.seat.table import SeatTable, laid_table, sit_down
from tests.services.web.watching import WAIT_MS, hurried_context

READ_LINES = "document.querySelector('spina-game').log.between(0, Infinity)"
# Whether the kept draft is that of a decision here, and of the same one in another game.
READ_DRAFTS = """async ({ here, there }) => {
  const { readDraft } = await import("/web/seat/drafts.js");
  const { decision } = JSON.parse(sessionStorage.getItem("spina-draft"));
  return [here, there].map((game) => readDraft(game, decision) !== null);
}"""
OWN: tuple[Demand, ...] = ("links", "own_custody")


@pytest_asyncio.fixture(loop_scope="session")
async def table(served: str) -> AsyncIterator[SeatTable]:
    async with laid_table(served, CHARIOTEER, options={"laps": 1}, demands=OWN) as found:
        yield found


@pytest_asyncio.fixture(loop_scope="session")
async def context(browser: Browser) -> BrowserContext:
    """One browser with its storage; its tabs come and go."""
    return await hurried_context(browser)


async def drop(route: Route) -> None:
    """Lose the request on its way."""
    await route.abort()


async def drop_answer(route: Route) -> None:
    """Lose the answer on its way; the server has carried the command out."""
    await route.fetch()
    await route.abort()


@pytest.mark.parametrize("command", ["seals", "reveals"])
@pytest.mark.parametrize("lose", [drop, drop_answer])
async def test_the_next_tab_plays_on(table: SeatTable, context: BrowserContext, command: str, lose: object) -> None:
    first = await context.new_page()
    await sit_down(first, table)
    await first.route(f"**/{command}", lose)  # type: ignore[arg-type]  # each is a handler of routes
    async with first.expect_event("requestfailed", lambda asked: asked.url.endswith(f"/{command}")):
        await seal(first)
    await first.close()

    second = await context.new_page()
    await second.goto(table.url)

    await expect(second.locator(".where")).to_contain_text("turn 2", timeout=WAIT_MS)
    await seal(second)
    await expect(second.locator(".where")).to_contain_text("turn 3", timeout=WAIT_MS)
    lines = await second.evaluate(READ_LINES)
    assert [line["type"] for line in lines if line["by"] == "seat:0"].count("action_sealed") == 2
    assert "move_forfeited" not in [line["type"] for line in lines]


async def test_a_reload_forgets_no_card_that_was_chosen(table: SeatTable, context: BrowserContext) -> None:
    page = await context.new_page()
    await sit_down(page, table)
    await page.get_by_label("Whole moves").select_option(index=1)
    offered = await page.get_by_role("button", name="Seal: ").inner_text()

    await page.reload()

    await expect(page.get_by_role("button", name="Seal: ")).to_have_text(offered, timeout=WAIT_MS)
    assert await page.locator(".hand [aria-pressed=true]").count() > 0
    # The next game asks for decisions of the same ids.
    assert await page.evaluate(READ_DRAFTS, {"here": table.game, "there": str(uuid4())}) == [True, False]


async def test_a_sealed_action_stays_in_the_browser_until_all_have_sealed(
    table: SeatTable, context: BrowserContext
) -> None:
    page = await context.new_page()
    sent: list[str] = []
    page.on("request", lambda asked: sent.append(f"{asked.url} {asked.post_data}") if asked.method == "POST" else None)
    await sit_down(page, table)

    await seal(page)
    await expect(page.locator(".where")).to_contain_text("turn 2", timeout=WAIT_MS)

    commands = [name for name in sent if f"/games/{table.game}/" in name]
    assert [command.split(" ")[0].rsplit("/", 1)[1] for command in commands] == ["seats", "ready", "seals", "reveals"]
    assert '"cards"' not in commands[2]


async def test_a_sealed_turn_goes_on_after_the_server_was_restarted(database: Database, browser: Browser) -> None:
    page = await (await hurried_context(browser)).new_page()
    async with listening(database) as url:
        await page.goto(url)
        await page.get_by_role("button", name="Play Charioteer", exact=True).click()
        await page.get_by_text("More choices").click()
        await page.get_by_label("Only I open").check()
        await page.get_by_role("button", name="To the start").click()
        await page.route("**/reveals", drop)
        async with page.expect_event("requestfailed", lambda asked: asked.url.endswith("/reveals")):
            await seal(page)

    async with listening(database, port=int(url.rpartition(":")[2])):
        await page.unroute("**/reveals")

        await expect(page.locator(".where")).to_contain_text("turn 2", timeout=WAIT_MS)
        await seal(page)
        await expect(page.locator(".where")).to_contain_text("turn 3", timeout=WAIT_MS)
        await page.close()


async def seal(page: Page) -> None:
    whole = page.get_by_label("Whole moves")
    await whole.wait_for(timeout=WAIT_MS)
    await whole.select_option(index=1)
    await page.get_by_role("button", name="Seal: ").click()
