"""The pages through axe, in a real browser, by day and by night: it finds nothing serious."""

from playwright.async_api import Page, expect

from tests.domain.audit.audited_game import bundle_of, specimen
from tests.services.api.server import project
from tests.services.web.axe import find_serious, find_serious_by_day_and_night
from tests.services.web.game_server import Stage
from tests.services.web.verify.choosing import choose
from tests.services.web.watching import WAIT_MS, open_game, wait_for_version


async def test_the_page_that_verifies_has_nothing_serious_before_and_after(served: str, page: Page, axe: str) -> None:
    await page.goto(f"{served}/verify")
    await page.get_by_text("Keys that you trust").click()
    before = await find_serious_by_day_and_night(page, axe)

    await choose(page, bundle_of(specimen()))
    await page.get_by_text("Every check, and its coverage").click()
    await page.locator(".finding").first.wait_for()
    await page.get_by_text("Every roll and shuffle").click()
    await page.get_by_text("Limits of these checks").click()

    assert before == []
    assert await find_serious_by_day_and_night(page, axe) == []


async def test_the_lobby_and_the_page_of_a_game_have_nothing_serious(stage: Stage, page: Page, axe: str) -> None:
    await project(stage.node.parts, stage.database)
    await page.goto(stage.url.partition("/games/")[0])
    await page.locator(".game").first.wait_for()
    lobby = await find_serious_by_day_and_night(page, axe)

    await open_game(page, stage.url)
    await page.get_by_label("every detail").check()
    await page.get_by_text("This browser has checked").wait_for()

    assert lobby == []
    assert await find_serious_by_day_and_night(page, axe) == []


async def test_a_step_is_not_spoken_but_its_sentence_is_once_the_hand_rests(stage: Stage, page: Page) -> None:
    await open_game(page, f"{stage.url}#57")

    for _ in range(3):
        await page.keyboard.press("ArrowRight")
    await wait_for_version(page, 60)

    assert await page.locator(".where").get_attribute("aria-live") == "off"
    assert (
        await page.get_by_role("slider", name="Event").get_attribute("aria-valuetext")
        == await page.locator(".where").inner_text()
    )
    told = await page.locator('.told[data-version="60"] .sentence').text_content()
    await expect(page.locator("spina-game > .unseen")).to_have_text(told or "", timeout=WAIT_MS)


async def test_what_is_serious_is_found(served: str, page: Page, axe: str) -> None:
    await page.goto(f"{served}/verify")

    await page.evaluate("document.querySelector('main').append(document.createElement('input'))")

    assert [violation[1] for violation in await find_serious(page, axe)] == ["label"]
