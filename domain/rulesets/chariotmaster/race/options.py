"""The options of a race: how long it is, which chariots are allowed, and which optional rules count."""

from typing import Annotated, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

from domain.ruleset.teams import Teams
from domain.rulesets.chariotmaster.table.course_plan import CoursePlan

# Three laps are the default; ten on the default course are some 150 game turns of sensible driving.
LAPS_LIMIT = 10
# The dearest chariot without luck costs eight points.
POINTS_LIMIT = 20
# Ten laps of the default course end by their own limit after 390 game turns.
TURNS_LIMIT = 1_000
CHARIOTS_LIMIT = 3
# A game has a bounded log. A lap of the circus, 1,954 mm, takes a chariot 13 to 25 turns of 14 to 25 lines: four laps
# of a full table fit in.
CHARIOT_WAY_LIMIT_MM = 94_000
# A chariot that stands still is a dozen lines a turn. The way above comes to 1,880 turns.
CHARIOT_TURNS_LIMIT = 1_900

# Points more for the equipment of each seat.
Handicap = Annotated[
    str,
    Meta(
        pattern=r"^[0-9]{2,12}$(?!\n)",
        description="points more for each seat from seat 0 on, a digit each, from the first again where seats are more",
        extra_json_schema={"format": "points-by-seat"},
    ),
]
# All drive the plain chariot; each seat builds from all equipment; or from the equipment of a race of its choice.
EquipmentRule = Literal["none", "open", "races"]
# Readings of the rulebook: CM-08, CM-46, CM-56.
SurvivorRule = Literal["wins", "must_finish"]
ChainRule = Literal["ends_turn", "goes_on"]
WhipRollRule = Literal["attacker", "target"]


class Options(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The components have the number where one is null, and the course: their first.

    `course`: one of theirs by its name, or any other one whole.

    `turns_max`: a race in which all stand still ends after so many game turns. `second_row_bonus`: a chariot that
    starts in the second row gets more stamina. `survivor`: the last chariot that can still finish wins as it stands, or
    has to cross the line. `chained_bounce`: a bad bounce further down a chain of pushes ends the turn of the chariot
    that began it, or does not. `whip_roll`: whose luck may change the way of whipped horses.
    """

    course: Annotated[str, Meta(max_length=32)] | CoursePlan | None = None
    teams: Teams | None = None
    laps: Annotated[int, Meta(ge=1, le=LAPS_LIMIT)] | None = None
    chariots_each: Annotated[int, Meta(ge=1, le=CHARIOTS_LIMIT)] = 1
    equipment: EquipmentRule = "open"
    equipment_points: Annotated[int, Meta(ge=0, le=POINTS_LIMIT)] | None = None
    # Absent where all have as many.
    handicap: Handicap | UnsetType = UNSET
    second_row_bonus: bool = False
    survivor: SurvivorRule = "wins"
    chained_bounce: ChainRule = "ends_turn"
    whip_roll: WhipRollRule = "attacker"
    turns_max: Annotated[int, Meta(ge=1, le=TURNS_LIMIT)] | None = None
