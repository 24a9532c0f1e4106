"""Every ruleset on a phone, a desk and a projector: nothing sticks out. `make pictures` keeps pictures to look at."""

import os
from pathlib import Path
from typing import Literal

import pytest
from playwright.async_api import Browser, Page, ViewportSize

from tests.services.api.server import project
from tests.services.web.game_server import CHARIOT_RACE, CHARIOTEER, CHARIOTMASTER, Stage
from tests.services.web.watching import open_game

FOLDER = Path(__file__).parents[3] / ".build" / "pictures"
# Set by `make pictures`: no test looks at a picture, which takes a quarter of a second.
VARIABLE = "SPINA_PICTURES"
SIZES: dict[str, ViewportSize] = {
    "phone": {"width": 390, "height": 844},
    "desktop": {"width": 1360, "height": 860},
    "projector": {"width": 1920, "height": 1080},
}
# Four displays in a row, each as narrow as the layout lets it be.
NARROW: ViewportSize = {"width": 1040, "height": 800}
SCHEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")
# The grid, the middle of a race, and its end; as shares of the log in hundredths. A projector has room for anything.
MOMENTS = {"phone": (12, 55, 100), "desktop": (12, 55, 100), "projector": (55,)}
GO = """
async (version) => {
  const game = document.querySelector("spina-game");
  game.playhead.seek(version);
  await game.settled(version);
}
"""
# Elements wider than the window, by name: a page that scrolls sideways cannot be read on a phone.
READ_WIDE = """
() => document.documentElement.scrollWidth <= innerWidth ? [] :
  [...document.querySelectorAll("body *")]
    .filter((each) => each.getBoundingClientRect().right > innerWidth + 1)
    .map((each) => `${each.tagName} ${each.getAttribute("class")}`)
"""
READ_CRAMPED = """
() => [...document.querySelectorAll(".display")]
  .filter((each) => each.scrollWidth > each.clientWidth)
  .map((each) => each.querySelector(".display-name").textContent)
"""


async def picture(page: Page, name: str) -> None:
    """Leave the page by night. Where pictures are wanted, keep one by day and one by night."""
    for scheme in SCHEMES:
        await page.emulate_media(color_scheme=scheme)
        if os.environ.get(VARIABLE):
            FOLDER.mkdir(parents=True, exist_ok=True)
            await page.screenshot(path=FOLDER / f"{name}-{scheme}.png", full_page=True)


@pytest.mark.parametrize("stage", [CHARIOTEER, CHARIOT_RACE, CHARIOTMASTER], indirect=True)
async def test_every_moment_fits_every_window_and_every_display_where_it_is_narrowest(
    stage: Stage, browser: Browser
) -> None:
    page = await browser.new_page(reduced_motion="reduce")
    await open_game(page, stage.url)

    wide: dict[str, list[str]] = {}
    for size, shares in MOMENTS.items():
        await page.set_viewport_size(SIZES[size])
        for share in shares:
            await page.evaluate(GO, max(1, stage.version * share // 100))
            wide[f"{size} at {share}"] = await page.evaluate(READ_WIDE)
            await picture(page, f"{stage.golden.name}-{share}-{size}")
    await page.set_viewport_size(NARROW)
    await page.evaluate(GO, stage.version * 2 // 3)

    assert [place for place, elements in wide.items() if elements] == []
    assert await page.evaluate(READ_CRAMPED) == []


async def test_the_lobby_fits_every_window(stage: Stage, browser: Browser) -> None:
    page = await browser.new_page()
    await project(stage.node.parts, stage.database)
    await page.goto(stage.url.partition("/games/")[0])
    await page.locator(".game").first.wait_for()

    wide: dict[str, list[str]] = {}
    for size, window in SIZES.items():
        await page.set_viewport_size(window)
        wide[size] = await page.evaluate(READ_WIDE)
        await picture(page, f"lobby-{size}")

    assert [place for place, elements in wide.items() if elements] == []
