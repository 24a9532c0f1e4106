"""The pages describe every line in the words of the server: both evaluate the same templates."""

import json
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
import pytest

import tests.domain.rulesets.chariot_race
import tests.domain.rulesets.charioteer
from domain.canonical import encode
from domain.game.kind import find_tag
from domain.ids import Seat
from domain.log.entry import as_stored
from domain.log.record import GENESIS, Line, parse_line
from domain.rulesets.chariotmaster.race.aftermath_outcomes import CutLooseTested
from domain.rulesets.chariotmaster.race.mug_outcomes import TokenForfeited, TokenLapsed
from domain.rulesets.chariotmaster.race.outcomes import (
    CascadeEnded,
    DefenceTried,
    DriverDied,
    RollLeft,
    SubMoveLost,
    WreckDestroyed,
)
from domain.rulesets.chariotmaster.race.race_outcomes import (
    ChariotFinished,
    CrossingVoided,
    LapCompleted,
    LineCrossed,
    SeatWithdrawn,
    WithdrawalAnnounced,
)
from domain.rulesets.released import find_kit
from domain.sentences.words import Words, tell_line
from infra.ruleset_files import read_words
from tests.domain.game.game_harness import GAME
from tests.domain.rulesets.chariotmaster.races import RULES
from tests.domain.rulesets.chariotmaster.random_races import whole_race
from tests.projections.games import random_games
from tests.services.web.node import run

GOLDEN = [
    (name, path)
    for name, package in (
        ("charioteer", tests.domain.rulesets.charioteer),
        ("chariot-race", tests.domain.rulesets.chariot_race),
    )
    for path in sorted(Path(package.__path__[0], "golden").glob("*.ndjson"))
]
TELL = """
const { tell, weigh } = await import("./parts/sentences.js");
console.log(JSON.stringify(given.lines.map((line) => [tell(line, given.words), weigh(line, given.words)])));
"""
# Random races of some hundred events each, in which most events happen.
SEEDS = (1, 4, 5)
AT = "2026-11-18T12:00:00.000Z"


@cache
def words_of(name: str) -> Words:
    kit = find_kit(name)
    assert kit is not None
    return read_words(kit)


def differences(name: str, lines: Iterable[Line]) -> list[tuple[Any, Any]]:
    """List the sentences that page and server build differently."""
    given, words = list(lines), words_of(name)
    pages = run(TELL, {"words": msgspec.to_builtins(words), "lines": [json.loads(encode(line)) for line in given]})
    told = [tell_line(words, line) for line in given]
    return [
        (page, (each.text, each.weight))
        for page, each in zip(pages, told, strict=True)
        if tuple(page) != (each.text, each.weight)
    ]


@pytest.mark.parametrize(("name", "path"), GOLDEN, ids=[path.stem for _, path in GOLDEN])
def test_a_golden_game_is_told_in_the_same_words(name: str, path: Path) -> None:
    lines = [parse_line(raw) for raw in path.read_bytes().splitlines()]

    assert differences(name, lines) == []


def test_all_that_may_happen_to_a_game_is_told_in_the_same_words() -> None:
    lines = [parse_line(raw) for raws in random_games() for raw in raws]

    assert differences("charioteer", lines) == []


@pytest.mark.parametrize("seed", SEEDS)
def test_a_random_race_of_chariotmaster_is_told_in_the_same_words(seed: int) -> None:
    events = whole_race(seed).written

    lines = [outcome_line(event, version) for version, event in enumerate(events, start=1)]

    assert len({line.type for line in lines}) > 20
    assert differences("chariotmaster", lines) == []


# Events that random drivers do not live to see.
RARE = (
    CascadeEnded(collisions=12),
    ChariotFinished(chariot=1, place=2),
    CrossingVoided(chariot=1),
    CutLooseTested(chariot=1, face=3, is_passed=True),
    CutLooseTested(chariot=1, face=1, is_passed=False),
    DefenceTried(chariot=1, means="brake", face=3, modifier=1, is_passed=True),
    DefenceTried(chariot=1, means="evade", face=None, modifier=1, is_passed=True),
    DriverDied(chariot=1, team_pose=None),
    LapCompleted(chariot=1, lap=2),
    LineCrossed(chariot=1, is_dragged=True),
    LineCrossed(chariot=1, is_dragged=False),
    RollLeft(chariot=1),
    SeatWithdrawn(seat=Seat(2), chariots=(1, 3)),
    SeatWithdrawn(seat=Seat(2), chariots=()),
    SubMoveLost(chariot=1),
    TokenForfeited(chariot=1, token=10),
    TokenLapsed(chariot=1, token=10),
    WithdrawalAnnounced(seat=Seat(2)),
    WreckDestroyed(chariot=1),
)


def test_a_rare_event_of_chariotmaster_is_told_in_the_same_words() -> None:
    lines = [outcome_line(event, version) for version, event in enumerate(RARE, start=1)]

    assert differences("chariotmaster", lines) == []
    assert [line.type for line in lines if tell_line(words_of("chariotmaster"), line).text == untold(line)] == []


def untold(line: Line) -> str:
    return f"{line.type.replace('_', ' ').capitalize()}."


def test_every_event_of_chariotmaster_is_compared() -> None:
    told = {
        find_tag(event, RULES) for event in (*RARE, *(event for seed in SEEDS for event in whole_race(seed).written))
    }

    assert set(RULES.outcome_types) - told == set()


def outcome_line(event: Any, version: int) -> Line:
    fields = {"at": AT, "base": None, "by": "server", "command": None, "kind": "outcome", "prev": GENESIS, "sig": None}
    tag = find_tag(event, RULES)
    return parse_line(encode({**fields, "data": as_stored(event), "stream": GAME, "type": tag, "version": version}))


def test_where_all_are_wrecked_both_say_that_no_seat_won() -> None:
    (path,) = (path for _, path in GOLDEN if "nobody_wins" in path.stem)
    lines = [parse_line(raw) for raw in path.read_bytes().splitlines()]
    (end,) = (line for line in lines if line.type == "game_finished")

    assert tell_line(words_of("chariot-race"), end).text.startswith("No seat won. Final order: 2. seat ")
    assert differences("chariot-race", [end]) == []
