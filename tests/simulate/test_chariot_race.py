"""Simulated races: every variant is met, figures add up, and a board that cannot be is noticed."""

from pathlib import Path

import pytest
from msgspec.structs import replace

from domain.ids import Seat
from domain.ruleset.rehearsal import Rehearsal
from domain.rulesets.chariot_race.board import Board
from domain.rulesets.chariot_race.options import RaceOptions
from domain.rulesets.chariot_race.ruleset import build_ruleset
from infra.components import read_components
from simulate.chariot_race import drive, drive_all, field_of, find_unsound, summarise

RULES = build_ruleset(read_components(Path(__file__).parents[2] / "domain/rulesets/chariot_race/components.toml"))


def start() -> Board:
    seats = tuple(Seat(seat) for seat in range(4))
    board: Board = Rehearsal(RULES, seats=seats, options=RaceOptions(), secret=bytes(32)).board
    return board


def test_eighty_seeds_meet_every_player_count_with_every_variant() -> None:
    fields = {(len(field.bots), field.options) for field in map(field_of, range(80))}

    assert len(fields) == 80


def test_the_same_seed_is_the_same_race() -> None:
    assert drive(RULES, 5, field_of(5)) == drive(RULES, 5, field_of(5))


def test_figures_add_up_over_races_that_were_all_sound() -> None:
    races = tuple(drive_all(RULES, range(40)))

    figures = summarise(races)

    assert figures.races == 40
    assert figures.unsound == ()
    assert sum(figures.ended.values()) == 40
    assert sum(figures.wrecked_by.values()) == round(figures.wrecks_mean * 40)
    assert figures.wins["fast"] > figures.wins.get("random", 0)
    assert sum(figures.starts.values()) == sum(len(race.bots) for race in races)
    assert 7 < figures.rounds_mean < 13


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"damage_left": 13}, "blue is off its tracks"),
        ({"speed": -1}, "blue is off its tracks"),
        ({"fate": 7}, "blue is off its tracks"),
        ({"damage_left": 0}, "blue is off its tracks"),
        ({"lane": 0, "step": -2}, None),
    ],
)
def test_a_chariot_that_cannot_be_is_noticed(changes: dict[str, int], said: str | None) -> None:
    board = start()
    first, *others = board.chariots

    found = find_unsound(replace(board, chariots=(replace(first, **changes), *others)))

    assert [what.startswith(said) for what in found if said] == [True] * bool(said)
    assert bool(found) == bool(said)


def test_two_chariots_on_a_space_and_caltrops_beyond_the_supply_are_noticed() -> None:
    board = start()
    first, second, *others = board.chariots
    together = replace(second, lane=first.lane, step=first.step)

    crowded = find_unsound(replace(board, chariots=(first, together, *others)))
    strewn = find_unsound(replace(board, caltrops=tuple(range(21))))
    doubled = find_unsound(replace(board, caltrops=(3, 3)))

    assert [what.split(":")[0] for what in crowded] == ["two chariots at rest on one space"]
    assert [what.split(":")[0] for what in (*strewn, *doubled)] == ["caltrops that are not there"] * 2


def test_a_chariot_on_a_heap_is_noticed() -> None:
    seats = tuple(Seat(seat) for seat in range(4))
    options = RaceOptions(first_half="B")
    board: Board = Rehearsal(RULES, seats=seats, options=options, secret=bytes(32)).board
    first, *others = board.chariots

    found = find_unsound(replace(board, chariots=(replace(first, lane=0, step=12), *others)))

    assert found == ("a chariot at rest on a stone heap",)
