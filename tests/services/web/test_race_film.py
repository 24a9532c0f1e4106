"""A race that is over as a film: from its first turn, in chapters, without its end in sight, and in a frame."""

import json
import re
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.async_api import Browser, FloatRect, Page, ViewportSize, expect

from tests.services.web.game_server import CHARIOT_RACE, CHARIOTEER, CHARIOTMASTER, Stage
from tests.services.web.watching import WAIT_MS, hurried_context, open_game, wait_for_version

ALL = [CHARIOTEER, CHARIOT_RACE, CHARIOTMASTER]
FRAMES: list[ViewportSize] = [{"width": 640, "height": 420}, {"width": 320, "height": 240}]
# The rest of all events of a race at the speed of 1, in seconds.
MEASURE = """
() => {
  const { playhead } = document.querySelector("spina-game");
  let sum = 0;
  for (let version = 1; version <= playhead.newest; version += 1) sum += playhead.restAt(version);
  return sum / 1000;
}
"""
# The share of the board's width that is in sight.
READ_SIGHT = """
() => {
  const { seen, whole } = document.querySelector("spina-game").page.board.camera;
  return seen.width / whole.width;
}
"""


@pytest.mark.parametrize("stage", ALL, indirect=True)
async def test_a_link_to_the_race_plays_it_from_its_first_turn_and_keeps_its_end_to_itself(
    stage: Stage, page: Page
) -> None:
    await open_game(page, f"{stage.url}#race")

    await expect(page.get_by_role("button", name="Pause")).to_be_visible()
    game = 'document.querySelector("spina-game")'
    first = await page.evaluate(f"{game}.race.turns[0].version")
    assert first <= await page.evaluate(f"{game}.playhead.version") < stage.version
    assert await page.locator(f'.told[data-version="{stage.version - 1}"]').is_hidden()
    await expect(page.locator("spina-chart")).to_be_hidden()
    await expect(page.locator("spina-podium")).to_be_hidden()

    await page.get_by_role("button", name="End").click()
    await wait_for_version(page, stage.version)
    await page.locator("spina-chart").wait_for(timeout=WAIT_MS)
    podium = page.locator("spina-podium")
    await expect(podium).to_be_visible()
    address = await podium.get_by_role("link", name="Log it in BG Stats").get_attribute("href")
    assert_play_is_logged(stage, str(address), await podium.locator("ol li").count())


def assert_play_is_logged(stage: Stage, address: str, places: int) -> None:
    """The link holds the play as BG Stats takes it."""
    parsed = urlsplit(address)
    play = json.loads(parse_qs(parsed.query)["data"][0])
    assert (parsed.hostname, parsed.path) == ("app.bgstatsapp.com", "/createPlay.html")
    assert play["sourcePlayId"] == stage.url.rpartition("/")[2]
    assert re.fullmatch(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d", play["playDate"])
    assert len(play["players"]) == places
    assert all(player["winner"] == (player["rank"] == 1) and player["name"] for player in play["players"])


@pytest.mark.parametrize("stage", ALL, indirect=True)
async def test_a_race_at_its_own_speed_takes_two_minutes_at_most(stage: Stage, page: Page) -> None:
    await open_game(page, stage.url)

    taken_s = await page.evaluate(MEASURE)

    assert 10 < taken_s <= 121


@pytest.mark.parametrize("stage", [CHARIOT_RACE], indirect=True)
async def test_a_chapter_is_a_way_to_its_moment(stage: Stage, page: Page) -> None:
    await open_game(page, stage.url)
    chapters = page.get_by_label("Chapters")
    wreck = chapters.locator("option", has_text=re.compile("is wrecked")).first
    version = int(await wreck.get_attribute("value", timeout=WAIT_MS) or 0)

    await chapters.select_option(str(version))

    await wait_for_version(page, version)


@pytest.mark.parametrize("stage", ALL, indirect=True)
async def test_a_link_follows_one_driver_on_the_board_and_in_the_story(stage: Stage, page: Page) -> None:
    middle = stage.version // 2
    await open_game(page, f"{stage.url}?follow=0#{middle}")
    await wait_for_version(page, middle)
    assert await page.evaluate(READ_SIGHT) < 1
    named = page.locator(".told-plain:not([aria-current])", has_text="Driver 0")
    assert await named.count() == await page.locator(".told-plain:not([aria-current])").count() > 0

    await page.get_by_label("Follow").select_option("everybody")

    assert await named.count() < await page.locator(".told-plain:not([aria-current])").count()
    await expect(page).to_have_url(f"{stage.url}#{middle}")
    await page.get_by_label("Follow").select_option("2")
    await expect(page).to_have_url(f"{stage.url}?follow=2#{middle}")


@pytest.mark.parametrize("stage", ALL, indirect=True)
async def test_the_whole_board_and_the_way_to_play_fit_every_frame(stage: Stage, browser: Browser) -> None:
    page = await (await hurried_context(browser, viewport=FRAMES[0])).new_page()
    await open_game(page, stage.url.replace("/games/", "/embed/games/"))
    parts = (page.locator(".board-frame svg.board"), page.get_by_role("button", name="Play", exact=True))

    placed: list[tuple[ViewportSize, FloatRect | None]] = []
    for size in FRAMES:
        await page.set_viewport_size(size)
        placed += [(size, await part.bounding_box()) for part in parts]

    for size, box in placed:
        assert box is not None
        assert box["x"] >= 0
        assert box["y"] + box["height"] <= size["height"]
        assert box["x"] + box["width"] <= size["width"]
