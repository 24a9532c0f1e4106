"""The contents of `components.toml`, table by table: the types alone. Each row states where its values come from."""

from typing import Annotated, Literal

from msgspec import Meta, Struct

from domain.rulesets.chariotmaster.table.course_plan import CoursePlan

Source = Literal["stated", "public", "inferred", "default"]
SOURCES: tuple[Source, ...] = ("stated", "public", "inferred", "default")

TokenName = Literal[0, 5, 10]
TOKENS: tuple[TokenName, ...] = (0, 5, 10)
Reading = Literal["ordinary", "fast", "boars"]
CollisionPart = Literal["driver", "horses", "wreck", "wall"]
DamagedPart = Literal["driver", "horses", "body", "wreck", "wall"]
Points = Literal["stamina", "structure", "health", "skill"]
Loss = Points | Literal["nothing"]
TargetDamage = Literal["none", "one_part", "two_shared"]
PointsTable = Literal[
    "stamina",
    "structure",
    "health_on_chariot",
    "health_dragged",
    "health_on_foot",
    "skill_on_chariot",
    "skill_dragged",
    "skill_on_foot",
]
POINTS_TABLES: tuple[PointsTable, ...] = (
    "stamina",
    "structure",
    "health_on_chariot",
    "health_dragged",
    "health_on_foot",
    "skill_on_chariot",
    "skill_dragged",
    "skill_on_foot",
)
PointsEffect = Literal[
    "back_d3",
    "back_d6",
    "crash",
    "damaged_wheel",
    "dies",
    "exhausted",
    "falls",
    "falls_off",
    "halve_modifier",
    "horse_dies",
    "lose_knife",
    "lose_reins",
    "lose_skill",
    "lose_stamina",
    "lose_token",
    "out_of_control",
    "sweep_left_d6",
    "sweep_right_d6",
    "unconscious",
]
Category = Literal["body", "horses", "skill", "fitness", "other"]
CATEGORIES: tuple[Category, ...] = ("body", "horses", "skill", "fitness", "other")

Face = Annotated[int, Meta(ge=1, le=6)]
Count = Annotated[int, Meta(ge=0, le=100)]
Positive = Annotated[int, Meta(ge=1, le=100)]
Modifier = Annotated[int, Meta(ge=-6, le=6)]
LengthMm = Annotated[int, Meta(ge=0, le=10_000)]
# Half of any of these is a whole number of micrometres, as half sizes of bases and of the track must be.
SizeMm = Annotated[int, Meta(ge=1, le=1_000)]
Name = Annotated[str, Meta(pattern="^[a-z][a-z_]{0,31}$", description="a name of lower-case letters and underscores")]


class Numbers(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Plain numbers. `…_min` and `…_max` of dice are the faces from which, or up to which, the rule applies."""

    seats_min: Positive
    seats_max: Positive
    chariots_per_seat_max: Positive
    chariots_max: Positive
    laps: Positive
    equipment_points: Count
    second_row_stamina: Count
    stamina_per_mm: SizeMm
    turn_limit_per_mm: SizeMm
    finishers_end: Positive
    sub_move_min_mm: SizeMm
    touching_mm: SizeMm
    passing_mm: SizeMm
    axle_from_rear_mm: SizeMm
    passing_test: Face
    failing_test: Face
    hit_min: Face
    impact_bonus_face: Face
    ram_bonus: Count
    whipped_horses_stamina: Count
    further_attack_stamina: Count
    frightening_attack_stamina: Count
    defence_stamina: Count
    defence_per_attack: Modifier
    attack_turn_min: Positive
    crash_health: Count
    fall_health: Count
    dragged_min: Face
    fall_left_min: Face
    start_of_turn_loss_min: Face
    whip_skill_max: Face
    cascade_collisions_max: Positive


class Base(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    length_mm: SizeMm
    width_mm: SizeMm
    source: Source


class Bases(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    horses: Base
    body: Base
    wreck: Base
    driver_on_foot: Base
    dragged_driver: Base


class CourseRow(CoursePlan, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """CM-140: a course that comes with the box; an option chooses it by its name."""

    name: Name
    source: Source


class TokenRow(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """T1. A reading without a row of its own for a token uses the ordinary row."""

    token: TokenName
    reading: Reading
    min_mm: LengthMm
    max_mm: LengthMm
    pivot_degrees: Annotated[int, Meta(ge=0, le=180)]
    source: Source


class SubMoveTest(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """T2."""

    per_sub_move: Modifier
    token_0: Modifier
    token_5: Modifier
    token_10: Modifier
    source: Source


class GrabTest(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """T7."""

    token_0: Modifier
    token_5: Modifier
    token_10: Modifier
    source: Source


class CollisionRow(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """T3, all but bodies."""

    part: CollisionPart
    value: Count
    source: Source


class BodyRow(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """T3, bodies: the value from so much structure on."""

    structure_min: Count
    value: Count
    source: Source


class DamageRow(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """T4."""

    part: DamagedPart
    loses: Loss
    source: Source


class RunningThroughRow(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """T5."""

    bounce_min: int | None = None
    bounce_max: int | None = None
    goes_on: bool
    ends_turn: bool
    loses: Loss
    target_damage: TargetDamage
    destroys_wreck: bool
    source: Source


class BounceRow(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """T6."""

    bounce_min: int | None = None
    bounce_max: int | None = None
    back_mm: LengthMm
    ends_turn: bool
    push_mm: LengthMm
    follow_mm: LengthMm
    destroys_wreck: bool
    source: Source


class PointsRow(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """T8 to T14. `adds` goes on top of later rolls on the same table."""

    table: PointsTable
    roll_min: Positive
    roll_max: Positive | None = None
    effects: tuple[PointsEffect, ...]
    adds: Count
    source: Source


class Equipment(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """T15. Fields that an option does not mention stay as they are."""

    category: Category
    name: Name
    points: Annotated[int, Meta(ge=-5, le=5)]
    structure: Count = 0
    skill: Count = 0
    health: Count = 0
    stamina_percent: Annotated[int, Meta(ge=-100, le=100)] = 0
    reading: Reading = "ordinary"
    excludes: tuple[Name, ...] = ()
    bite: Count = 0
    team_value: Count = 0
    rams_with_horses: bool = False
    modifies: Count = 0
    is_frightening: bool = False
    source: Source


class Race(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """T16."""

    name: Name
    may_choose: tuple[Name, ...]
    must_take: tuple[Name, ...]
    may_add: tuple[Name, ...]
    source: Source


class Components(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Everything in the file; the numbers are flat here, in the file they stand under their sources."""

    numbers: Numbers
    bases: Bases
    courses: tuple[CourseRow, ...]
    tokens: tuple[TokenRow, ...]
    sub_move_test: SubMoveTest
    grab_test: GrabTest
    collision_values: tuple[CollisionRow, ...]
    body_values: tuple[BodyRow, ...]
    damage: tuple[DamageRow, ...]
    running_through: tuple[RunningThroughRow, ...]
    bounce: tuple[BounceRow, ...]
    out_of_points: tuple[PointsRow, ...]
    equipment: tuple[Equipment, ...]
    races: tuple[Race, ...]
