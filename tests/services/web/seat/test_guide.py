"""A first game explains itself: a guide through the page, tips on its marks, and the rules with their pictures."""

import re

import pytest
from playwright.async_api import Page, expect

from domain.rulesets.charioteer.kit.kit import KIT as CHARIOTEER
from tests.services.web.axe import find_serious
from tests.services.web.seat.table import laid_table, sit_down
from tests.services.web.watching import WAIT_MS

ALONE = re.compile(r"^Waiting for you$")
# Keys of tips on the page that have no text.
FIND_UNTOLD = """
async () => {
  const { listTips } = await import("/web/board/tips.js");
  // Beside the page's own modules, these were given no texts: the ruleset's are read as they stand.
  const own = Object.values(await import("/web/rulesets/charioteer/tips.js")).flatMap((texts) => Object.keys(texts));
  const known = new Set([...own, ...listTips().map(([name]) => name)]);
  const used = [...document.querySelectorAll("[data-tip]")].flatMap((each) => each.dataset.tip.split(" "));
  return [used.length > 20, [...new Set(used)].filter((key) => !known.has(key))];
}
"""


async def test_a_first_game_explains_itself_until_the_guide_is_dismissed(served: str, page: Page, axe: str) -> None:
    guide, ring, tip = (
        page.get_by_role("region", name="Guide"),
        page.locator(".pointed-at"),
        page.get_by_role("tooltip"),
    )
    async with laid_table(served, CHARIOTEER) as table:
        await sit_down(page, table)
        await expect(guide).to_contain_text("This is the circus.", timeout=WAIT_MS)
        await expect(ring).to_have_class("board-frame pointed-at")
        # From here on the page is not built anew, as the rivals have sealed.
        await expect(page.locator("spina-waiting")).to_have_text(ALONE, timeout=WAIT_MS)
        serious = await find_serious(page, axe)

        await page.locator("[data-tip='eggs']").hover()
        await expect(tip).to_contain_text("An egg for each lap.", timeout=WAIT_MS)
        await page.keyboard.press("Escape")
        await expect(tip).to_be_hidden()
        await page.mouse.move(0, 0)
        await page.locator(".displays [data-tip][tabindex='0']").focus()
        await page.keyboard.press("ArrowRight")
        await page.keyboard.press("ArrowLeft")
        await expect(tip).to_contain_text("The crowd's card of this turn", timeout=WAIT_MS)
        await expect(page.locator(".displays [tabindex='0']")).to_have_attribute("aria-describedby", "tip")
        assert await page.locator(".displays [tabindex='0']").count() == 1
        await page.locator(".board-frame [data-tip][tabindex='0']").focus()
        await page.keyboard.press("ArrowRight")
        await expect(tip).to_contain_text("A dark outer space of a corner.", timeout=WAIT_MS)
        assert await page.evaluate(FIND_UNTOLD) == [True, []]

        await guide.get_by_role("button", name="Next").press("Enter")
        await expect(guide).to_contain_text("Your hand.")
        await expect(ring).to_have_attribute("aria-label", "Your hand")
        await guide.get_by_role("button", name="No more guide").click()
        await page.reload()

        await page.get_by_label("Whole moves").wait_for(timeout=WAIT_MS)
        await page.get_by_text("Your seat", exact=True).click()
        await expect(guide).to_be_hidden()
        await page.get_by_role("button", name="Show the guide again").click()
        await expect(guide).to_contain_text("This is the circus.")
        assert serious == []


@pytest.mark.parametrize("name", ["charioteer", "chariot-race", "chariotmaster"])
async def test_the_rules_have_pictures(served: str, page: Page, axe: str, name: str) -> None:
    await page.goto(served)
    await page.locator(f"a[href='/rules/{name}']").click()

    await expect(page.locator("figure")).to_have_count(4, timeout=WAIT_MS)
    assert await find_serious(page, axe) == []
