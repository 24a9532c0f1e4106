"""How each move was made up, found in the lines of its turn: the parts add up to its distance."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

import tests.domain.rulesets.chariot_race
import tests.domain.rulesets.charioteer
import tests.domain.rulesets.chariotmaster
from tests.services.web.node import run

# By the folder of the ruleset's page: a golden game, where its turns begin, and the events of a move.
GOLDEN = {
    "charioteer": (
        tests.domain.rulesets.charioteer,
        "three-seats-one-lap-tie",
        "turn_began",
        {"distance_reckoned", "reset_revealed", "move_forfeited"},
    ),
    "chariot_race": (tests.domain.rulesets.chariot_race, "a_shared_win", "round_began", {"speed_set"}),
    "chariotmaster": (tests.domain.rulesets.chariotmaster, "lost_token", "mug_filled", {"turn_began"}),
}
# A tenth of a millimetre is lost in each part that is shown in centimetres.
NEAR = 0.5
LOST = re.compile("loses ([0-9]+)")
FIND = """
const { findMove } = await import(`./rulesets/${given.folder}/displays.js`);
console.log(JSON.stringify(given.turns.map((lines) => given.keys.map((key) => findMove(key, lines)).filter(Boolean))));
"""


def split_turns(lines: list[dict[str, Any]], begins: str) -> list[list[dict[str, Any]]]:
    starts = [index for index, line in enumerate(lines) if line["type"] == begins]
    return [lines[start:end] for start, end in zip(starts, [*starts[1:], len(lines)], strict=True)]


def find_moves(folder: str) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Return the lines of the golden game, and the moves that the page finds in them."""
    package, name, begins, _ = GOLDEN[folder]
    path = Path(package.__path__[0], "golden", f"{name}.ndjson")
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    keys = sorted(
        {key for line in lines if (key := line["data"].get("chariot", line["data"].get("seat"))) is not None}, key=str
    )
    turns: list[list[dict[str, Any]]] = run(FIND, {"folder": folder, "turns": split_turns(lines, begins), "keys": keys})
    return lines, [move for turn in turns for move in turn]


@pytest.mark.parametrize("folder", GOLDEN)
def test_every_move_of_the_race_is_found_at_its_own_line(folder: str) -> None:
    lines, moves = find_moves(folder)

    told = [line["version"] for line in lines if line["type"] in GOLDEN[folder][3]]
    assert sorted(move["version"] for move in moves) == told
    assert len(told) > 10


@pytest.mark.parametrize("folder", GOLDEN)
def test_the_parts_add_up_to_the_whole(folder: str) -> None:
    _, moves = find_moves(folder)

    for move in moves:
        whole = move["total"] if move["total"] is not None else 0
        assert sum(value for _, value in move["parts"]) == pytest.approx(whole, abs=NEAR)
    assert any(len([value for _, value in move["parts"] if value]) > 1 for move in moves)


def test_the_losses_that_a_move_tells_are_all_of_its_chariot_s_losses_on_the_way() -> None:
    lines, moves = find_moves("chariot_race")
    own = {"speed_set", "corner_taken", "caltrop_hit", "chariot_rammed"}
    ends = {line["version"]: line for line in lines if line["type"] == "turn_ended"}

    for move in moves:
        end = min(version for version in ends if version > move["version"])
        lost = sum(
            line["data"]["damage"] for line in lines if move["version"] <= line["version"] < end and line["type"] in own
        )
        told = [int(points) for note in move["notes"] for points in LOST.findall(note)]
        assert sum(told) == lost
    assert any("sprint" in note for move in moves for note in move["notes"])
