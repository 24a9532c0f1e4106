"""Every row of every table, written down a second time in short, compared with the file and with the look-ups."""

import pytest

from domain.rulesets.chariotmaster.box.component_file import (
    BounceRow,
    CollisionPart,
    DamagedPart,
    Loss,
    PointsTable,
    Reading,
    RunningThroughRow,
    TokenName,
)
from domain.rulesets.chariotmaster.box.tables import (
    body_value,
    bounce_row,
    collision_value,
    damage_loss,
    grab_modifier,
    hits,
    impact,
    is_test_passed,
    points_row,
    read_token,
    running_through_row,
    sub_move_modifier,
)
from tests.domain.rulesets.chariotmaster.own_components import BOX


@pytest.mark.rule("T1", "CM-05")
@pytest.mark.parametrize(
    ("token", "reading", "least_cm", "most_cm", "pivot"),
    [
        (0, "ordinary", 0, 5, 45),
        (5, "ordinary", 5, 10, 30),
        (10, "ordinary", 10, 15, 10),
        (0, "fast", 0, 5, 45),
        (5, "fast", 5, 10, 30),
        (10, "fast", 10, 18, 10),
        (0, "boars", 0, 5, 45),
        (5, "boars", 5, 10, 30),
        (10, "boars", 10, 13, 10),
    ],
)
def test_speed_tokens(token: TokenName, reading: Reading, least_cm: int, most_cm: int, pivot: int) -> None:
    row = read_token(BOX, token, reading)

    assert (row.min_mm, row.max_mm, row.pivot_degrees) == (10 * least_cm, 10 * most_cm, pivot)


@pytest.mark.rule("T2")
@pytest.mark.parametrize(("token", "done", "modifier"), [(5, 1, 1), (5, 3, 3), (10, 1, 2), (0, 1, 0), (0, 2, 1)])
def test_sub_move_modifiers(token: TokenName, done: int, modifier: int) -> None:
    assert sub_move_modifier(BOX, token, sub_moves_done=done) == modifier


@pytest.mark.rule("T2", "MT-8")
@pytest.mark.parametrize("face", [1, 4])
def test_a_test_is_passed_up_to_the_skill_and_always_with_a_one(face: int) -> None:
    modifier = sub_move_modifier(BOX, 10, sub_moves_done=1)

    assert is_test_passed(BOX, face, modifier=modifier, skill=6)
    assert is_test_passed(BOX, 1, modifier=modifier, skill=0)


@pytest.mark.rule("T2", "MT-8")
@pytest.mark.parametrize("face", [5, 6])
def test_a_test_is_failed_above_the_skill_and_always_with_a_six(face: int) -> None:
    modifier = sub_move_modifier(BOX, 10, sub_moves_done=1)

    assert not is_test_passed(BOX, face, modifier=modifier, skill=6)
    assert not is_test_passed(BOX, 6, modifier=-6, skill=7)


@pytest.mark.rule("T3")
@pytest.mark.parametrize(("part", "value"), [("driver", 1), ("horses", 1), ("wreck", 2), ("wall", 3)])
def test_collision_values(part: CollisionPart, value: int) -> None:
    assert collision_value(BOX, part) == value


@pytest.mark.rule("T3", "MO-10")
@pytest.mark.parametrize(("structure", "value"), [(0, 2), (1, 2), (3, 2), (4, 3), (5, 3), (6, 3), (7, 4), (8, 4)])
def test_a_body_counts_by_the_structure_it_has_left(structure: int, value: int) -> None:
    assert body_value(BOX, structure) == value


@pytest.mark.rule("T3")
def test_a_ram_adds_two() -> None:
    assert BOX.numbers.ram_bonus == 2


@pytest.mark.rule("T4")
@pytest.mark.parametrize(
    ("part", "loses"),
    [("driver", "health"), ("horses", "stamina"), ("body", "structure"), ("wreck", "nothing"), ("wall", "nothing")],
)
def test_damage_allocation(part: DamagedPart, loses: Loss) -> None:
    assert damage_loss(BOX, part) == loses


def brief_running_through(row: RunningThroughRow) -> str:
    words = [
        "goes on" if row.goes_on else "stops",
        "turn ends" if row.ends_turn else "",
        "" if row.loses == "nothing" else f"-1 {row.loses}",
        "" if row.target_damage == "none" else row.target_damage,
        "wreck destroyed" if row.destroys_wreck else "",
    ]
    return ", ".join(word for word in words if word)


@pytest.mark.rule("T5")
@pytest.mark.parametrize(
    ("bounces", "effect"),
    [
        ((-9, -4, -3), "stops, turn ends"),
        ((-2,), "goes on, turn ends, -1 structure"),
        ((-1,), "goes on, turn ends, -1 stamina"),
        ((0, 1, 2), "goes on"),
        ((3, 4), "goes on, one_part"),
        ((5, 6, 12), "goes on, two_shared, wreck destroyed"),
    ],
)
def test_running_through(bounces: tuple[int, ...], effect: str) -> None:
    assert [brief_running_through(running_through_row(BOX, bounce)) for bounce in bounces] == [effect] * len(bounces)


