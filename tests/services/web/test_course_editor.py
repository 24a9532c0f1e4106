"""The page on which courses are drawn: every drawing closes, is drawn as the rules draw it, and becomes a race."""

import math
import re
from itertools import islice
from random import Random
from typing import Any

import msgspec
import pytest
from playwright.async_api import Browser, Locator, Page, expect

from domain.rulesets.chariotmaster.offers.course_picture import draw_course
from domain.rulesets.chariotmaster.race.racetrack import Arena, build_arena
from domain.rulesets.chariotmaster.table.course import UnfitCourse
from domain.rulesets.chariotmaster.table.course_plan import CoursePlan
from domain.rulesets.chariotmaster.table.shapes import Pose
from domain.rulesets.chariotmaster.table.travel import is_free
from tests.domain.rulesets.chariotmaster.own_components import BOX
from tests.domain.rulesets.chariotmaster.random_plans import is_fit, random_plans
from tests.services.web.axe import find_serious
from tests.services.web.node import run
from tests.services.web.watching import WAIT_MS

SHAPE = """
const { drawPlan, shape, toPlan, toSketch } = await import("./courses/shape.js");
const lay = (sketch) => {
  const shaped = shape(sketch);
  if (!shaped.pieces) return { fault: shaped.fault.said };
  const plan = toPlan(sketch, shaped);
  return { plan, picture: drawPlan(plan), again: toPlan(toSketch(plan), shape(toSketch(plan))) };
};
const read = ({ course }) => lay(toSketch(course));
console.log(JSON.stringify((given.sketches ?? []).map(lay).concat((given.courses ?? []).map(read))));
"""
# Drawn as they are, to the rounding of a float.
NEAR_UM = 2
# A pose so near to a wall as this, in millimetres, is judged by neither.
UNSURE_MM = 0.6


def random_sketch(random: Random) -> dict[str, Any]:
    """Corners round a point, as people draw them, at times the other way round or crossed."""
    count = random.randrange(3, 9)
    turns = sorted((random.uniform(0, 360) for _ in range(count)), reverse=random.randrange(4) == 0)
    if random.randrange(6) == 0:
        random.shuffle(turns)
    corners = [
        {
            "x": round(random.uniform(350, 900) * math.cos(math.radians(turn))),
            "y": round(random.uniform(300, 700) * math.sin(math.radians(turn))),
            "radius": random.randrange(80, 300, 5),
        }
        for turn in turns
    ]
    start = {"edge": random.randrange(count), "share": random.random()}
    return {"name": "Drawn", "width": 200, "laps": None, "wallDice": None, "corners": corners, "start": start,
            "obstacles": []}  # fmt: skip


@pytest.mark.rule("CM-140")
def test_every_drawing_that_the_page_lays_closes_and_is_drawn_as_the_rules_draw_it() -> None:
    random = Random(7)  # noqa: S311 - repeatable drawings, no secret
    laid = run(SHAPE, {"sketches": [random_sketch(random) for _ in range(200)]})

    refused, fit = [], 0
    for plan, picture in [(item["plan"], item["picture"]) for item in laid if "plan" in item]:
        try:
            drawn = msgspec.to_builtins(draw_course(build_arena(BOX, msgspec.convert(plan, CoursePlan))))
        except UnfitCourse as unfit:
            refused.append(unfit.expected)
            continue
        fit += 1
        assert [piece["kind"] for piece in picture["pieces"]] == [piece["kind"] for piece in drawn["pieces"]]
        for ours, theirs in zip(picture["pieces"], drawn["pieces"], strict=True):
            for wall in ("middle", "inner_wall", "outer_wall"):
                for axis in ("x_um", "y_um"):
                    assert abs(ours["starts"][wall][axis] - theirs["starts"][wall][axis]) < NEAR_UM
        assert picture["grid"] == [[{**pose, "heading": 0} for pose in row] for row in drawn["grid"]]
    assert fit > 20
    # What is left to the rules is room, and no drawing is open.
    assert all(expected.startswith(("walls that", "a radius", "a last piece")) for expected in refused)


def test_a_course_is_drawn_again_from_its_plan() -> None:
    fit = filter(is_fit, random_plans(Random(3)))  # noqa: S311 - repeatable courses, no secret
    plans = [msgspec.to_builtins(plan) for plan in islice(fit, 20)]
    box = [{**msgspec.to_builtins(row), "name": row.name.capitalize()} for row in BOX.courses]

    laid = run(SHAPE, {"courses": [{"course": plan} for plan in plans + box]})

    for plan, item in zip(plans + box, laid, strict=True):
        assert "plan" in item, (plan, item)
        lengths = [
            sum(math.radians(piece["degrees"]) * piece["radius_mm"] if piece["kind"] == "arc" else piece["length_mm"]
                for piece in pieces)
            for pieces in (plan["pieces"], item["plan"]["pieces"])
        ]  # fmt: skip
        assert abs(lengths[0] - lengths[1]) < 12
        assert len(item["plan"]["obstacles"]) == len(plan["obstacles"])


