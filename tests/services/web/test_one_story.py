"""The pages and the chronicle tell the same story, word for word: both have sentences, and here they are compared."""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from domain.canonical import encode
from domain.game.lines import outcome_tag
from domain.ids import Seat
from domain.log.entry import as_stored
from domain.log.record import GENESIS, Line, parse_line
from domain.rulesets.chariotmaster.race.aftermath_outcomes import CutLooseTested
from domain.rulesets.chariotmaster.race.mug_outcomes import TokenForfeited, TokenLapsed
from domain.rulesets.chariotmaster.race.outcomes import CascadeEnded, DefenceTried, DriverDied, RollLeft, WreckDestroyed
from domain.rulesets.chariotmaster.race.race_outcomes import (
    ChariotFinished,
    CrossingVoided,
    LapCompleted,
    LineCrossed,
    SeatWithdrawn,
    WithdrawalAnnounced,
)
from projections.sentences.lines import tell_line
from tests.domain.game.table import GAME
from tests.domain.rulesets.chariotmaster.races import RULES
from tests.domain.rulesets.chariotmaster.random_races import whole_race
from tests.projections.games import random_games
from tests.services.web.test_stories import GAMES, tell

# Random races of some hundred events each, in which most of what there is happens.
SEEDS = (1, 4, 5)
AT = "2026-11-18T12:00:00.000Z"


def differences(name: str, lines: Iterable[Line]) -> list[tuple[Any, Any]]:
    """List what is told in two ways: by the page, and by the chronicle."""
    given = list(lines)
    pages = tell(name, [json.loads(encode(line)) for line in given])
    chronicle = [tell_line(name.replace("_", "-"), line) for line in given]
    return [
        (page, (told.text, told.weight))
        for page, told in zip(pages, chronicle, strict=True)
        if page != (told.text, told.weight)
    ]


@pytest.mark.parametrize(("name", "path"), GAMES, ids=[path.stem for _, path in GAMES])
def test_a_golden_game_is_told_in_the_same_words(name: str, path: Path) -> None:
    lines = [parse_line(raw) for raw in path.read_bytes().splitlines()]

    assert differences(name, lines) == []


def test_whatever_happens_to_a_game_is_told_in_the_same_words() -> None:
    lines = [parse_line(raw) for raws in random_games() for raw in raws]
    known = [line for line in lines if line.kind == "input" or line.type in ("game_finished", "action_forfeited")]

    assert differences("charioteer", known) == []


@pytest.mark.parametrize("seed", SEEDS)
def test_a_random_race_of_chariotmaster_is_told_in_the_same_words(seed: int) -> None:
    events = whole_race(seed).written

    lines = [outcome_line(event, version) for version, event in enumerate(events, start=1)]

    assert len({line.type for line in lines}) > 20
    assert differences("chariotmaster", lines) == []


# What random drivers do not live to see.
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
    TokenForfeited(chariot=1, token=10),
    TokenLapsed(chariot=1, token=10),
    WithdrawalAnnounced(seat=Seat(2)),
    WreckDestroyed(chariot=1),
)


def test_what_is_rare_in_chariotmaster_is_told_in_the_same_words() -> None:
    lines = [outcome_line(event, version) for version, event in enumerate(RARE, start=1)]

    assert differences("chariotmaster", lines) == []


def test_no_event_of_chariotmaster_is_compared_nowhere() -> None:
    told = {
        outcome_tag(event, RULES) for event in (*RARE, *(each for seed in SEEDS for each in whole_race(seed).written))
    }

    assert set(RULES.outcome_types) - told == set()


def outcome_line(event: Any, version: int) -> Line:
    fields = {"at": AT, "by": "server", "command": None, "kind": "outcome", "prev": GENESIS, "sig": None}
    tag = outcome_tag(event, RULES)
    return parse_line(encode({**fields, "data": as_stored(event), "stream": GAME, "type": tag, "version": version}))


def test_where_all_are_wrecked_both_say_that_nobody_won() -> None:
    (path,) = (path for _, path in GAMES if "nobody_wins" in path.stem)
    lines = [parse_line(raw) for raw in path.read_bytes().splitlines()]
    (end,) = (line for line in lines if line.type == "game_finished")

    assert tell_line("chariot-race", end).text.startswith("Nobody won. Final order: 2. seat ")
    assert differences("chariot_race", [end]) == []
