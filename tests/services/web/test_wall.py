"""The wall of a hall: who sits where, tables and standings, legible from far away, and turning by itself."""

from playwright.async_api import Page, Route, ViewportSize, expect

from tests.services.web.axe import find_serious_by_day_and_night
from tests.services.web.tournament_server import CupStage
from tests.services.web.watching import WAIT_MS

TURN_MS = 10_000
# Read at four metres: a thirtieth of the height of the screen.
LINE_SHARE = 1 / 30
HALL: ViewportSize = {"width": 1920, "height": 1080}
NAMES = [f"Driver {number}" for number in range(100)]


async def test_the_wall_tells_who_sits_where_then_the_tables_without_an_account(
    cup: CupStage, page: Page, axe: str
) -> None:
    await page.clock.install()
    await page.set_viewport_size(HALL)
    await cup.cup.signed("announcements", "announced", {"entrants": [], "text": "The wheel stands by the bar."})
    await page.goto(f"{cup.page}/wall")
    await page.get_by_role("heading", name="Round 1: who sits where").wait_for(timeout=WAIT_MS)
    tables = await cup.tables()

    seats = {seat.name: table.table for table in tables for seat in table.seats}
    for name, table in seats.items():
        await expect(page.locator(".wall-rows li", has_text=name or "").first).to_contain_text(f"table {table}")
    await expect(page.locator(".wall-word")).to_have_text("The wheel stands by the bar.")
    sizes = await page.locator(".wall-rows li").evaluate_all(
        "lines => lines.map(line => parseFloat(getComputedStyle(line).fontSize))"
    )
    assert min(sizes) >= HALL["height"] * LINE_SHARE
    assert await find_serious_by_day_and_night(page, axe) == []
    await page.clock.run_for(TURN_MS)
    await expect(page.get_by_role("heading", name="Round 1: the tables")).to_be_visible()


async def test_a_key_turns_the_wall_and_a_button_stops_it(cup: CupStage, page: Page) -> None:
    await page.clock.install()
    await page.goto(f"{cup.page}/wall")
    first = page.get_by_role("heading", name="Round 1: who sits where")
    await first.wait_for(timeout=WAIT_MS)

    await page.keyboard.press("ArrowRight")
    await expect(first).to_be_hidden()
    await page.keyboard.press("ArrowLeft")
    await page.get_by_role("button", name="Stop here").click()
    await page.clock.run_for(3 * TURN_MS)

    await expect(first).to_be_visible()


async def test_a_hundred_names_take_as_many_screens_as_they_need_and_none_is_cut_off(cup: CupStage, page: Page) -> None:
    await page.set_viewport_size({"width": 1280, "height": 720})
    await page.route(f"**{cup.cup.path}/pairings*", _answer_crowded)
    await page.goto(f"{cup.page}/wall")
    heading = page.locator(".wall-slide h2")
    await expect(heading).to_contain_text("of", timeout=WAIT_MS)
    screens = int((await heading.text_content() or "").rpartition(" of ")[2].rstrip(")"))

    seen: list[str] = []
    for _ in range(screens):
        seen += await page.locator(".wall-who").all_text_contents()
        assert await page.locator(".wall-slide").evaluate("slide => slide.scrollHeight <= slide.clientHeight + 1")
        await page.keyboard.press("ArrowRight")

    assert set(seen) == set(NAMES)


async def _answer_crowded(route: Route) -> None:
    """Answer with a hundred people at tables of four."""
    answer = await route.fetch()
    pairings = await answer.json()
    (round_,) = pairings["items"]
    table, seat = round_["tables"][0], round_["tables"][0]["seats"][0]
    round_["byes"] = round_["excused"] = []
    round_["tables"] = [
        {
            **table,
            "table": number + 1,
            "status": "awaited",
            # Another test of the same tournament may have ruled who won there.
            "scored": [],
            "seats": [{**seat, "name": name} for name in NAMES[4 * number : 4 * number + 4]],
        }
        for number in range(len(NAMES) // 4)
    ]
    await route.fulfill(response=answer, json=pairings)
