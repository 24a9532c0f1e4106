"""Lining up: points at the start, and who gets which place on the grid."""

import pytest

from domain.ids import Seat
from domain.rulesets.chariotmaster.box.building import Build, default_build
from domain.rulesets.chariotmaster.race.board import Board
from domain.rulesets.chariotmaster.race.mug_outcomes import ChariotPlaced
from domain.rulesets.chariotmaster.race.racetrack import obstacles, standing
from domain.rulesets.chariotmaster.rounds.setup import build_chariot, choose_row, draw_grid
from domain.rulesets.chariotmaster.table.travel import is_free
from tests.domain.rulesets.chariotmaster.cases import Cases
from tests.domain.rulesets.chariotmaster.default_course import GRID
from tests.domain.rulesets.chariotmaster.fake_ruleset_pileup import ARENA
from tests.domain.rulesets.chariotmaster.loaded_script import LoadedScript, RandomScript
from tests.domain.rulesets.chariotmaster.own_components import BOX


def waiting(*seats: int) -> Board:
    build = default_build(BOX, None)
    return Board(chariots=tuple(build_chariot(ARENA, build, seat=Seat(seat), laps=3) for seat in seats))


def placed(script: LoadedScript) -> list[tuple[int, int, int]]:
    return [(outcome.chariot, outcome.row, outcome.place) for outcome in script.told(ChariotPlaced)]


@pytest.mark.rule("CM-04")
def test_a_chariot_starts_with_the_points_it_was_built_with() -> None:
    build = Build(equipment=("light", "fast", "veteran", "steeled", "lucky"))

    chariot = build_chariot(ARENA, build, seat=Seat(2), laps=3)

    assert (chariot.seat, chariot.structure, chariot.skill, chariot.health) == (2, 3, 7, 7)
    assert (chariot.stamina, chariot.modifies, chariot.tokens) == (26, 1, (0, 5, 10))


@pytest.mark.rule("CM-06")
def test_who_is_drawn_first_gets_the_innermost_place_and_so_on() -> None:
    script = LoadedScript(waiting(0, 1, 2), faces=[3, 1])

    draw_grid(script, ARENA, second_row_stamina=0)

    script.assert_done()
    assert placed(script) == [(2, 0, 0), (0, 0, 1), (1, 0, 2)]
    assert [chariot.team_pose for chariot in script.board.chariots] == [GRID[0][1], GRID[0][2], GRID[0][0]]


@pytest.mark.rule("CM-06")
def test_the_second_row_begins_inside_and_may_have_a_stamina_point_more() -> None:
    script = LoadedScript(waiting(*[0, 1, 2] * 3), faces=[1] * 8)

    draw_grid(script, ARENA, second_row_stamina=1)

    assert [(row, place) for _, row, place in placed(script)] == [(0, place) for place in range(7)] + [(1, 0), (1, 1)]
    assert [chariot.stamina for chariot in script.board.chariots] == [29] * 7 + [30] * 2


@pytest.mark.rule("CM-06")
def test_nobody_gets_a_second_front_place_that_another_needs_for_a_first() -> None:
    # Two of each of six seats; the draw brings both of seat 0, then both of seat 1.
    script = LoadedScript(waiting(*range(6), *range(6)), faces=[1, 6, 1, 5, 1, 1, 1, 1, 1, 1, 1])

    draw_grid(script, ARENA, second_row_stamina=0)

    # Seven places for six seats: seat 0 takes the one to spare, seat 1 must go to the second row.
    assert placed(script)[:4] == [(0, 0, 0), (6, 0, 1), (1, 0, 2), (7, 1, 0)]


@pytest.mark.rule("CM-06")
def test_however_the_draw_falls_everybody_has_a_chariot_in_front_and_nobody_stands_on_anybody() -> None:
    cases = Cases(seed=95)
    for _ in range(60):
        players = cases.number(2, 6)
        each = cases.number(1, min(3, 12 // players))
        script = RandomScript(waiting(*list(range(players)) * each), cases)

        draw_grid(script, ARENA, second_row_stamina=1)

        front = {chariot.seat for chariot in script.board.chariots if chariot.team_pose in GRID[0]}
        assert front == set(range(players))
        assert len({outcome.pose for outcome in script.told(ChariotPlaced)}) == players * each
        for piece, shape, pose in standing(ARENA, script.board):
            assert is_free(shape, pose, obstacles(ARENA, script.board, without=(piece,)))


@pytest.mark.rule("CM-06")
def test_places_to_spare_go_to_anybody() -> None:
    board = waiting(0, 1)

    assert choose_row(ARENA, board, Seat(0)) == 0
