"""Looking things up in the tables: one function a table, each named for its answer."""

from typing import Literal

from domain.rulesets.chariotmaster.box import component_file
from domain.rulesets.chariotmaster.table.shapes import PartName


def read_token(
    components: component_file.Components, token: component_file.TokenName, reading: component_file.Reading
) -> component_file.TokenRow:
    """T1: the row of a token for a chariot whose team reads it so."""
    rows = {row.reading: row for row in components.tokens if row.token == token}
    return rows.get(reading, rows["ordinary"])


def sub_move_modifier(
    components: component_file.Components, token: component_file.TokenName, *, sub_moves_done: int
) -> int:
    """T2: the number added to the die before a sub-move other than the first."""
    test = components.sub_move_test
    by_token: dict[component_file.TokenName, int] = {0: test.token_0, 5: test.token_5, 10: test.token_10}
    return test.per_sub_move * sub_moves_done + by_token[token]


def grab_modifier(components: component_file.Components, token: component_file.TokenName) -> int:
    """T7: the number added to the die when grabbing for the reins or cutting a horse free."""
    test = components.grab_test
    by_token: dict[component_file.TokenName, int] = {0: test.token_0, 5: test.token_5, 10: test.token_10}
    return by_token[token]


def is_test_passed(components: component_file.Components, face: int, *, modifier: int, skill: int) -> bool:
    """CM-21: judge any test against skill: some faces settle it by themselves."""
    if face == components.numbers.passing_test:
        return True
    return face != components.numbers.failing_test and face + modifier <= skill


def collision_value(components: component_file.Components, part: component_file.CollisionPart) -> int:
    """T3: the dice of a driver, a wreck, a wall, or of each living horse."""
    return next(row.value for row in components.collision_values if row.part == part)


def body_value(components: component_file.Components, structure: int) -> int:
    """T3, MO-10: the dice of a body with so much structure left."""
    return [row.value for row in components.body_values if row.structure_min <= structure][-1]


def damage_loss(components: component_file.Components, part: PartName | Literal["wall"]) -> component_file.Loss:
    """CM-44, T4: the loss for a point of damage to a part; an object of the course suffers nothing."""
    return next((row.loses for row in components.damage if row.part == part), "nothing")


def running_through_row(components: component_file.Components, bounce: int) -> component_file.RunningThroughRow:
    """T5: the result of running through a small object."""
    return next(row for row in components.running_through if row.bounce_max is None or bounce <= row.bounce_max)


def bounce_row(components: component_file.Components, bounce: int) -> component_file.BounceRow:
    """T6: the result of meeting a big object, and of every ram."""
    return next(row for row in components.bounce if row.bounce_max is None or bounce <= row.bounce_max)


def points_row(
    components: component_file.Components, table: component_file.PointsTable, roll: int
) -> component_file.PointsRow:
    """T8 to T14: the effect of a roll, its modifier added, on a chariot without points of a kind."""
    rows = (row for row in components.out_of_points if row.table == table)
    return next(row for row in rows if row.roll_max is None or roll <= row.roll_max)


def hits(components: component_file.Components, faces: tuple[int, ...]) -> int:
    """CM-43: count the points of damage that dice inflict."""
    return sum(face >= components.numbers.hit_min for face in faces)


def impact(components: component_file.Components, faces: tuple[int, ...]) -> int:
    """CM-45: return the impact of one side of a collision: a point a die, and one more for each six."""
    return len(faces) + faces.count(components.numbers.impact_bonus_face)


def third_of(face: int) -> int:
    """MO-12: read a die of six as one of three: 1 and 2 are 1, 3 and 4 are 2, 5 and 6 are 3."""
    return (face + 1) // 2
