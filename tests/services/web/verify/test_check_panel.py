"""The panel that checks a game as it comes: every roll of a finished game is marked, a forged one is not."""

import json
from pathlib import Path
from typing import Any

import pytest
from playwright.async_api import Page, expect

import tests.domain.rulesets.charioteer
from tests.domain.audit.forgeries import a_contribution_left_out, a_die_changed
from tests.services.audits.files import RACE

GOLDEN = Path(tests.domain.rulesets.charioteer.__path__[0], "golden", "three-seats-one-lap-tie.ndjson")
CHARIOTEER = GOLDEN.read_bytes().splitlines()
CHARIOT_RACE = RACE.read_bytes().splitlines()
# Hands the lines to a panel in parts, the later part first, as a page does that shows the present before the past.
SHOW = """
async (lines) => {
  await import("/web/proof/check_panel.js");
  globalThis.told = [];
  document.addEventListener("roll-verified", ({ detail }) => told.push(detail));
  const panel = document.createElement("spina-check");
  document.querySelector("main").replaceChildren(panel);
  const middle = Math.floor(lines.length / 2);
  panel.addLines(lines.slice(middle));
  panel.addLines(lines.slice(0, middle));
}
"""
SHOW_EMPTY = """
async (element) => {
  await import("/web/proof/check_panel.js");
  document.querySelector("main").replaceChildren(document.createElement(element));
}
"""


def read(raws: list[bytes] | tuple[bytes, ...]) -> list[dict[str, Any]]:
    return [json.loads(raw) for raw in raws]


def versions(lines: list[dict[str, Any]], *types: str) -> list[int]:
    return [line["version"] for line in lines if line["type"] in types]


# On a page that opens no worker: a second instance of its module could not name its policy again.
async def show(page: Page, served: str, lines: list[dict[str, Any]]) -> None:
    await page.goto(f"{served}/rules/charioteer")
    await page.evaluate(SHOW, lines)
    await expect(page.get_by_text(f"This browser has checked {len(lines)} lines itself.")).to_be_visible()


async def told(page: Page) -> dict[int, str]:
    """Return the last verdict on each draw."""
    found: list[dict[str, Any]] = await page.evaluate("told")
    return {finding["version"]: finding["verdict"] for finding in found}


async def test_every_roll_and_shuffle_of_a_finished_game_is_marked(served: str, page: Page) -> None:
    lines = read(CHARIOT_RACE)

    await show(page, served, lines)

    await expect(page.locator(".check-state")).to_contain_text("Everything that can be checked here holds.")
    assert await told(page) == dict.fromkeys(versions(lines, "dice_rolled", "deck_shuffled"), "held")


async def test_every_roll_and_shuffle_is_marked_and_the_list_says_how_each_was_checked(served: str, page: Page) -> None:
    lines = read(CHARIOTEER)
    await show(page, served, lines)

    await page.get_by_text("Every roll and shuffle").click()

    await expect(page.locator(".check-state")).to_contain_text("Everything that can be checked here holds.")
    assert await told(page) == dict.fromkeys(versions(lines, "dice_rolled", "deck_shuffled"), "held")
    await expect(page.locator(".draws li")).to_have_count(len(versions(lines, "dice_rolled", "deck_shuffled")))
    first = lines[versions(lines, "dice_rolled")[0] - 1]["data"]
    said = await page.locator(f".draws li[data-version='{versions(lines, 'dice_rolled')[0]}']").inner_text()
    assert f"link {first['index']} of chain 1" in said
    assert "checked by this browser" in said


async def test_a_shuffle_waits_for_the_secret(served: str, page: Page) -> None:
    lines = read(CHARIOTEER)[:-2]

    await show(page, served, lines)

    await expect(page.locator(".check-state")).to_contain_text("not yet: ending and secret")
    verdicts = await told(page)
    assert {verdicts[version] for version in versions(lines, "deck_shuffled")} == {"not_checkable_yet"}
    assert {verdicts[version] for version in versions(lines, "dice_rolled")} == {"held"}


async def test_a_changed_die_has_another_mark_and_the_state_names_its_line(served: str, page: Page) -> None:
    forged = a_die_changed()

    await show(page, served, read(forged.raws))

    await expect(page.locator(".check-state")).to_contain_text(f"The first bad line is {forged.at}.")
    verdicts = await told(page)
    assert [version for version, verdict in verdicts.items() if verdict == "did_not_hold"] == [forged.at]


async def test_no_roll_is_vouched_for_after_a_contribution_was_left_out(served: str, page: Page) -> None:
    forged = a_contribution_left_out()

    await show(page, served, read(forged.raws))

    verdicts = await told(page)
    after = [version for version in versions(read(forged.raws), "dice_rolled", "deck_shuffled") if version > forged.at]
    assert {verdicts[version] for version in after} == {"not_checkable_yet"}


@pytest.mark.parametrize("element", ["spina-bundle", "spina-check"])
async def test_on_plain_http_from_another_machine_the_page_says_why_nothing_is_checked(
    elsewhere: str, page: Page, element: str
) -> None:
    await page.goto(f"{elsewhere}/rules/charioteer")
    await page.evaluate(SHOW_EMPTY, element)

    await expect(page.locator(element)).to_contain_text("plain http from another machine")
    assert await page.evaluate("crypto.subtle") is None
