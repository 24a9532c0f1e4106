"""A board on a phone: two fingers zoom it, one moves what is zoomed, and a button goes near and back."""

import pytest
from playwright.async_api import Browser, Page, expect

from tests.services.web.game_server import CHARIOT_RACE, CHARIOTEER, CHARIOTMASTER, Stage
from tests.services.web.watching import hurried_context, open_game

PHONE = {"width": 390, "height": 844}
# Two fingers on the picture that go apart, or one that goes aside.
MOVE_FINGERS = """
(fingers) => {
  const picture = document.querySelector("spina-game .board-frame svg.board");
  const { left, top, width, height } = picture.getBoundingClientRect();
  const send = (type, pointerId, [x, y]) => picture.dispatchEvent(new PointerEvent(type, {
    pointerId, pointerType: "touch", bubbles: true, cancelable: true,
    clientX: left + width * x, clientY: top + height * y,
  }));
  fingers.forEach(([from], finger) => send("pointerdown", finger + 1, from));
  fingers.forEach(([, to], finger) => send("pointermove", finger + 1, to));
  fingers.forEach(([, to], finger) => send("pointerup", finger + 1, to));
  return picture.getAttribute("viewBox").split(" ").map(Number);
}
"""
READ_BOX = (
    "() => document.querySelector('spina-game .board-frame svg.board').getAttribute('viewBox').split(' ').map(Number)"
)
APART = [[[0.45, 0.5], [0.3, 0.5]], [[0.55, 0.5], [0.7, 0.5]]]
ASIDE = [[[0.5, 0.5], [0.3, 0.5]]]


async def open_on_a_phone(browser: Browser, stage: Stage) -> Page:
    page = await (await hurried_context(browser, viewport=PHONE, has_touch=True)).new_page()
    await open_game(page, stage.url)
    return page


@pytest.mark.parametrize("stage", [CHARIOTEER, CHARIOT_RACE, CHARIOTMASTER], indirect=True)
async def test_two_fingers_zoom_a_board_and_one_moves_what_is_zoomed(stage: Stage, browser: Browser) -> None:
    page = await open_on_a_phone(browser, stage)
    whole = await page.evaluate(READ_BOX)

    aside = await page.evaluate(MOVE_FINGERS, ASIDE)
    near = await page.evaluate(MOVE_FINGERS, APART)
    moved = await page.evaluate(MOVE_FINGERS, ASIDE)

    assert aside == whole
    assert near[2] == pytest.approx(whole[2] / 4, rel=0.01)
    assert moved[2] == near[2]
    assert moved[0] > near[0]


@pytest.mark.parametrize("stage", [CHARIOT_RACE], indirect=True)
async def test_a_button_goes_near_and_back_to_the_whole_board_and_names_keep_their_size(
    stage: Stage, browser: Browser
) -> None:
    page = await open_on_a_phone(browser, stage)
    name = page.locator(".chariots .label text").first
    await expect(name).to_have_text("Driver 0")
    whole, letters = await page.evaluate(READ_BOX), await name.get_attribute("font-size") or ""

    await page.get_by_role("button", name="Closer").click()
    near = await page.evaluate(READ_BOX)
    await expect(name).not_to_have_attribute("font-size", letters)
    smaller = float(await name.get_attribute("font-size") or 0) / float(letters)
    await page.get_by_role("button", name="The whole board").click()

    assert near[2] < whole[2] / 2
    assert smaller == pytest.approx(near[2] / whole[2])
    assert await page.evaluate(READ_BOX) == whole
    await expect(page.get_by_role("button", name="Closer")).to_be_visible()


@pytest.mark.parametrize("stage", [CHARIOTMASTER], indirect=True)
async def test_a_large_table_is_followed_until_the_viewer_asks_for_all_of_it(stage: Stage, browser: Browser) -> None:
    page = await (await hurried_context(browser)).new_page()
    await open_game(page, f"{stage.url}#{stage.version * 2 // 3}")
    miniature = page.locator(".board-frame .mini-needed")
    await expect(miniature).to_be_visible()
    x, y, width, height = await page.evaluate(READ_BOX)
    places = [
        [float(number) for number in (await chariot.get_attribute("data-at") or "").split(",")]
        for chariot in await page.locator(".chariots > g").all()
    ]

    await page.get_by_role("button", name="The whole board").click()
    whole = await page.evaluate(READ_BOX)

    assert width < whole[2] / 2
    assert any(x < left < x + width and y < top < y + height for left, top in places)
    await expect(miniature).to_have_count(0)
    # A later moment leaves the viewer's choice alone.
    await page.get_by_role("button", name="An event on").click()
    assert await page.evaluate(READ_BOX) == whole
