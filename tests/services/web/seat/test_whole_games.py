"""Whole games in a real browser against bots: by mouse, by touch on a phone and by keyboard at a desk; pictures."""

import asyncio
import json
import re
from collections import Counter
from collections.abc import Sequence
from itertools import cycle, islice
from typing import Literal

import httpx
import pytest
from msgspec import Struct
from playwright.async_api import Browser, Locator, Page, ViewportSize, expect

from domain.audit.bundle import parse_bundle
from domain.audit.verify import verify
from domain.ruleset.kit import Kit
from domain.rulesets.chariot_race.kit.kit import KIT as CHARIOT_RACE
from domain.rulesets.charioteer.kit.kit import KIT as CHARIOTEER
from domain.rulesets.chariotmaster.kit.kit import KIT as CHARIOTMASTER
from domain.rulesets.released import Rebuilder
from spina_client.client import Demand
from spina_client.formats import Json
from tests.services.web.axe import find_serious
from tests.services.web.seat.table import choose_suggested, laid_table, sit_down
from tests.services.web.test_pictures import READ_WIDE, picture
from tests.services.web.watching import WAIT_MS, hurried_context, wait_for_state

DESK: ViewportSize = {"width": 1280, "height": 800}
PHONE: ViewportSize = {"width": 390, "height": 844}
MINE = re.compile("^(Your turn|You won|You came in)")
ANSWERS_MAX = 200
# Enough to show each hand at its work in every panel; a lap of Charioteer crosses the line.
SHORT: dict[str, dict[str, Json]] = {
    CHARIOT_RACE.ruleset.name: {"rounds_max": 4},
    CHARIOTEER.ruleset.name: {"laps": 1},
    CHARIOTMASTER.ruleset.name: {"turns_max": 6},
}
# What one panel changes of the page that was looked at as a whole with the first of them.
OF_A_PANEL = (".now", ".board-frame")
# The kind of a decision, whether the guide points at it or not.
KIND = """() => {
  const panel = document.querySelector(".panel-room").firstElementChild;
  return [...(panel?.classList ?? [])].filter((name) => name !== "pointed-at").join(" ") || "choice";
}"""


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


MOUSE, TOUCH, KEYBOARD = Hand(means="mouse"), Hand(means="touch"), Hand(means="keyboard")


async def test_chariot_race_is_played_to_its_end_by_touch_and_by_keyboard(
    served: str, browser: Browser, axe: str
) -> None:
    page = await _open(browser, TOUCH)
    async with laid_table(served, CHARIOT_RACE, options=SHORT[CHARIOT_RACE.ruleset.name]) as table:
        await sit_down(page, table)
        await _play(page, (TOUCH, KEYBOARD), CHARIOT_RACE, axe)

    await wait_for_state(page, "The end")
    await expect(page.locator(".seat h2")).to_have_text(re.compile("^You (won|came in)"))


@pytest.mark.parametrize("kit", [CHARIOTEER, CHARIOTMASTER], ids=lambda kit: kit.ruleset.name)
async def test_a_game_by_touch_and_by_keyboard_in_own_custody_is_proven_by_its_bundle(
    served: str, browser: Browser, kit: Kit, axe: str
) -> None:
    page = await _open(browser, TOUCH)
    demands: tuple[Demand, ...] = ("links", "own_custody", "signed")
    async with laid_table(served, kit, options=SHORT[kit.ruleset.name], demands=demands) as table:
        await sit_down(page, table)
        await expect(page.locator(".seat-foot")).to_contain_text("All you do is signed.")
        await _play(page, (TOUCH, KEYBOARD), kit, axe)
        async with httpx.AsyncClient(base_url=served) as client:
            raw = (await client.get(f"/v1/games/{table.game}/bundle")).content

    report = verify(parse_bundle(raw), rebuilder=Rebuilder()).report

    await wait_for_state(page, "The end")
    assert report.broken == ()
    assert {assurance.name for assurance in report.assurances if assurance.is_kept} >= {
        "links",
        "own_custody",
        "signed",
    }


