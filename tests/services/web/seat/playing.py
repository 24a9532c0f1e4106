"""Playing a game in its page: by mouse, by touch on a phone and by keyboard at a desk."""

import re
from collections import Counter
from collections.abc import Sequence
from typing import Literal

from msgspec import Struct
from playwright.async_api import Browser, Locator, Page, ViewportSize, expect

from domain.ruleset.kit import Kit
from tests.services.web.axe import find_serious
from tests.services.web.seat.table import choose_suggested
from tests.services.web.test_pictures import READ_WIDE, picture
from tests.services.web.watching import WAIT_MS, hurried_context

DESK: ViewportSize = {"width": 1280, "height": 800}
PHONE: ViewportSize = {"width": 390, "height": 844}
MINE = re.compile("^(Your turn|You won|You came in)")
ANSWERS_MAX = 200
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


async def open_page(browser: Browser, hand: Hand) -> Page:
    context = await hurried_context(browser, viewport=hand.size, has_touch=hand.means == "touch")
    page = await context.new_page()
    page.set_default_timeout(WAIT_MS)
    return page


async def play(
    page: Page, hands: Sequence[Hand], kit: Kit, axe: str | None = None, *, answers_max: int = ANSWERS_MAX
) -> int:
    """Answer each decision with the suggestion of its panel, or by the first of its buttons; return how many were.

    The hands take turns at each kind of decision, in windows of their sizes, in which its panel fits.
    """
    answered: Counter[str] = Counter()
    hand = hands[0]
    for answers in range(answers_max):
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
    raise AssertionError(f"expected the end of the game within {answers_max} answers, found none")


async def _resize(page: Page, hand: Hand) -> None:
    if page.viewport_size != hand.size:
        await page.set_viewport_size(hand.size)


async def _send(page: Page, control: Locator, hand: Hand) -> None:
    """Send an answer; its panel goes as soon as it is stored. An event may be a rival's, and tells nothing."""
    panel = await page.locator(".panel-room > *").element_handle(timeout=WAIT_MS)
    await hand.press(control)
    await panel.wait_for_element_state("hidden", timeout=WAIT_MS)
    # The board shows what comes of it.
    await expect(page.locator(".board-frame")).to_be_in_viewport(timeout=WAIT_MS)


async def _is_my_turn(page: Page) -> bool:
    """Wait for a turn of the browser's seat, or for the end."""
    heading = page.locator(".seat h2").filter(has_text=MINE)
    await heading.wait_for(timeout=WAIT_MS)
    return (await heading.inner_text()).startswith("Your turn")
