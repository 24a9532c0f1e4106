"""The box as data: the values it holds, where each comes from, and the values no box may hold."""

import copy
import re
from itertools import pairwise
from typing import Any

import pytest

from domain.rulesets.chariot_race.components import ComponentsInvalid, read_components
from domain.rulesets.chariot_race.options import RaceOptions
from domain.rulesets.chariot_race.ruleset import build_ruleset
from tests.domain.rulesets.chariot_race.boards import COMPONENTS_PATH, DATA, RULES, play_out


@pytest.mark.rule("CR-02", "CR-03", "RO-1", "RO-2")
def test_every_chariot_of_the_basic_game_starts_with_damage_12_speed_4_and_fate_3() -> None:
    board = play_out(6).board

    values = {(chariot.damage_left, chariot.speed, chariot.fate) for chariot in board.chariots}

    assert values == {(12, 4, 3)}
    assert {
        (chariot.table.damage_max, chariot.table.speed_max, chariot.table.fate_max) for chariot in board.chariots
    } == {(12, 12, 6)}


@pytest.mark.rule("RO-3")
@pytest.mark.parametrize(
    ("speed", "dice"), [(0, 5), (4, 5), (5, 5), (6, 4), (7, 4), (8, 3), (9, 3), (10, 2), (11, 2), (12, 1)]
)
def test_more_speed_means_fewer_dice(speed: int, dice: int) -> None:
    [table, *_] = read_components(DATA).basic_boards()

    assert table.dice_at(speed) == dice


@pytest.mark.rule("CR-04", "CR-54", "CR-71", "RO-12")
@pytest.mark.parametrize(
    ("colour", "tracks", "start"),
    [
        # Maxima of Damage, Speed and Fate, dice at the highest speed; then Speed and Fate at the start.
        ("blue", (12, 12, 6, 1), (4, 2)),
        ("red", (12, 11, 4, 2), (5, 2)),
        ("green", (10, 12, 6, 1), (6, 5)),
        ("yellow", (11, 12, 6, 1), (4, 3)),
        ("purple", (9, 12, 6, 1), (7, 6)),
        ("white", (12, 10, 6, 2), (4, 3)),
    ],
)
def test_the_back_of_each_board_has_its_own_tracks(
    colour: str, tracks: tuple[int, ...], start: tuple[int, ...]
) -> None:
    table = next(board for board in read_components(DATA).alternate if board.colour == colour)

    assert (table.damage_max, table.speed_max, table.fate_max, table.dice_at(table.speed_max)) == tracks
    assert (table.speed, table.fate) == start


@pytest.mark.rule("CR-55", "CR-71")
def test_only_green_yellow_and_purple_have_steps_of_two_speeds() -> None:
    doubled = [
        table.colour
        for table in read_components(DATA).alternate
        if any(after - before > 1 for before, after in pairwise(table.speed_by_damage))
    ]

    assert doubled == ["green", "yellow", "purple"]


def test_each_value_of_the_file_says_where_it_comes_from() -> None:
    values = [line for line in COMPONENTS_PATH.read_text().splitlines() if re.match(r"\w+ = (?!\[$)|\s+\{", line)]

    unmarked = [line for line in values if not re.search(r"# (stated|public|inferred|default)", line)]

    assert len(values) > 60
    assert unmarked == []


@pytest.mark.parametrize(
    ("path", "value", "said"),
    [
        (("numbers", "laps"), 0, r"\$\.numbers\.laps"),
        (("numbers", "laps"), "two", r"\$\.numbers\.laps"),
        # Every way of a move is looked at.
        (("numbers", "sprint_speed"), 25, r"\$\.numbers\.sprint_speed"),
        (("basic", "speed_by_damage"), [25], r"\$\.basic\.speed_by_damage"),
        (("numbers", "horses"), 4, r"\$\.numbers"),
        (("die", "faces"), ["steer", "whip"], r"\$\.die\.faces"),
        (("lanes", 0, "name"), "outer", r"\$\.lanes\[\.\.\.\]\.name"),
        (("lanes", 1, "corner_space_units"), 25, r"\$\.lanes: expected corners that are equally long"),
        (("corner", "numbered"), [5], r"\$\.corner\.numbered"),
        (("grid", 5, "row"), 1, r"\$\.grid: expected six different"),
        (("grid", 5, "row"), 7, r"\$\.grid\[\.\.\.\]\.row"),
        (("heaps", "second"), [], r"\$\.heaps: expected a heap in each lane"),
        (("heaps", "second", 0, "space"), 7, r"\$\.heaps\[\.\.\.\]\.space"),
        (("basic", "speed_by_damage"), [2, 1], r"\$\.basic\.speed_by_damage"),
        (("basic", "fate"), 7, r"\$\.basic\.fate"),
        (("alternate", 2, "colour"), "red", r"\$\.alternate\[\.\.\.\]\.colour"),
        (("alternate", 2, "dice_up_to"), [5, 7, 9, 11], r"\$\.alternate\[2\]\.dice_up_to"),
        (("alternate", 2, "speed"), 13, r"\$\.alternate\[2\]\.speed"),
    ],
)
def test_a_box_that_could_not_be_played_with_is_refused_with_its_path(
    path: tuple[str | int, ...], value: Any, said: str
) -> None:
    data: Any = copy.deepcopy(DATA)
    holder = data
    for key in path[:-1]:
        holder = holder[key]
    holder[path[-1]] = value

    with pytest.raises(ComponentsInvalid, match=said):
        build_ruleset(data)


def test_the_same_box_has_the_same_bytes() -> None:
    assert build_ruleset(copy.deepcopy(DATA)).components == RULES.components


@pytest.mark.rule("CR-71", "RO-12")
def test_the_rules_print_the_alternate_boards_as_they_are() -> None:
    document = COMPONENTS_PATH.with_name("rules.md").read_text()

    for board in read_components(DATA).alternate:
        speeds, dice = (" ".join(map(str, row)) for row in (board.speed_by_damage, board.dice_up_to))
        row = f"| {board.colour} | {speeds} | {dice} | {board.speed} | {board.fate}, {board.fate_max} |"
        assert row in document


def test_two_chains_of_links_suffice_for_the_longest_race() -> None:
    assert RULES.link_chains == 2


def test_the_basic_game_on_side_a_is_what_is_played_without_a_word() -> None:
    options = RaceOptions()

    assert (options.chariots, options.first_half, options.second_half) == ("basic", "A", "A")
    assert (options.no_damage_after_line, options.rounds_max) == (False, 60)
