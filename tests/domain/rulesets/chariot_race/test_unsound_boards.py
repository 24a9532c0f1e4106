"""Boards of Chariot Race that cannot be are noticed, and races of every variant have none."""

import msgspec
import pytest
from msgspec.structs import replace

from domain.ids import Seat
from domain.ruleset.playout import Playout
from domain.rulesets.chariot_race.board import Board
from domain.rulesets.chariot_race.kit.kit import KIT, find_unsound
from domain.rulesets.chariot_race.options import RaceOptions
from domain.rulesets.chariot_race.ruleset import build_ruleset
from services.practice.games import Plan, play_game
from tests.domain.rulesets.chariot_race.boards import DATA

RULES = build_ruleset(DATA)


def start() -> Board:
    seats = tuple(Seat(seat) for seat in range(4))
    board: Board = Playout(RULES, seats=seats, options=RaceOptions(), secret=bytes(32)).board
    return board


def options_of(number: int) -> RaceOptions:
    """Count through boards, tracks and variants, so that all of them meet."""
    return RaceOptions(
        chariots="alternate" if number % 2 else "basic",
        first_half="B" if number // 2 % 2 else "A",
        second_half="B" if number // 4 % 2 else "A",
        no_damage_after_line=bool(number // 8 % 2),
        teams=msgspec.UNSET if number % 3 else "AB",
    )


@pytest.mark.parametrize("seats", range(2, 7))
def test_races_of_every_variant_are_sound(seats: int) -> None:
    bots = (tuple(KIT.bots) * 2)[:seats]
    plans = [
        Plan(bots=bots, games=1, seed=seats, options=msgspec.to_builtins(options_of(number))) for number in range(16)
    ]

    played = [play_game(KIT, RULES, plan, number) for number, plan in enumerate(plans)]

    assert [result.unsound for result in played] == [()] * 16


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

    found = find_unsound(RULES, replace(board, chariots=(replace(first, **changes), *others)))

    assert [what.startswith(said) for what in found if said] == [True] * bool(said)
    assert bool(found) == bool(said)


def test_two_chariots_on_a_space_and_caltrops_beyond_the_supply_are_noticed() -> None:
    board = start()
    first, second, *others = board.chariots
    together = replace(second, lane=first.lane, step=first.step)

    crowded = find_unsound(RULES, replace(board, chariots=(first, together, *others)))
    strewn = find_unsound(RULES, replace(board, caltrops=tuple(range(21))))
    doubled = find_unsound(RULES, replace(board, caltrops=(3, 3)))

    assert [what.split(":")[0] for what in crowded] == ["two chariots at rest on one space"]
    assert [what.split(":")[0] for what in (*strewn, *doubled)] == ["caltrops that are not there"] * 2


def test_a_chariot_on_a_heap_is_noticed() -> None:
    seats = tuple(Seat(seat) for seat in range(4))
    options = RaceOptions(first_half="B")
    board: Board = Playout(RULES, seats=seats, options=options, secret=bytes(32)).board
    first, *others = board.chariots

    found = find_unsound(RULES, replace(board, chariots=(replace(first, lane=0, step=12), *others)))

    assert found == ("a chariot at rest on a stone heap",)
