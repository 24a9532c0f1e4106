"""A replay in a real browser: the drawing of every moment agrees with the API."""

import json
from typing import Any

import pytest
from playwright.async_api import Page, expect

from tests.services.web.game_server import CHARIOT_RACE, CHARIOTEER, CHARIOTMASTER, Stage
from tests.services.web.watching import WAIT_MS, open_game, read_drawn, wait_for_state, wait_for_version

WISHES = {
    "sprint": "The emperor wants sprints",
    "attack": "The emperor wants attacks",
    "recover": "The emperor wants recovery",
    "corner": "The emperor wants corners",
    "all": "The emperor wants everything",
    "disrupt": "The emperor disrupts",
    None: "The emperor has not spoken",
}
# A race of Chariotmaster has a thousand versions, most of which change a number or two.
EVERY = 16
LOOKED_AT_MIN = 65
# How many pixels of the newest line are below the box of the story.
READ_HIDDEN_END = """
() => {
  const list = document.querySelector(".story");
  const [line, box] = [list.lastElementChild, list].map((each) => each.getBoundingClientRect());
  return Math.max(0, Math.round(line.bottom - box.bottom));
}
"""
# Places are drawn to a tenth of a millimetre.
NEAR_MM = 0.2
FACES = {"plus_minus": "±", "fortuna": "Fortuna"}


def expect_charioteer(shown: dict[str, Any]) -> dict[str, Any]:
    board = shown["board"]
    racing = [driver for driver in board["drivers"] if driver["is_racing"]]
    kinds = ["Start" if n == board["track"]["start"] else f"Space {n + 1}, {s['kind']}" for n, s in _spaces(board)]
    crowd = [card["card"] or "face down" for card in board["crowd"]]
    return {
        "infield": [f"Turn {board['turn']}", f"Lap {board['lap']} of {board['laps']}", WISHES[board["emperor"]]],
        "chariots": {
            str(chariot["seat"]): [
                f"space {chariot['space']}, {len(chariot['beside'])} inside",
                [kinds[chariot["space"]]],
            ]
            for chariot in racing
        },
        "crowd": len(crowd),
        "displays": [
            [
                f"Driver {driver['seat']}",
                str(driver["damage"]),
                f"{len(driver['hand'])} card{'s' * (len(driver['hand']) != 1)}",
            ]
            for driver in sorted(board["drivers"], key=lambda driver: driver["place"] or 99)
        ],
    }


def _spaces(board: dict[str, Any]) -> list[tuple[int, dict[str, Any]]]:
    return list(enumerate(board["track"]["spaces"]))


def found_charioteer(drawn: dict[str, Any]) -> dict[str, Any]:
    return {
        "infield": drawn["infield"],
        "chariots": {key: [said, titles] for key, said, titles in drawn["chariots"]},
        "crowd": len(drawn["crowd"]),
        "displays": [[name, facts["Damage"], facts["Hand"]] for name, facts in drawn["displays"]],
    }


def expect_chariot_race(shown: dict[str, Any]) -> dict[str, Any]:
    board = shown["board"]
    turn = board["turn"]
    spaces = {space["name"]: space for lane in board["track"]["lanes"] for space in lane["spaces"]}
    chosen = [chariot for chariot in board["chariots"] if chariot["colour"]]
    drivers = {item["colour"]: _driver(item, chosen) for item in chosen}
    return {
        "infield": [
            f"Round {board['round']}",
            f"{drivers[turn['chariot']]} drives" if turn else f"{board['laps']} laps",
        ],
        "chariots": {
            item["colour"]: [item["space"], [_title(spaces[item["space"]])]] for item in chosen if item["space"]
        },
        "caltrops": sorted(f"Caltrop on {name}" for name in board["caltrops"]),
        "dice": [FACES.get(face, face) for face in turn["dice"]] if turn else [],
        "displays": sorted(
            [
                drivers[item["colour"]],
                f"{item['damage_left']} of {item['damage_max']}",
                f"{item['speed']} of {item['speed_max']}",
                f"{item['fate']} of {item['fate_max']}",
            ]
            for item in chosen
        ),
    }


def _driver(chariot: dict[str, Any], chariots: list[dict[str, Any]]) -> str:
    """Name a chariot by its driver, and by its colour too where the driver has several."""
    is_alone = [item["seat"] for item in chariots].count(chariot["seat"]) == 1
    return f"Driver {chariot['seat']}" + ("" if is_alone else f" ({chariot['colour'].capitalize()})")