async def test_simultaneous_games_lose_no_move_and_none_stands_still(
    served: str, browser: Browser, request: pytest.FixtureRequest
) -> None:
    kits = islice(cycle((CHARIOT_RACE, CHARIOTEER, CHARIOTMASTER)), request.config.getoption("--tables"))

    async with asyncio.TaskGroup() as playing:
        games = [playing.create_task(_play_by_mouse(served, browser, kit)) for kit in kits]

    for game in games:
        answers, types = game.result()
        assert types["action_played"] + types["action_sealed"] == answers
        assert (types["action_forfeited"], types["game_finished"]) == (0, 1)


async def _play_by_mouse(url: str, browser: Browser, kit: Kit) -> tuple[int, Counter[str]]:
    """Play a game, and return the answers of the page and the types of the lines, of others' inputs none."""
    page = await _open(browser, MOUSE)
    async with laid_table(url, kit, options=SHORT[kit.ruleset.name]) as table:
        await sit_down(page, table)
        answers = await _play(page, (MOUSE,), kit)
        await wait_for_state(page, "The end")
        async with httpx.AsyncClient(base_url=url) as client:
            raw = (await client.get(f"/v1/games/{table.game}/bundle")).content
    await page.context.close()
    lines = [json.loads(line) for line in parse_bundle(raw).log.splitlines()]
    return answers, Counter(line["type"] for line in lines if line["data"].get("seat", 0) == 0)


async def _open(browser: Browser, hand: Hand) -> Page:
    context = await hurried_context(browser, viewport=hand.size, has_touch=hand.means == "touch")
    page = await context.new_page()
    page.set_default_timeout(WAIT_MS)
    return page


async def _resize(page: Page, hand: Hand) -> None:
    if page.viewport_size != hand.size:
        await page.set_viewport_size(hand.size)


async def _send(page: Page, control: Locator, hand: Hand) -> None:
    """Send an answer; its panel goes as soon as it is stored. An event may be a rival's, and tells nothing."""
    panel = await page.locator(".panel-room > *").element_handle(timeout=WAIT_MS)
    await hand.press(control)
    await panel.wait_for_element_state("hidden", timeout=WAIT_MS)


async def _is_my_turn(page: Page) -> bool:
    """Wait for a turn of the browser's seat, or for the end."""
    heading = page.locator(".seat h2").filter(has_text=MINE)
    await expect(heading).to_be_visible(timeout=WAIT_MS)
    return (await heading.inner_text()).startswith("Your turn")


async def _play(page: Page, hands: Sequence[Hand], kit: Kit, axe: str | None = None) -> int:
    """Answer each decision with the suggestion of its panel, or by the first of its buttons; return how many were.

    The hands take turns at each kind of decision, in windows of their sizes, in which its panel fits.
    """
    answered: Counter[str] = Counter()
    hand = hands[0]
    for answers in range(ANSWERS_MAX):
        is_my_turn = await _is_my_turn(page)
        if answers and hand.means == "keyboard":
            await expect(page.locator(".seat h2")).to_be_focused()
        if not is_my_turn:
            return answers
        control = await choose_suggested(page)
        kind = await page.evaluate(KIND)
        if not answered[kind]:
            for one in hands:
                await _resize(page, one)
                await expect(control).to_be_in_viewport(ratio=1)
                await picture(page, f"seat-{kit.ruleset.name}-{kind}-{one.means}")
                assert await page.evaluate(READ_WIDE) == []
            if axe:
                assert await find_serious(page, axe, *(OF_A_PANEL if answered else ())) == []
        hand = hands[answered[kind] % len(hands)]
        await _resize(page, hand)
        answered[kind] += 1
        await _send(page, control, hand)
    raise AssertionError(f"expected the end of the game within {ANSWERS_MAX} answers, found none")