def wall_points(picture: dict[str, Any]) -> list[tuple[float, float]]:
    """Return the walls as the page draws them, by straights and arcs, a point every millimetre."""
    points = []
    half_um = picture["width_um"] / 2
    for piece in picture["pieces"]:
        heading = math.radians(piece["starts"]["heading"])
        for wall, left_um in (("inner_wall", half_um), ("outer_wall", -half_um)):
            x, y = piece["starts"][wall]["x_um"] / 1_000, piece["starts"][wall]["y_um"] / 1_000
            if piece["kind"] == "straight":
                length = piece["length_um"] / 1_000
                steps = range(math.ceil(length))
                points += [(x + step * math.cos(heading), y + step * math.sin(heading)) for step in steps]
                continue
            side = 1 if piece["turn"] == "left" else -1
            radius = (piece["radius_um"] - side * left_um) / 1_000
            centre = x - side * radius * math.sin(heading), y + side * radius * math.cos(heading)
            count = max(1, math.ceil(math.radians(piece["degrees"]) * radius))
            for step in range(count):
                turn = heading + side * math.radians(piece["degrees"]) * step / count
                points.append((centre[0] + side * radius * math.sin(turn), centre[1] - side * radius * math.cos(turn)))
    return points


def object_points(picture: dict[str, Any]) -> list[tuple[float, float]]:
    """Return the obstacles as the page draws them, filled, a point every millimetre."""
    points = []
    for item in picture["objects"]:
        ahead = math.radians(item["pose"]["heading"])
        x, y = item["pose"]["x_um"] / 1_000, item["pose"]["y_um"] / 1_000
        length, width = item["length_um"] / 1_000, item["width_um"] / 1_000
        for along in range(round(length) + 1):
            for aside in range(round(width) + 1):
                dx, dy = along - length / 2, aside - width / 2
                points.append((
                    x + dx * math.cos(ahead) - dy * math.sin(ahead), y + dx * math.sin(ahead) + dy * math.cos(ahead)
                ))  # fmt: skip
    return points


def depth_mm(point: tuple[float, float], pose: Pose) -> float:
    """Return how deep a point lies in a chariot that stands so; outside it is negative."""
    ahead = math.radians(pose.heading)
    dx, dy = point[0] - pose.x_um / 1_000, point[1] - pose.y_um / 1_000
    along, aside = dx * math.cos(ahead) + dy * math.sin(ahead), dy * math.cos(ahead) - dx * math.sin(ahead)
    return min(20 - abs(along), 10 - abs(aside))


