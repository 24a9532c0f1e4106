"""What just happened, at a glance: each chariot's last act on the table, announced to screen readers, and the end."""

import re
from typing import Any

import pytest
from playwright.async_api import Page, expect

from tests.services.web.game_server import CHARIOT_RACE, CHARIOTEER, CHARIOTMASTER, Stage, read_golden
from tests.services.web.watching import AT_ONCE, KEEP_SHOWN, WAIT_MS, open_game, wait_for_state, wait_for_version

EARLY = 60
LATER = 120
# How many lines of a race its story lays out by itself, at its end.
LAID_MAX = 50
NEAR_THE_END = read_golden(CHARIOTEER).version - 30
PIECES = {CHARIOTEER: ".card", CHARIOT_RACE: ".die-piece", CHARIOTMASTER: ".token"}
SUM = re.compile(r"speed \d|\d (?:spaces|cm)")
# The code of a symbol, and a colour in the place of a driver.
CODE = re.compile(r"\b(?:green|red|yellow|black)-\d|\b(?:Blue|Green|Red|Yellow|Purple|White)\b")


@pytest.mark.parametrize(("stage", "pieces"), PIECES.items(), indirect=["stage"])
async def test_the_last_acts_the_distances_behind_and_the_end_are_told_at_their_moments(
    stage: Stage, page: Page, pieces: str
) -> None:
    late = stage.version * 2 // 3
    await open_game(page, f"{stage.url}#{late}")
    await wait_for_version(page, late)
    await expect_last_acts(page, pieces, late=late)

    await page.evaluate("version => { location.hash = `#${version}`; }", stage.version // 2)
    await wait_for_version(page, stage.version // 2)
    await expect_distances_behind(page)

    await page.keyboard.press("End")
    await expect_end(page, (await stage.boards())[-1]["ranking"])
    await page.keyboard.press("Home")
    await expect(page.locator("spina-podium")).to_be_hidden()


async def expect_last_acts(page: Page, pieces: str, *, late: int) -> None:
    """Expect the last act of each chariot on the table, with its pieces and its sum."""
    rows = await page.locator(".act").all()
    assert len(rows) > 1
    assert [await row.locator(pieces).count() > 0 for row in rows] == [True] * len(rows)
    assert any([SUM.search(await row.inner_text()) for row in rows])
    # A row leads to its own moment, which lies before the one that is shown.
    links = [await row.locator("a").get_attribute("href") for row in rows]
    versions = [int((link or "#0")[1:]) for link in links]
    assert versions == sorted(versions)
    assert versions[-1] <= late


async def expect_distances_behind(page: Page) -> None:
    """Expect the order of the drivers, with how far each is behind."""
    said = [await row.inner_text() for row in await page.locator(".driver").all()]

    behind = [int(found[1]) for row in said if (found := re.search("\N{MINUS SIGN}([0-9]+)", row))]
    assert behind
    assert behind == sorted(behind)


async def expect_end(page: Page, ranking: list[dict[str, Any]]) -> None:
    """Expect the name of the winner, and every place."""
    first = [seat["seat"] for seat in ranking if seat["place"] == 1]

    await expect(page.locator(".podium-name")).to_have_text(
        f"Driver {first[0]} wins" if len(first) == 1 else re.compile("share the win$"), timeout=WAIT_MS
    )
    assert await page.locator(".podium-places li").count() == len(ranking)


@pytest.mark.parametrize("stage", [(CHARIOTEER, EARLY)], indirect=True)
async def test_a_turn_is_shown_once_more_where_the_reader_asks_for_it(stage: Stage, page: Page) -> None:
    await page.add_init_script(AT_ONCE.replace("once", "brisk"))
    await open_game(page, stage.url)
    await wait_for_version(page, stage.version)
    await page.evaluate(KEEP_SHOWN)

    await page.get_by_role("button", name="Show it again").click()

    await expect(page.locator(".live-state")).to_have_text("Live")
    await wait_for_version(page, stage.version)
    shown = await page.evaluate("document.shown")
    assert len(shown) > 5
    assert shown == sorted(shown)


@pytest.mark.parametrize("stage", [(CHARIOTEER, EARLY)], indirect=True)
async def test_a_turn_is_told_to_readers_of_the_screen_driver_by_driver(stage: Stage, page: Page) -> None:
    await page.add_init_script(AT_ONCE)
    await open_game(page, stage.url)
    await wait_for_state(page, "Live")

    region = page.locator("spina-game > [aria-live=polite]")

    await stage.play(upto=LATER)
    await expect(region).to_have_text(re.compile(r"Driver 0: .*Driver 1: .*Driver 2: \d+ spaces"), timeout=WAIT_MS)

    await stage.play()
    await expect(region).to_have_text(re.compile("Final order: 1. Driver"), timeout=WAIT_MS)


@pytest.mark.parametrize("stage", [(CHARIOTEER, NEAR_THE_END)], indirect=True)
async def test_the_end_is_told_where_it_is_shown_long_after_the_last_line_has_come(stage: Stage, page: Page) -> None:
    await page.add_init_script(AT_ONCE.replace("once", "brisk"))
    await open_game(page, stage.url)
    await wait_for_state(page, "Live")
    await wait_for_version(page, stage.version)

    await stage.play()

    await page.locator(".podium-places li").first.wait_for(timeout=WAIT_MS)
    await expect(page.locator(".podium-name")).to_have_text(re.compile("win"))


async def test_the_story_lays_out_the_lines_around_the_moment_and_more_where_they_are_asked_for(
    stage: Stage, page: Page
) -> None:
    await open_game(page, stage.url)
    await wait_for_version(page, stage.version)
    told = page.locator(".told")
    assert await told.count() < LAID_MAX
    assert stage.version > 4 * LAID_MAX

    await page.get_by_role("button", name="Earlier lines").click()

    assert await told.count() > LAID_MAX
    await page.keyboard.press("Home")
    await wait_for_version(page, 1)
    assert await told.first.get_attribute("data-version") == "1"
    assert await page.get_by_role("button", name="Later lines").count() == 1


@pytest.mark.parametrize(
    ("stage", "drawn"), [(CHARIOTEER, ".card-line .symbol"), (CHARIOT_RACE, "")], indirect=["stage"]
)
async def test_the_story_draws_the_pieces_and_calls_each_chariot_by_its_driver(
    stage: Stage, page: Page, drawn: str
) -> None:
    await open_game(page, f"{stage.url}#{stage.version}")
    await wait_for_version(page, stage.version)

    story = await page.locator(".story").inner_text()

    assert re.search(r"^Driver \d", story, re.MULTILINE)
    assert not CODE.search(story)
    assert await page.locator(f".sentence {drawn}").count() > 0
