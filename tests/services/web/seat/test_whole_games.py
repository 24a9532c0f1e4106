"""Whole games in a real browser against bots: by mouse, by touch on a phone, by keyboard alone; pictures are kept."""

import re
from collections.abc import AsyncIterator
from typing import Literal

import pytest
import pytest_asyncio
from msgspec import Struct
from playwright.async_api import Browser, Locator, Page, ViewportSize, expect

from domain.ruleset.kit import Kit
from domain.rulesets.chariot_race.kit.kit import KIT as CHARIOT_RACE
from domain.rulesets.released import KITS
from tests.database import Database
from tests.services.live.node import Node, running_node
from tests.services.web.axe import find_serious
from tests.services.web.seat.table import laid_table, sit_down
from tests.services.web.test_pictures import picture
from tests.services.web.watching import WAIT_MS, wait_for_state

DESK: ViewportSize = {"width": 1280, "height": 800}
PHONE: ViewportSize = {"width": 390, "height": 844}
MINE = re.compile("^(Your turn|You won|You came in)")
ANSWERS_MAX = 200
# The decisions of which a picture is kept: the first of each kind.
KIND = "() => document.querySelector('.panel-room').firstElementChild?.className || 'choice'"


class Hand(Struct, frozen=True, kw_only=True):
    """How a player reaches the controls of the page."""

    means: Literal["mouse", "touch", "keyboard"]

    @property
    def size(self) -> ViewportSize:
        return PHONE if self.means == "touch" else DESK

    async def press(self, control: Locator) -> None:
        if self.means == "mouse":
            await control.click()
        elif self.means == "touch":
            await control.tap()
        else:
            await control.focus()
            await control.press("Enter")


@pytest_asyncio.fixture(loop_scope="session")
async def node(database: Database) -> AsyncIterator[Node]:
    async with running_node(database, None, kits=KITS) as found:
        yield found


@pytest.mark.parametrize("hand", [Hand(means="mouse"), Hand(means="touch"), Hand(means="keyboard")], ids=str)
async def test_chariot_race_is_played_to_its_end(node: Node, browser: Browser, hand: Hand, axe: str) -> None:
    page = await _open(browser, hand)
    async with laid_table(node, CHARIOT_RACE) as table:
        await sit_down(page, table)
        await _play(page, hand, CHARIOT_RACE, axe)

    await wait_for_state(page, "The end")
    await expect(page.locator(".seat h2")).to_have_text(re.compile("^You (won|came in)"))


async def _open(browser: Browser, hand: Hand) -> Page:
    context = await browser.new_context(viewport=hand.size, has_touch=hand.means == "touch", reduced_motion="reduce")
    page = await context.new_page()
    page.set_default_timeout(WAIT_MS)
    return page


async def _play(page: Page, hand: Hand, kit: Kit, axe: str) -> None:
    """Answer each decision with the answer that the panel suggests, or by the first of its buttons."""
    pictured: set[str] = set()
    for _ in range(ANSWERS_MAX):
        heading = page.locator(".seat h2").filter(has_text=MINE)
        await expect(heading).to_be_visible(timeout=WAIT_MS)
        if not (await heading.inner_text()).startswith("Your turn"):
            return
        control = page.locator(".decision .go-button:visible, .attack-panel > .buttons:last-child button").first
        await control.wait_for()
        kind = await page.evaluate(KIND)
        if kind not in pictured:
            pictured.add(kind)
            await picture(page, f"seat-{kit.ruleset.name}-{kind}-{hand.means}")
            assert await find_serious(page, axe) == []
        version = await page.locator(".where").inner_text()
        await hand.press(control)
        await expect(page.locator(".where")).not_to_have_text(version, timeout=WAIT_MS)
    raise AssertionError(f"expected the end of the game within {ANSWERS_MAX} answers, found none")