def judge(arena: Arena, random: Random, *, poses: int) -> tuple[int, int]:
    """Let rules and picture judge random poses on the track; return how many are free and how many are not."""
    picture = msgspec.to_builtins(draw_course(arena))
    cells: dict[tuple[int, int], list[tuple[float, float]]] = {}
    for point in wall_points(picture) + object_points(picture):
        cells.setdefault((int(point[0] // 50), int(point[1] // 50)), []).append(point)
    free = met = 0
    for _ in range(poses):
        stretch = random.choice(arena.course.middle)
        reach_um = arena.course.width_um // 2
        pose = Pose(
            x_um=stretch.start[0] // 10**9 + random.randrange(-reach_um, reach_um),
            y_um=stretch.start[1] // 10**9 + random.randrange(-reach_um, reach_um),
            heading=random.randrange(360),
        )
        column, row = pose.x_um // 50_000, pose.y_um // 50_000
        around = [point for x in (-1, 0, 1) for y in (-1, 0, 1) for point in cells.get((column + x, row + y), ())]
        deepest = max((depth_mm(point, pose) for point in around), default=-99.0)
        if abs(deepest) < UNSURE_MM + 0.5:
            continue
        assert is_free(arena.chariot, pose, arena.fixed) == (deepest < 0), (pose, deepest)
        free, met = free + (deepest < 0), met + (deepest > 0)
    return free, met


@pytest.mark.rule("CM-111", "CM-141")
def test_rules_and_picture_agree_on_the_contacts_of_random_poses(courses: int) -> None:
    random = Random(11)  # noqa: S311 - repeatable poses, no secret
    plans = [plan for plan, _ in zip(random_plans(random), range(courses), strict=False) if is_fit(plan)]

    judged = [judge(build_arena(BOX, plan), random, poses=80) for plan in (*BOX.courses, *plans)]

    assert min(min(free, met) for free, met in judged) > 3


async def find_middle(handle: Locator) -> tuple[float, float]:
    """Handles are made anew whenever the course is drawn: one that goes meanwhile is looked for again."""
    while (box := await handle.bounding_box(timeout=WAIT_MS)) is None:
        pass
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


async def drag(page: Page, handle: Locator, dx: int, dy: int) -> None:
    x, y = await find_middle(handle)
    await page.mouse.move(x, y)
    await page.mouse.down()
    await page.mouse.move(x + dx, y + dy, steps=3)
    await page.mouse.up()


def handle(page: Page, kind: str, index: int = 0) -> Locator:
    return page.locator(f'[data-item="{kind}-{index}"]')


async def test_a_course_is_drawn_by_mouse_kept_and_raced(served: str, page: Page) -> None:
    await page.goto(f"{served}/courses")
    state = page.locator(".course-state")
    await expect(state).to_contain_text("A lap is 238 cm", timeout=WAIT_MS)

    await drag(page, handle(page, "edge", 1), 0, -60)
    await expect(handle(page, "corner", 4)).to_be_visible()
    await page.get_by_label("Name", exact=True).fill("Ostia")
    await page.get_by_role("button", name="Add an obstacle").click()
    await drag(page, handle(page, "obstacle"), 0, 95)
    await expect(state).to_contain_text("Obstacle 1 at", timeout=WAIT_MS)
    await expect(page.locator(".course-fault")).to_be_visible()
    await expect(page.get_by_role("button", name="Race it now")).to_be_disabled()
    await page.get_by_role("button", name="Undo").click()
    await expect(page.locator(".course-fault")).to_have_count(0)
    await page.get_by_role("button", name="Race it now").click()

    await expect(page).to_have_url(re.compile(r"\?course=[0-9a-f]{64}$"), timeout=WAIT_MS)
    await page.get_by_role("button", name="To the start").click()
    await expect(page.locator("chariotmaster-board .obstacle")).to_have_count(1, timeout=WAIT_MS)
    await expect(page.locator("body")).to_contain_text("course: Ostia")


async def touch(page: Page, handle: Locator, dx: int, dy: int) -> None:
    """Drag with one finger."""
    # The state of a course is written before its handles are drawn.
    await handle.wait_for(timeout=WAIT_MS)
    box = await handle.bounding_box()
    assert box is not None
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    session = await page.context.new_cdp_session(page)
    for type_, moved in (("touchStart", 0.0), ("touchMove", 0.5), ("touchMove", 1.0)):
        points = [{"x": x + dx * moved, "y": y + dy * moved}]
        await session.send("Input.dispatchTouchEvent", {"type": type_, "touchPoints": points})
    await session.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})


async def test_a_course_is_drawn_by_touch_on_a_phone(served: str, browser: Browser) -> None:
    context = await browser.new_context(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    page = await context.new_page()
    await page.goto(f"{served}/courses")
    await expect(page.locator(".course-state")).to_contain_text("A lap is 238 cm", timeout=WAIT_MS)

    await touch(page, handle(page, "corner", 1), 0, -40)

    await expect(page.locator(".course-state")).not_to_contain_text("A lap is 238 cm")
    assert await page.evaluate("document.documentElement.scrollWidth") <= 390
    assert await page.evaluate("scrollY") == 0


async def test_a_course_is_changed_by_keys_alone(served: str, page: Page) -> None:
    await page.goto(f"{served}/courses")
    await handle(page, "corner", 0).wait_for(timeout=WAIT_MS)

    await handle(page, "edge", 1).focus()
    await page.keyboard.press("Enter")
    await handle(page, "corner", 2).focus()
    for key in ("ArrowUp", "ArrowUp", "Shift+ArrowRight"):
        await page.keyboard.press(key)

    await expect(handle(page, "corner", 4)).to_be_visible()
    moved = await page.evaluate("JSON.parse(localStorage['spina-course']).corners[2]")
    assert (moved["x"], moved["y"]) == (1, 360)
    await page.keyboard.press("Delete")
    await expect(handle(page, "corner", 4)).to_have_count(0)
    await page.keyboard.press("Control+z")
    await expect(handle(page, "corner", 4)).to_be_visible()


async def test_the_page_has_no_serious_fault_for_assistive_programs(served: str, page: Page, axe: str) -> None:
    await page.goto(f"{served}/courses")
    await handle(page, "corner", 0).wait_for(timeout=WAIT_MS)

    assert await find_serious(page, axe) == []
