"""Chariotmaster is driven on the table and by sliders: lengths are lawful, and the ghost stands where a step ends."""

import re

from playwright.async_api import Page, expect

from domain.rulesets.chariotmaster.kit.kit import KIT
from tests.services.web.seat.table import laid_table, sit_down
from tests.services.web.watching import WAIT_MS

STEPS_MAX = 12
READ_GHOST = "() => document.querySelector('.ghost').getAttribute('transform')"
READ_CHARIOT = """
() => {
  const made = [...document.querySelectorAll("[data-chariot^='0:']")].at(-1);
  return `translate(${made.dataset.at}) rotate(${made.dataset.turned})`;
}
"""


async def answer(page: Page) -> None:
    """Send the answer that is chosen; its panel goes as soon as it is stored."""
    panel = await page.locator(".panel-room > *").element_handle(timeout=WAIT_MS)
    await page.locator(".decision .go-button:visible").first.click()
    await panel.wait_for_element_state("hidden", timeout=WAIT_MS)


async def wait_to_drive(page: Page) -> None:
    """Give the suggested answers until the chariot may be driven straight ahead."""
    ahead = page.get_by_role("group", name="Steps").get_by_role("button", name="Ahead", exact=True)
    for _ in range(STEPS_MAX):
        await page.get_by_role("heading", name="Your turn").wait_for(timeout=WAIT_MS)
        await page.locator(".decision .go-button:visible").first.wait_for()
        if await ahead.count():
            return
        await answer(page)
    raise AssertionError(f"expected a way ahead within {STEPS_MAX} answers, found none")


async def test_a_chariot_is_built_for_no_more_than_its_points(served: str, page: Page) -> None:
    async with laid_table(served, KIT) as table:
        await sit_down(page, table)
        await page.get_by_role("button", name=re.compile(r"^Boars \+2")).click()
        await expect(page.locator(".points-line")).to_have_text("2 of 3 points spent")

        await page.get_by_role("button", name=re.compile(r"^Frightening \+2")).click()

        await expect(page.locator(".points-line")).to_have_text("4 of 3 points: too many")
        await expect(page.locator(".sending .go-button")).to_be_hidden()


async def test_an_option_that_excludes_the_chosen_one_is_out_of_reach(served: str, page: Page) -> None:
    async with laid_table(served, KIT) as table:
        await sit_down(page, table)
        await expect(page.get_by_role("button", name=re.compile(r"^Fast \+1"))).to_be_enabled(timeout=WAIT_MS)

        await page.get_by_role("button", name=re.compile(r"^Heavy \+1")).click()

        await expect(page.get_by_role("button", name=re.compile(r"^Fast \+1"))).to_be_disabled()


async def test_the_chariot_comes_to_stand_where_its_ghost_stood(served: str, page: Page) -> None:
    async with laid_table(served, KIT) as table:
        await sit_down(page, table)
        await wait_to_drive(page)
        await page.get_by_role("button", name="Ahead", exact=True).click()
        await page.get_by_label(re.compile("^Then turn")).fill("-3")
        ghost = await page.evaluate(READ_GHOST)

        await answer(page)

        await page.wait_for_function(f"ghost => ({READ_CHARIOT})() === ghost", arg=ghost, timeout=WAIT_MS)


async def test_the_pointer_drags_the_chariot_to_a_lawful_length(served: str, page: Page) -> None:
    async with laid_table(served, KIT) as table:
        await sit_down(page, table)
        await wait_to_drive(page)
        length = page.get_by_label(re.compile("^Length"))
        await page.get_by_role("button", name="Ahead", exact=True).click()
        await length.press("End")
        longest = int(await length.input_value())
        lane = await page.locator(".lane-ahead .lane-all").bounding_box()
        assert lane is not None

        await page.mouse.move(lane["x"] + lane["width"] / 2, lane["y"] + lane["height"] / 2)
        await page.mouse.down()
        await page.mouse.up()

        assert 0 < int(await length.input_value()) < longest
        await expect(page.locator(".effect")).to_contain_text("gained along the track", timeout=WAIT_MS)


async def test_keys_step_by_a_millimetre_and_to_either_end(served: str, page: Page) -> None:
    async with laid_table(served, KIT) as table:
        await sit_down(page, table)
        await wait_to_drive(page)
        await page.get_by_role("button", name="Ahead", exact=True).click()
        length = page.get_by_label(re.compile("^Length"))
        lengths = []

        for key in ("End", "ArrowLeft", "Home"):
            await length.press(key)
            lengths.append(int(await length.input_value()))

        assert 0 < lengths[1] == lengths[0] - 1
        assert lengths[2] == 0
        await expect(page.locator(".sending .go-button")).to_contain_text(re.compile("Play: ahead"))