def _title(space: dict[str, Any]) -> str:
    limit = f"limit {space['limit']}" if space["limit"] else ""
    heap = "heap of stones" if space["has_heap"] else ""
    return ", ".join(each for each in (space["name"], limit, heap) if each)


def found_chariot_race(drawn: dict[str, Any]) -> dict[str, Any]:
    return {
        "infield": drawn["infield"],
        "chariots": {key: [said, titles] for key, said, titles in drawn["chariots"]},
        "caltrops": sorted(drawn["caltrops"]),
        "dice": drawn["dice"],
        "displays": sorted(
            [name, facts["Strength"], facts["Speed"], facts["Fate"]] for name, facts in drawn["displays"]
        ),
    }


def expect_chariotmaster(shown: dict[str, Any]) -> dict[str, Any]:
    board = shown["board"]
    pieces = board["pieces"]
    poses = [piece["pose"] for piece in pieces]
    return {
        "chariots": sorted(f"{pose['x_um']},{pose['y_um']},{pose['heading']}" for pose in poses),
        "turn": f"Turn {board['game_turn']}." if board["game_turn"] else "The chariots are being built.",
        "displays": sorted(
            [
                f"Driver {chariot['seat']}",
                *(tell_points(chariot[kind]) for kind in ("stamina", "structure", "health", "skill")),
            ]
            for chariot in board["chariots"]
        ),
    }


def tell_points(points: dict[str, int]) -> str:
    worse = f" +{points['modifier']} on the table" if points["modifier"] else ""
    return f"{points['left']} of {points['start']}{worse}"


def find_middles(shown: dict[str, Any]) -> dict[str, Any]:
    """Return where the middle of each part is in the picture, whose y axis points down, in millimetres."""
    return {
        f"{piece['piece']} {part['part']}": pytest.approx((part["x_um"] / 1000, -part["y_um"] / 1000), abs=NEAR_MM)
        for piece in shown["board"]["pieces"]
        for part in piece["parts"]
    }


def found_chariotmaster(drawn: dict[str, Any]) -> dict[str, Any]:
    kinds = ("Stamina", "Structure", "Health", "Skill")
    return {
        "chariots": sorted(said for _key, said, _titles in drawn["chariots"]),
        "turn": drawn["caption"].partition(".")[0] + ".",
        "displays": sorted([name, *(facts[kind] for kind in kinds)] for name, facts in drawn["displays"]),
    }


@pytest.mark.parametrize("stage", [CHARIOTMASTER], indirect=True)
async def test_chariotmaster_s_table_is_drawn_to_scale_as_the_api_tells_it(stage: Stage, page: Page) -> None:
    boards = await stage.boards()
    await open_game(page, stage.url)

    drawn = await read_drawn(page, stage.version, step=EVERY)

    assert len(drawn) > LOOKED_AT_MIN
    for item in drawn:
        shown = boards[item["version"] - 1]
        if shown["board"] is not None:
            assert (item["version"], found_chariotmaster(item)) == (item["version"], expect_chariotmaster(shown))
            middles = {name: (x, y) for name, x, y in item["parts"]}
            assert middles == find_middles(shown)


@pytest.mark.parametrize(
    ("stage", "expected", "found"),
    [
        (CHARIOTEER, expect_charioteer, found_charioteer),
        (CHARIOT_RACE, expect_chariot_race, found_chariot_race),
    ],
    indirect=["stage"],
)
async def test_every_version_is_drawn_as_the_api_tells_it(stage: Stage, page: Page, expected: Any, found: Any) -> None:
    boards = await stage.boards()
    await open_game(page, stage.url)

    drawn = await read_drawn(page, stage.version)

    assert len(drawn) == len(boards) == stage.version
    for each, shown in zip(drawn, boards, strict=True):
        if shown["board"] is not None:
            assert (each["version"], found(each)) == (shown["version"], expected(shown))
    assert [item["banner"] for item in drawn][-1].startswith("Final order: 1. Driver ")
    # The drawing changes, or the comparison would not state much.
    assert len({str(item["chariots"]) for item in drawn}) > 10


