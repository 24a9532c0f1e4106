"""The story in sentences: every tag of the log has one, and whole golden games are told without a gap."""

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

import tests.domain.rulesets.chariot_race
import tests.domain.rulesets.charioteer
from domain.game.events import INPUT_TYPES
from domain.game.events import OUTCOME_TYPES as GAME_OUTCOME_TYPES
from domain.rulesets.chariot_race.outcomes import OUTCOME_TYPES as CHARIOT_RACE_TYPES
from domain.rulesets.charioteer.outcomes import OUTCOME_TYPES as CHARIOTEER_TYPES
from domain.rulesets.chariotmaster.race.outcomes import OUTCOME_TYPES as CHARIOTMASTER_TYPES
from tests.services.web.node import run

RULESETS: dict[str, Mapping[str, type]] = {
    "charioteer": CHARIOTEER_TYPES,
    "chariot_race": CHARIOT_RACE_TYPES,
    "chariotmaster": CHARIOTMASTER_TYPES,
}
GOLDEN = {
    "charioteer": Path(tests.domain.rulesets.charioteer.__path__[0], "golden"),
    "chariot_race": Path(tests.domain.rulesets.chariot_race.__path__[0], "golden"),
}
GAMES = [(name, path) for name, folder in GOLDEN.items() for path in sorted(folder.glob("*.ndjson"))]

NAME_TAGS = """
const story = await import(given);
console.log(JSON.stringify({ told: Object.keys(story.SENTENCES), small: [...(story.QUIET ?? [])] }));
"""
TELL = """
const { tell, weigh } = await import("./story.js");
const story = await import(given.story);
console.log(JSON.stringify(given.lines.map((line) => [tell(line, story), weigh(line, story)])));
"""
# What a sentence looks like whose data was not what its function expected.
GAPS = re.compile(r"undefined|NaN|null|\[object|  |\.\.$|, \.")


def tell(name: str, lines: list[dict[str, Any]]) -> list[tuple[str, str]]:
    told = run(TELL, {"story": f"./{name}/story.js", "lines": lines})
    return [(sentence, weight) for sentence, weight in told]


@pytest.mark.parametrize("name", RULESETS)
def test_a_ruleset_has_a_sentence_for_each_of_its_tags_and_for_no_other(name: str) -> None:
    tags = run(NAME_TAGS, f"./{name}/story.js")

    assert set(tags["told"]) == set(RULESETS[name])
    assert set(tags["small"]) <= set(RULESETS[name])


def test_every_event_of_the_game_itself_has_a_sentence() -> None:
    tags = run(NAME_TAGS, "./story.js")

    assert set(tags["told"]) == {*INPUT_TYPES, *GAME_OUTCOME_TYPES}


@pytest.mark.parametrize(("name", "path"), GAMES, ids=[path.stem for _, path in GAMES])
def test_a_whole_game_is_told_without_a_gap(name: str, path: Path) -> None:
    lines = [json.loads(line) for line in path.read_text().splitlines()]

    told = tell(name, lines)

    assert len(told) == len(lines)
    assert [sentence for sentence, _ in told if GAPS.search(sentence) or not sentence.endswith((".", "!"))] == []


def test_distances_add_up_in_the_sentence() -> None:
    data = {
        "seat": 1,
        "symbol": "red-5",
        "symbols": 5,
        "number": 5,
        "token": 5,
        "skill": 0,
        "damage": 2,
        "distance": 13,
    }

    told = tell("charioteer", [{"type": "distance_reckoned", "version": 1, "data": data}])

    assert told == [("Seat 1 goes 13: 5 symbols + 5 of red-5 + 5 token \u2212 2 damage.", "plain")]


def test_a_tag_that_the_page_does_not_know_is_still_told() -> None:
    told = tell("chariot_race", [{"type": "horse_renamed", "version": 1, "data": {}}])

    assert told == [("Horse renamed.", "plain")]