def brief_bounce(row: BounceRow) -> str:
    words = [
        f"back {row.back_mm} mm" if row.back_mm else "",
        "turn ends" if row.ends_turn else "",
        f"push {row.push_mm} mm" if row.push_mm else "",
        f"follow {row.follow_mm} mm" if row.follow_mm else "",
        "wreck destroyed" if row.destroys_wreck else "",
    ]
    return ", ".join(word for word in words if word) or "nothing"


@pytest.mark.rule("T6", "MT-14", "MO-7")
@pytest.mark.parametrize(
    ("bounces", "effect"),
    [
        ((-9, -4, -3), "back 10 mm, turn ends"),
        ((-2, -1), "turn ends"),
        ((0, 1, 2), "nothing"),
        ((3, 4), "push 10 mm"),
        ((5, 6, 12), "push 30 mm, follow 20 mm, wreck destroyed"),
    ],
)
def test_bounce(bounces: tuple[int, ...], effect: str) -> None:
    assert [brief_bounce(bounce_row(BOX, bounce)) for bounce in bounces] == [effect] * len(bounces)


@pytest.mark.rule("T7")
@pytest.mark.parametrize(("token", "modifier"), [(0, -1), (5, 0), (10, 1)])
def test_grab_modifiers(token: TokenName, modifier: int) -> None:
    assert grab_modifier(BOX, token) == modifier


# The roll, its effect, and + where later rolls on the same table get one more.
POINTS: dict[PointsTable, str] = {
    "stamina": """1, 2, 3 +, 4 +, 5 back_d3 +, 6 exhausted +, 7 lose_token +,
        8 horse_dies halve_modifier, 9 horse_dies halve_modifier, 30 horse_dies halve_modifier""",
    "structure": """1, 2, 3 +, 4 back_d3 +, 5 lose_stamina +, 6 damaged_wheel +, 7 lose_token +,
        8 crash, 9 crash, 30 crash""",
    "health_on_chariot": """1, 2, 3, 4 +, 5 lose_skill +, 6 lose_reins +, 7 lose_reins unconscious +,
        8 dies, 9 dies, 30 dies""",
    "health_dragged": "1, 2, 3 +, 4 +, 5 lose_skill +, 6 unconscious, 7 dies, 8 dies, 9 dies, 30 dies",
    "health_on_foot": "1, 2, 3, 4 +, 5 lose_skill +, 6 unconscious +, 7 dies, 8 dies, 9 dies, 30 dies",
    "skill_on_chariot": """1, 2, 3 out_of_control +, 4 sweep_left_d6 +, 5 sweep_right_d6 +, 6 back_d6 +,
        7 lose_reins +, 8 falls_off, 9 falls_off, 30 falls_off""",
    "skill_dragged": "1, 2 +, 3 +, 4 +, 5 +, 6 lose_knife +, 7 dies, 8 dies, 9 dies, 30 dies",
    "skill_on_foot": "1, 2, 3, 4, 5 falls, 6 falls, 7 falls, 8 falls, 9 falls, 30 falls",
}
POINTS_ROWS = [(table, row.split()) for table, rows in POINTS.items() for row in rows.split(",")]


@pytest.mark.rule("T8", "T9", "T10", "T11", "T12", "T13", "T14")
@pytest.mark.parametrize(("table", "words"), POINTS_ROWS, ids=[f"{table}-{words[0]}" for table, words in POINTS_ROWS])
def test_out_of_points(table: PointsTable, words: list[str]) -> None:
    row = points_row(BOX, table, int(words[0]))

    assert [*row.effects, *["+"] * row.adds] == words[1:]


def test_hits_and_impacts_of_the_rulebooks_example() -> None:
    rammer, driver = (6, 6, 4, 2, 1), (3,)

    assert (impact(BOX, rammer), impact(BOX, driver)) == (7, 1)
    assert bounce_row(BOX, 7 - 1).push_mm == 30
    assert (hits(BOX, rammer), hits(BOX, driver)) == (3, 0)


def test_plain_numbers_of_the_rulebook() -> None:
    numbers = BOX.numbers

    assert numbers.stamina_per_mm == 200
    assert (numbers.sub_move_min_mm, numbers.attack_turn_min, numbers.finishers_end) == (10, 2, 3)
    assert (numbers.further_attack_stamina, numbers.defence_stamina, numbers.whipped_horses_stamina) == (1, 1, 2)
    assert (numbers.frightening_attack_stamina, numbers.second_row_stamina, numbers.crash_health) == (1, 1, 1)
    assert (numbers.dragged_min, numbers.fall_left_min, numbers.whip_skill_max) == (4, 4, 3)
    assert (numbers.passing_test, numbers.failing_test, numbers.hit_min) == (1, 6, 4)


def test_plain_numbers_that_are_ours() -> None:
    numbers, bases = BOX.numbers, BOX.bases

    assert (numbers.seats_min, numbers.seats_max) == (2, 6)
    assert (numbers.chariots_per_seat_max, numbers.chariots_max) == (3, 12)
    assert (numbers.laps, numbers.equipment_points, numbers.turn_limit_per_mm) == (3, 3, 50)
    assert (numbers.touching_mm, numbers.passing_mm, numbers.cascade_collisions_max) == (1, 1, 12)
    assert [(base.length_mm, base.width_mm) for base in (bases.horses, bases.body, bases.wreck)] == [(20, 20)] * 3
    assert [(base.length_mm, base.width_mm) for base in (bases.driver_on_foot, bases.dragged_driver)] == [(10, 10)] * 2
