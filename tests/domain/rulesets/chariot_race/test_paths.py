"""Offers against brute force: every string of lanes is tried, and an offer comes true exactly."""

from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from domain.rulesets.chariot_race.actions import Move
from domain.rulesets.chariot_race.board import Board, chariot_of, front_of
from domain.rulesets.chariot_race.choices import MoveChoices
from domain.rulesets.chariot_race.components import Colour, Face
from domain.rulesets.chariot_race.options import RaceOptions
from domain.rulesets.chariot_race.outcomes import ChariotRammed, SpeedSet
from domain.rulesets.chariot_race.rejections import IllegalPath
from tests.domain.rulesets.chariot_race.boards import (
    RULES,
    carry_out,
    chariot,
    names,
    play_out,
    race,
    space_name,
    with_dice,
)

NAMES = play_out(2).board.track.names
SPACES = st.sampled_from(NAMES)


@st.composite
def crowded_boards(draw: st.DrawFn) -> Board:
    """Green is to move at a low speed, among chariots, caltrops and heaps of both sides."""
    options = RaceOptions(first_half=draw(st.sampled_from("AB")), second_half=draw(st.sampled_from("AB")))
    heaps = {"inner-13", "outer-20", "middle-22"}
    standing = [name for name in draw(st.lists(SPACES, min_size=3, max_size=3, unique=True)) if name not in heaps]
    start = draw(SPACES.filter(lambda name: name not in heaps and name not in standing))
    colours: tuple[Colour, ...] = ("red", "blue", "yellow")
    others = [
        chariot(colour, space, lap=draw(st.integers(-1, 1)), damage_left=draw(st.integers(1, 5)))
        for colour, space in zip(colours, standing, strict=False)
    ]
    green = chariot("green", start, speed=draw(st.integers(0, 5)), damage_left=draw(st.integers(1, 12)))
    caltrops = tuple(draw(st.lists(SPACES.filter(lambda name: name not in heaps), max_size=20, unique=True)))
    faces: tuple[Face, ...] = ("steer", "sprint", "plus_minus", "attack")
    dice = draw(st.lists(st.sampled_from(faces), min_size=1, max_size=3))
    return with_dice(race(green, *others, options=options, caltrops=caltrops), *dice)


@pytest.mark.rule("CR-28", "CR-29", "CR-64")
@settings(max_examples=60, deadline=None)
@given(crowded_boards())
def test_exactly_the_paths_that_are_offered_are_legal(board: Board) -> None:
    choices = RULES.legal_actions(board, RULES.decisions(board)[0])
    assert isinstance(choices, MoveChoices)

    for offered in choices.speeds:
        # Longer than the speed is illegal by its length; one letter more is enough to see it.
        if offered.speed > 5:
            continue
        strings = ("".join(lanes) for length in range(offered.speed + 2) for lanes in product("imo", repeat=length))
        legal = [path for path in strings if _is_legal(board, Move(minuses=offered.minuses[0], path=path))]

        assert legal == sorted((move.path for move in offered.moves), key=lambda path: (len(path), path))


@pytest.mark.rule("CR-64", "CR-61", "CR-62")
@settings(max_examples=60, deadline=None)
@given(crowded_boards())
def test_each_offer_is_what_happens(board: Board) -> None:
    choices = RULES.legal_actions(board, RULES.decisions(board)[0])
    assert isinstance(choices, MoveChoices)

    for offered in choices.speeds:
        for move in offered.moves:
            after, told = carry_out(board, Move(minuses=offered.minuses[-1], path=move.path))
            green = chariot_of(after, "green")

            assert chariot_of(after, "green").damage_left == move.damage_left
            assert green.damage_left + move.damage == chariot_of(board, "green").damage_left
            assert (green.status == "wrecked") == (move.damage_left == 0)
            assert (space_name(after, "green"), front_of(after, green)) == (move.space, move.front)
            assert [sentence.speed for sentence in told if isinstance(sentence, SpeedSet)] == [offered.speed]
            rams = [incident for incident in move.incidents if incident.kind == "ram"]
            assert [sentence.rammed for sentence in told if isinstance(sentence, ChariotRammed)] == [
                ram.other for ram in rams
            ]
            assert names(told).count("CaltropHit") == sum(incident.kind == "caltrop" for incident in move.incidents)
            assert after.caltrops_left >= 0
            assert len(set(after.caltrops)) == len(after.caltrops)


def _is_legal(board: Board, move: Move) -> bool:
    try:
        RULES.check(board, RULES.decisions(board)[0], move)
    except IllegalPath:
        return False
    return True
