"""Pictures of every ruleset on a phone, a desk and a projector, kept to be looked at; nothing sticks out."""

from pathlib import Path
from typing import Literal

import pytest
from playwright.async_api import Browser, Page, ViewportSize

from tests.database import Database
from tests.services.api.server import projector_at_work
from tests.services.web.game_server import CHARIOT_RACE, CHARIOTEER, CHARIOTMASTER, Stage
from tests.services.web.watching import open_game

FOLDER = Path(__file__).parents[3] / ".build" / "pictures"
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
    """Keep pictures by day and by night."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    for scheme in SCHEMES:
        await page.emulate_media(color_scheme=scheme)
        await page.screenshot(path=FOLDER / f"{name}-{scheme}.png", full_page=True)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("stage", [CHARIOTEER, CHARIOT_RACE, CHARIOTMASTER], indirect=True)
async def test_every_moment_fits_the_window(
    stage: Stage, browser: Browser, size: str, request: pytest.FixtureRequest
) -> None:
    name = request.node.callspec.params["stage"]
    page = await browser.new_page(viewport=SIZES[size], reduced_motion="reduce")
    await open_game(page, stage.url)

    wide: dict[int, list[str]] = {}
    for share in MOMENTS[size]:
        version = max(1, stage.version * share // 100)
        await page.evaluate(GO, version)
        wide[version] = await page.evaluate(READ_WIDE)
        await picture(page, f"{name}-{share}-{size}")
    await page.close()

    assert wide == {version: [] for version in wide}


@pytest.mark.parametrize("stage", [CHARIOTEER, CHARIOT_RACE, CHARIOTMASTER], indirect=True)
async def test_nothing_sticks_out_of_a_display_where_it_is_narrowest(stage: Stage, browser: Browser) -> None:
    page = await browser.new_page(viewport=NARROW, reduced_motion="reduce")
    await open_game(page, stage.url)
    await page.evaluate(GO, stage.version * 2 // 3)

    assert await page.evaluate(READ_CRAMPED) == []
    await page.close()


@pytest.mark.parametrize("size", SIZES)
async def test_the_lobby_fits_the_window(stage: Stage, database: Database, browser: Browser, size: str) -> None:
    page = await browser.new_page(viewport=SIZES[size])
    async with projector_at_work(stage.node.parts, database):
        await page.goto(stage.url.partition("/games/")[0])
        while not await page.locator(".game").count():
            await page.reload()

        wide = await page.evaluate(READ_WIDE)
        await picture(page, f"lobby-{size}")
        await page.close()

    assert wide == []
