"""The lobby in a real browser: games by status, their number, their drivers; and the words for an empty list."""

from playwright.async_api import Page, expect

from tests.services.api.server import project
from tests.services.web.game_server import Stage
from tests.services.web.watching import WAIT_MS, wait_for_state


async def test_games_are_listed_by_what_they_are_and_lead_to_their_page(stage: Stage, page: Page) -> None:
    await project(stage.node.parts, stage.database)
    await page.goto(stage.url.partition("/games/")[0])

    row = page.get_by_role("region", name="Results").get_by_role("listitem")
    await expect(row).to_contain_text("Driver 0, Driver 1, Driver 2")
    await expect(row).to_contain_text("14 turns")
    await expect(row.locator(".won-by")).to_have_text("Won by Driver 1")
    await expect(page.get_by_role("region", name="Races now")).to_contain_text("No race is run now.")
    assert [await locator.text_content() for locator in await page.locator(".count").all()] == [" 0", " 0", " 1", " 0"]
    await row.get_by_role("link").click()
    await wait_for_state(page, "The end")


async def test_a_choice_stays_in_the_address_and_says_where_there_is_nothing(stage: Stage, page: Page) -> None:
    home = stage.url.partition("/games/")[0]
    await page.goto(f"{home}?status=open")
    opened = page.get_by_role("region", name="Tables that wait for players")
    await expect(opened).to_contain_text("No table waits for players now.", timeout=WAIT_MS)

    await page.get_by_label("Broken off").check()

    await expect(page.get_by_role("region", name="Broken off")).to_contain_text(
        "No race was broken off.", timeout=WAIT_MS
    )
    assert page.url == f"{home}/?status=aborted"
