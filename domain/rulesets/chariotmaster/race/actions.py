"""The answers that the owner of a chariot may give. Every field is always there; unknown ones are refused."""

from typing import Annotated, Literal

from msgspec import Meta, Struct

from domain.rulesets.chariotmaster.box.building import EQUIPMENT_MAX
from domain.rulesets.chariotmaster.box.component_file import Name, TokenName
from domain.rulesets.chariotmaster.race.board import AttackMeans, GraspAim, PieceId
from domain.rulesets.chariotmaster.race.outcomes import DefenceMeans, SpeedChange
from domain.rulesets.chariotmaster.table.shapes import Hinge

# A collision rolls a dozen dice at most: two boars, a ram, and some to spare for other boxes.
DICE_MAX = 100

# A driver on foot goes five centimetres: a bend at every one of them is more than he needs.
LEGS_MAX = 5

Way = Literal["ahead", "left", "right"]


class BuildChariot(
    Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="kind", tag="build_chariot"
):
    """Fit a chariot out, in the order of the table. A race is named where races count, and nowhere else."""

    race: Name | None
    equipment: Annotated[tuple[Name, ...], Meta(max_length=EQUIPMENT_MAX)]


class ModifyRoll(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="kind", tag="modify_roll"):
    """Spend a modify: one die, by its place in the roll, shows one more or one less."""

    die: Annotated[int, Meta(ge=0, lt=DICE_MAX)]
    change: Literal[-1, 1]


class LeaveRoll(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="kind", tag="leave_roll"):
    """Let the roll be, unless the other side changes it."""


LuckAction = ModifyRoll | LeaveRoll


class PutToken(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="kind", tag="put_token"):
    """Put a speed token into the mug."""

    token: TokenName


class Pivot(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Turn about a corner or the centre; left is positive."""

    hinge: Hinge
    degrees: Annotated[int, Meta(ge=-180, le=180)]


class ChangeSpeed(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="kind", tag="change_speed"):
    """Pay a stamina point to brake, spur or whip."""

    change: SpeedChange


class MakeUTurn(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="kind", tag="make_u_turn"):
    """Only pivot, in place of moving."""

    pivot: Pivot


class AnnounceSubMove(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="kind", tag="announce"):
    """Be tested for another sub-move."""


class MakeSubMove(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="kind", tag="make_sub_move"):
    """Move straight ahead, or sweep to a side; then pivot, or not. Without a distance: until contact."""

    way: Way
    distance_mm: Annotated[int, Meta(ge=1, le=10_000)] | None
    pivot: Pivot | None


class GoOn(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="kind", tag="go_on"):
    """Skid the rest of the way; or run into an obstacle that cannot be avoided for want of stamina."""


class Attack(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="kind", tag="attack"):
    """Attack one part (its place in the base) of a piece beside the chariot; a ram may do without its extra dice."""

    target: Annotated[PieceId, Meta(ge=0, lt=1_000)]
    part: Annotated[int, Meta(ge=0, le=1)]
    means: AttackMeans
    holds_back: bool = False


class Defend(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="kind", tag="defend"):
    """Pay a stamina point and try to avoid an attack."""

    means: DefenceMeans


class Endure(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="kind", tag="endure"):
    """Let an attack come."""


DefenceAction = Defend | Endure


class Stop(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="kind", tag="stop"):
    """End the chariot turn."""


class Leg(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One straight bit of a walk. Without a distance: until contact."""

    heading: Annotated[int, Meta(ge=0, lt=360)]
    distance_mm: Annotated[int, Meta(ge=1, le=10_000)] | None


class Walk(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="kind", tag="walk"):
    """Go on foot, or stay: without legs."""

    legs: Annotated[tuple[Leg, ...], Meta(max_length=LEGS_MAX)]


class CutLoose(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="kind", tag="cut_loose"):
    """Try to get out of the reins, behind the horses."""


class HangOn(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="kind", tag="hang_on"):
    """Be dragged further."""


class Climb(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="kind", tag="climb"):
    """Climb on the shaft, to grab for the reins or to cut a dead horse free at the end of the next turn."""

    aim: GraspAim


class StayPut(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="kind", tag="stay_put"):
    """Stay in the body."""


AftermathAction = Walk | CutLoose | HangOn | Climb | StayPut
MoveAction = ChangeSpeed | MakeUTurn | AnnounceSubMove | MakeSubMove | GoOn | Attack | Stop

Action = BuildChariot | PutToken | MoveAction | AftermathAction | LuckAction | DefenceAction
