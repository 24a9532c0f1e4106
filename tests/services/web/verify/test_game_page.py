"""The page of a game on a real server checks its own content, roll by roll, and any file dropped there."""

import json

import pytest
from playwright.async_api import Page, expect

from tests.domain.audit.audited_game import bundle_of
from tests.domain.audit.forgeries import a_die_changed
from tests.services.web.game_server import CHARIOT_RACE, CHARIOTEER, Golden, Stage
from tests.services.web.verify.choosing import drop
from tests.services.web.watching import WAIT_MS, open_game

# In the middle of either game.
MIDDLE = 120
# The lines that are laid out, and those of them with a mark.
READ_MARKED = """
() => [".told", ".told:has(.mark-held)"].map((lines) =>
  [...document.querySelectorAll(lines)].map((each) => Number(each.dataset.version)))
"""


def rolls(golden: Golden, upto: int) -> list[int]:
    told = [json.loads(raw) for raw in golden.lines[:upto]]
    return [sentence["version"] for sentence in told if sentence["type"] == "dice_rolled"]


def draws(golden: Golden) -> list[int]:
    told = [json.loads(raw) for raw in golden.lines]
    return [sentence["version"] for sentence in told if sentence["type"] in {"dice_rolled", "deck_shuffled"}]


async def read_marked(page: Page, rolled: list[int]) -> tuple[list[int], list[int]]:
    """Return the lines with a mark, in every detail, and those of the rolled ones that are laid out."""
    await page.get_by_label("every detail").check()
    laid, marked = await page.evaluate(READ_MARKED)
    return marked, [version for version in rolled if version in laid]


async def wait_until_checked(page: Page, lines: int) -> None:
    await page.get_by_text(f"This browser has checked {lines} lines itself.", exact=True).wait_for(timeout=WAIT_MS)


@pytest.mark.parametrize("stage", [(CHARIOTEER, MIDDLE), (CHARIOT_RACE, MIDDLE)], indirect=True)
async def test_a_live_game_is_checked_as_it_comes_and_its_story_shows_which_rolls(stage: Stage, page: Page) -> None:
    await open_game(page, stage.url)
    await wait_until_checked(page, stage.version)
    marked, laid = await read_marked(page, rolls(stage.golden, stage.version))
    assert marked == laid != []

    await stage.play()

    await wait_until_checked(page, stage.golden.version)
    await expect(page.locator(".check-state")).to_contain_text("Everything that can be checked here holds.")
    marked, laid = await read_marked(page, draws(stage.golden))
    assert marked == laid != []


@pytest.mark.parametrize("stage", [CHARIOTEER, CHARIOT_RACE], indirect=True)
async def test_every_roll_of_a_finished_game_is_marked_in_its_story(stage: Stage, page: Page) -> None:
    first = rolls(stage.golden, stage.golden.version)[0]
    await open_game(page, f"{stage.url}#{first}")

    await wait_until_checked(page, stage.golden.version)

    mark = page.locator(f".told[data-version='{first}']").get_by_role("img")
    await expect(mark).to_have_count(1)
    said = await mark.get_attribute("aria-label") or ""
    assert said.startswith("checked by this browser: ")
    assert "link 1 of chain 1" in said
    marked, laid = await read_marked(page, draws(stage.golden))
    assert marked == laid != []


async def test_a_roll_of_the_list_leads_to_its_moment(stage: Stage, page: Page) -> None:
    await open_game(page, stage.url)
    await wait_until_checked(page, stage.golden.version)
    await page.get_by_text("Every roll and shuffle").click()

    roll = rolls(stage.golden, stage.golden.version)[3]
    await page.get_by_role("link", name=f"Event {roll}", exact=True).click()

    await expect(page.locator(".where")).to_contain_text(f"Event {roll} of ", timeout=WAIT_MS)


async def test_a_file_dropped_on_the_page_of_a_game_is_checked_beside_it(stage: Stage, page: Page) -> None:
    await open_game(page, stage.url)
    await wait_until_checked(page, stage.golden.version)

    await drop(page, bundle_of(a_die_changed().raws))

    await expect(page.locator("spina-bundle .state")).to_contain_text(
        "Do not believe this file: it was changed at line"
    )
    await expect(page.locator(".check-state")).to_contain_text("Everything that can be checked here holds.")
