"""The pages' knowledge of a whole race from its lines alone, in any order of arrival."""

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

import tests.domain.rulesets.chariot_race
import tests.domain.rulesets.charioteer
from domain.rulesets.released import find_kit
from infra.ruleset_files import read_words
from tests.services.web.node import run

GOLDEN = {
    "charioteer@1": Path(tests.domain.rulesets.charioteer.__path__[0], "golden", "three-seats-one-lap-tie.ndjson"),
    "chariot-race@1": Path(tests.domain.rulesets.chariot_race.__path__[0], "golden", "a_shared_win.ndjson"),
}
# The registry of rulesets needs a browser for its boards; the rest is its words about lines.
READ = """
const { RaceHistory } = await import("./game/race_history.js");
const folder = given.ruleset.startsWith("charioteer") ? "charioteer" : "chariot_race";
const { findPlaces } = await import(`./rulesets/${folder}/displays.js`);
const history = new RaceHistory({ words: given.words, findPlaces, turnField: given.words.turn_field });
for (const page of given.pages) history.add(page);
const standings = history.readStandings();
console.log(JSON.stringify({
  turns: history.turns,
  found: given.versions.map((version) => history.findTurn(version)?.number ?? null),
  standings: standings.map(({ number, version, progress, out }) => [number, version, [...progress], [...out]]),
}));
"""
GAPS = """
const { RaceHistory, findGaps } = await import("./game/race_history.js");
const findPlaces = ({ data }) => data.places ?? [];
const history = new RaceHistory({ words: { marks: { turn_began: "turn" } }, findPlaces, turnField: "turn" });
history.add(given);
console.log(JSON.stringify(history.readStandings().map((each) => [...findGaps(each)])));
"""
NAMES = """
const { setNames, seat, inSeat, fullName } = await import("./parts/names.js");
setNames(given);
console.log(JSON.stringify([0, 1, 2].map((number) => [seat(number), inSeat(number), fullName(number)])));
"""


def read_golden(ruleset: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in GOLDEN[ruleset].read_text().splitlines()]


def read_history(ruleset: str, pages: list[list[dict[str, Any]]], versions: tuple[int, ...] = ()) -> dict[str, Any]:
    kit = find_kit(ruleset)
    assert kit is not None
    words = msgspec.to_builtins(read_words(kit))
    found: dict[str, Any] = run(READ, {"ruleset": ruleset, "words": words, "pages": pages, "versions": versions})
    return found


@pytest.mark.parametrize("ruleset", GOLDEN)
def test_the_order_in_which_lines_come_does_not_matter(ruleset: str) -> None:
    lines = read_golden(ruleset)
    backwards = lines[::-1]

    by_page = read_history(ruleset, [lines[60:], lines[:60]])

    assert by_page == read_history(ruleset, [backwards])
    assert [turn["number"] for turn in by_page["turns"]] == list(range(1, len(by_page["turns"]) + 1))


@pytest.mark.parametrize("ruleset", GOLDEN)
def test_standings_are_where_the_last_moves_of_the_turn_ended(ruleset: str) -> None:
    lines = read_golden(ruleset)

    history = read_history(ruleset, [lines])

    moved = [line for line in lines if line["type"] in ("chariot_moved", "whip_used", "chariot_set_back")]
    last = {
        line["data"].get("chariot", line["data"].get("seat")): line["data"].get("front", line["data"].get("progress"))
        for line in moved
    }
    assert dict(history["standings"][-1][2]) == last
    assert [standing[0] for standing in history["standings"]] == [turn["number"] for turn in history["turns"]]


def test_a_chariot_that_has_finished_is_not_behind_one_that_rolls_further() -> None:
    lines = [
        {"version": 1, "type": "turn_began", "data": {"turn": 1}},
        {"version": 2, "type": "moved", "data": {"places": [{"key": 0, "progress": 100}]}},
        {"version": 3, "type": "finished", "data": {"places": [{"key": 0, "place": 1}]}},
        {"version": 4, "type": "moved", "data": {"places": [{"key": 1, "progress": 120}]}},
    ]

    (gaps,) = run(GAPS, lines)

    assert gaps == [[0, 0], [1, 0]]


def test_a_version_lies_in_the_turn_that_began_before_it() -> None:
    lines = read_golden("charioteer@1")
    second = next(line["version"] for line in lines if line["type"] == "turn_began" and line["data"]["turn"] == 2)

    history = read_history("charioteer@1", [lines], (1, second - 1, second, second + 1))

    assert history["found"] == [None, 1, 2, 2]


@pytest.mark.parametrize(
    ("names", "called"),
    [
        ({}, ["Seat 0", "Seat 1", "Seat 2"]),
        ({0: "Ada", 2: "Teres (house bot)"}, ["Ada", "Seat 1", "Teres"]),
        ({0: "Ada (bot)", 1: "Ada (human)", 2: "Bob"}, ["Ada (bot)", "Ada (human)", "Bob"]),
        ({0: "Ada", 1: "Ada"}, ["Ada (seat 0)", "Ada (seat 1)", "Seat 2"]),
        ({0: "Seat 1"}, ["Seat 1 (seat 0)", "Seat 1", "Seat 2"]),
    ],
)
def test_no_driver_is_called_what_another_could_be_taken_for(names: dict[int, str], called: list[str]) -> None:
    told = run(NAMES, names)

    assert [sentence[0] for sentence in told] == called