async def test_a_link_leads_to_its_moment_of_a_game_that_is_over_and_the_keys_go_on_from_there(
    stage: Stage, page: Page
) -> None:
    await open_game(page, f"{stage.url}#57")
    await wait_for_version(page, 57)
    # A moment of a game that is over does not say that it runs.
    await expect(page.locator(".game-head .status")).to_have_text("Finished")
    await expect(page.locator(".banner")).to_be_hidden()

    seen = []
    for key in ("ArrowRight", "ArrowLeft", "Shift+ArrowRight", "Home", "End"):
        await page.keyboard.press(key)
        seen.append(await page.evaluate('document.querySelector("spina-game").playhead.version'))

    assert seen[:2] == [58, 57]
    assert seen[3:] == [1, stage.version]
    line = await page.evaluate(f'document.querySelector("spina-game").log.find({seen[2]}).type')
    assert line in ("turn_began", "race_ended")


async def test_playing_goes_through_the_events_and_stops_at_the_end(stage: Stage, page: Page) -> None:
    await open_game(page, f"{stage.url}#{stage.version - 6}")
    await page.select_option('[aria-label="Speed"]', "16")

    await page.get_by_role("button", name="Play", exact=True).click()

    await wait_for_version(page, stage.version)
    await page.wait_for_selector('button[aria-label="Play"]')


async def test_after_the_end_any_seat_s_hand_of_then_is_shown(stage: Stage, page: Page) -> None:
    version = next(board["version"] for board in await stage.boards() if board["board"] and board["board"]["turn"] == 2)
    seen = (await stage.boards(seat=1))[version - 1]["board"]["own"]["hand"]
    await open_game(page, f"{stage.url}#{version}")
    await wait_for_version(page, version)

    await page.get_by_label("As seen by").select_option("1")

    shown = page.locator(".display", has_text="Driver 1").locator("dd .card")
    await shown.first.wait_for()
    titles = [await locator.get_attribute("data-head") for locator in await shown.all()]
    assert titles == [card["card"] for card in seen]
    assert await page.locator("dd .card").count() == len(seen)


async def test_every_move_and_every_turn_of_the_chart_is_a_way_there_and_the_last_line_is_whole_in_its_box(
    stage: Stage, page: Page
) -> None:
    lines = [json.loads(line) for line in stage.golden.lines]
    reckoned = [line for line in lines if line["type"] in {"distance_reckoned", "reset_revealed", "move_forfeited"}]
    await open_game(page, stage.url)
    assert await page.evaluate(READ_HIDDEN_END) == 0

    await page.get_by_text("The same in numbers").click()
    await page.locator("spina-chart tbody th a").nth(1).click()

    await wait_for_state(page, "Replay")
    there = await page.evaluate('document.querySelector(".where").textContent')
    assert there.endswith(", turn 2")

    await page.keyboard.press("End")
    await wait_for_version(page, stage.version)
    await page.get_by_text("Every move, and how it was made up").click()

    await expect(page.locator(".moves li > a")).to_have_count(len(reckoned), timeout=WAIT_MS)
    await page.locator(".moves li > a").nth(4).click()

    await wait_for_version(page, reckoned[4]["version"])
    told = await page.locator(".moves .total").all_inner_texts()
    assert told == [f"= {line['data']['distance']}" for line in lines if line["type"] == "distance_reckoned"]


async def test_before_the_race_is_laid_out_the_place_of_the_board_says_so(stage: Stage, page: Page) -> None:
    await open_game(page, f"{stage.url}#1")

    await expect(page.locator(".bare")).to_have_text("The race is laid out once all seats are ready.", timeout=WAIT_MS)
    await expect(page.locator(".board")).to_be_hidden()
    await page.keyboard.press("End")

    await expect(page.locator(".bare")).to_have_text("", timeout=WAIT_MS)
    await expect(page.locator(".board")).to_be_visible()


async def test_a_game_that_is_not_there_is_said_to_be_not_there(served: str, page: Page, complaints: list[str]) -> None:
    await page.goto(f"{served}/games/0199c0de-0000-7000-8000-00000000dead")

    said = await page.get_by_role("alert").text_content()

    assert said is not None
    assert "There is no such game" in said
    assert await page.locator("spina-check").count() == 0
    assert [complaint for complaint in complaints if "404" not in complaint] == []
    complaints.clear()
