"""Whole games in a real browser against bots: by mouse, by touch on a phone and by keyboard at a desk; pictures."""

import re

import httpx2
import pytest
from playwright.async_api import Browser, expect

from domain.audit.bundle import parse_bundle
from domain.audit.verify import verify
from domain.ruleset.kit import Kit
from domain.rulesets.chariot_race.kit.kit import KIT as CHARIOT_RACE
from domain.rulesets.charioteer.kit.kit import KIT as CHARIOTEER
from domain.rulesets.chariotmaster.kit.kit import KIT as CHARIOTMASTER
from domain.rulesets.released import Rebuilder
from spina_client.client import Demand
from spina_client.formats import Json
from tests.services.web.seat.playing import KEYBOARD, TOUCH, open_page, play
from tests.services.web.seat.table import laid_table, sit_down
from tests.services.web.watching import wait_for_state

# Enough to show each hand at its work in every panel; a lap of Charioteer crosses the line.
SHORT: dict[str, dict[str, Json]] = {
    CHARIOT_RACE.ruleset.name: {"rounds_max": 4},
    CHARIOTEER.ruleset.name: {"laps": 1},
    CHARIOTMASTER.ruleset.name: {"turns_max": 6},
}


async def test_chariot_race_is_played_to_its_end_by_touch_and_by_keyboard(
    served: str, browser: Browser, axe: str
) -> None:
    page = await open_page(browser, TOUCH)
    async with laid_table(served, CHARIOT_RACE, options=SHORT[CHARIOT_RACE.ruleset.name]) as table:
        await sit_down(page, table)
        await play(page, (TOUCH, KEYBOARD), CHARIOT_RACE, axe)

    await wait_for_state(page, "The end")
    await expect(page.locator(".seat h2")).to_have_text(re.compile("^You (won|came in)"))


@pytest.mark.parametrize("kit", [CHARIOTEER, CHARIOTMASTER], ids=lambda kit: kit.ruleset.name)
async def test_a_game_by_touch_and_by_keyboard_in_own_custody_is_proven_by_its_bundle(
    served: str, browser: Browser, kit: Kit, axe: str
) -> None:
    page = await open_page(browser, TOUCH)
    demands: tuple[Demand, ...] = ("links", "own_custody", "signed")
    async with laid_table(served, kit, options=SHORT[kit.ruleset.name], demands=demands) as table:
        await sit_down(page, table)
        await expect(page.locator(".seat-foot")).to_contain_text("All you do is signed.")
        await play(page, (TOUCH, KEYBOARD), kit, axe)
        async with httpx2.AsyncClient(base_url=served) as client:
            raw = (await client.get(f"/v1/games/{table.game}/bundle")).content

    report = verify(parse_bundle(raw), rebuilder=Rebuilder()).report

    await wait_for_state(page, "The end")
    assert report.broken == ()
    assert {assurance.name for assurance in report.assurances if assurance.is_kept} >= {
        "links",
        "own_custody",
        "signed",
    }
