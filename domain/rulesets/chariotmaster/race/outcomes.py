"""Outcomes on the table, in the order in which they become true. Stored for ever; tags never change."""

from collections.abc import Mapping
from typing import Literal

from msgspec import Struct

from domain.ids import DecisionId
from domain.rulesets.chariotmaster.box.component_file import Points, PointsEffect, PointsTable, TokenName
from domain.rulesets.chariotmaster.race.aftermath_outcomes import AFTERMATH_OUTCOME_TYPES, AftermathOutcome
from domain.rulesets.chariotmaster.race.board import AttackMeans, PieceId
from domain.rulesets.chariotmaster.race.mug_outcomes import DRAWN_OUTCOME_TYPES, ChariotPlaced, DrawnOutcome
from domain.rulesets.chariotmaster.race.race_outcomes import RACE_OUTCOME_TYPES, RaceOutcome
from domain.rulesets.chariotmaster.table.shapes import PartName, Pose

AnyPart = PartName | Literal["wall"]
MoveReason = Literal[
    "moved",
    "pushed",
    "followed",
    "bounced",
    "stumbled",
    "swept",
    "hurled",
    "aligned",
    "pivoted",
    "whipped",
    "braked",
    "evaded",
    "ran",
    "swerved",
    "walked",
]
Condition = Literal[
    "exhausted", "damaged_wheel", "unconscious", "out_of_control", "fallen", "no_reins", "no_knife", "no_whip"
]

DefenceMeans = Literal["brake", "evade"]
AttackResult = Literal["carried_out", "avoided", "out_of_reach"]
SpeedChange = Literal["brake", "spur", "whip"]
TurnEnd = Literal[
    "stopped", "maximum", "u_turn", "skid", "collision", "bounce", "control_lost", "forfeit", "ran_on", "no_team"
]


class RollOffered(Struct, frozen=True, kw_only=True):
    """The owner of a chariot may modify a roll made for it, by answering this decision."""

    chariot: int
    faces: tuple[int, ...]
    decision: DecisionId


class RollModified(Struct, frozen=True, kw_only=True):
    """Luck: a die (its place in the roll) shows another face, for everything."""

    chariot: int
    die: int
    face: int


class RollLeft(Struct, frozen=True, kw_only=True):
    """The owner of a chariot lets a roll be, for now."""

    chariot: int


class PieceMoved(Struct, frozen=True, kw_only=True):
    """Something stands elsewhere, or faces another way, than before."""

    piece: PieceId
    reason: MoveReason
    before: Pose
    after: Pose
    distance_um: int


class PiecesCollided(Struct, frozen=True, kw_only=True):
    """Two pieces met, each with one of its parts; the dice are those of both sides in the end."""

    initiator: PieceId
    initiator_part: AnyPart
    initiator_faces: tuple[int, ...]
    target: PieceId
    target_part: AnyPart
    target_faces: tuple[int, ...]
    heading: int
    is_ram: bool
    bounce: int


class PointsLost(Struct, frozen=True, kw_only=True):
    """A chariot lost a point that it had."""

    chariot: int
    kind: Points
    left: int


class TableRolled(Struct, frozen=True, kw_only=True):
    """A missing point was lost: the table decides the effect."""

    chariot: int
    kind: Points
    table: PointsTable
    face: int
    modifier: int
    effects: tuple[PointsEffect, ...]
    next_modifier: int


class ConditionGained(Struct, frozen=True, kw_only=True):
    """A chariot is worse off: for good, or until so many of its turns have ended."""

    chariot: int
    condition: Condition
    turn_ends: int


class TokenLost(Struct, frozen=True, kw_only=True):
    """A speed token is given up for good."""

    chariot: int
    token: TokenName


class HorseDied(Struct, frozen=True, kw_only=True):
    """A horse dropped dead. With the last one the team is gone, as soon as its load has been dealt with."""

    chariot: int
    horses_left: int


class ChariotCrashed(Struct, frozen=True, kw_only=True):
    """The body is a wreck now. The team stands where it stood alone, or a little further on, dragging the driver."""

    chariot: int
    wreck_pose: Pose
    team_pose: Pose | None
    is_driver_dragged: bool


class DriverSetDown(Struct, frozen=True, kw_only=True):
    """The driver is on foot; the team stands as it did, or has a shorter base if it dragged him.

    If it happened in his own turn he rests until that is over.
    """

    chariot: int
    pose: Pose
    team_pose: Pose | None
    is_resting: bool


class DriverDied(Struct, frozen=True, kw_only=True):
    """The driver is dead; the horses, if any are left, run on without him."""

    chariot: int
    team_pose: Pose | None


class WreckDestroyed(Struct, frozen=True, kw_only=True):
    """A wreck is gone from the table."""

    chariot: int


class CascadeEnded(Struct, frozen=True, kw_only=True):
    """So many collisions followed from one move that further contacts were only stops."""

    collisions: int


class TurnBegan(Struct, frozen=True, kw_only=True):
    """A chariot moves now, so far at least and so far at most; by its driver's will, or out of control."""

    chariot: int
    token: TokenName
    is_driven: bool
    min_um: int
    max_um: int


class SpeedChanged(Struct, frozen=True, kw_only=True):
    """The active chariot was braked, spurred or whipped by so many centimetres."""

    chariot: int
    change: SpeedChange
    face: int
    min_um: int
    max_um: int


class TokenReplaced(Struct, frozen=True, kw_only=True):
    """The active chariot may not move by its token any more: the fastest one left to it counts from now on."""

    chariot: int
    token: TokenName
    min_um: int
    max_um: int


class SubMoveTested(Struct, frozen=True, kw_only=True):
    """The driver was tested before another sub-move; after a failure it skids."""

    chariot: int
    face: int
    modifier: int
    is_passed: bool


class SubMoveMade(Struct, frozen=True, kw_only=True):
    """A sub-move is over: the way it led, and how far the chariot has come in this turn."""

    chariot: int
    way: int
    travelled_um: int
    may_attack: bool


class SubMoveLost(Struct, frozen=True, kw_only=True):
    """A sweep is paid for, and its payment has left no centimetre to go: it is no sub-move."""

    chariot: int


class AttackAnnounced(Struct, frozen=True, kw_only=True):
    """The active chariot attacks a part of a piece beside it."""

    chariot: int
    target: PieceId
    part: AnyPart
    means: AttackMeans


class DefenceOffered(Struct, frozen=True, kw_only=True):
    """The owner of a chariot that is attacked may defend it, by answering this decision."""

    chariot: int
    decision: DecisionId


class DefenceChosen(Struct, frozen=True, kw_only=True):
    """A chariot that is attacked will brake, evade, or let the attack come."""

    chariot: int
    means: DefenceMeans | None


class DefenceTried(Struct, frozen=True, kw_only=True):
    """The target of an attack tried to avoid it. Without a face the horses shied of their own accord."""

    chariot: int
    means: DefenceMeans
    face: int | None
    modifier: int
    is_passed: bool


class AttackEnded(Struct, frozen=True, kw_only=True):
    """An attack has been carried out, or came to nothing."""

    chariot: int
    result: AttackResult


class TurnEnded(Struct, frozen=True, kw_only=True):
    """A chariot has moved as far as it will in its turn; the aftermath of the turn comes after that."""

    chariot: int
    reason: TurnEnd


class TurnClosed(Struct, frozen=True, kw_only=True):
    """A chariot's turn is over with its aftermath; conditions until its end are over too."""

    chariot: int


TurnOutcome = (
    TurnBegan | SpeedChanged | TokenReplaced | SubMoveTested | SubMoveMade | SubMoveLost | AttackAnnounced
    | TurnEnded | TurnClosed
)  # fmt: skip
ChariotOutcome = (
    RollModified | PointsLost | TableRolled | ConditionGained | TokenLost | HorseDied
    | ChariotCrashed | DriverSetDown | DriverDied | ChariotPlaced
)  # fmt: skip
TableOutcome = (
    ChariotOutcome | RollOffered | RollLeft | PieceMoved | WreckDestroyed | AttackEnded
    | DefenceOffered | DefenceChosen | DefenceTried | PiecesCollided | CascadeEnded
)  # fmt: skip
Outcome = TurnOutcome | TableOutcome | AftermathOutcome | DrawnOutcome | RaceOutcome

OUTCOME_TYPES: Mapping[str, type[Outcome]] = {
    "roll_offered": RollOffered,
    "roll_modified": RollModified,
    "roll_left": RollLeft,
    "piece_moved": PieceMoved,
    "pieces_collided": PiecesCollided,
    "points_lost": PointsLost,
    "table_rolled": TableRolled,
    "condition_gained": ConditionGained,
    "token_lost": TokenLost,
    "horse_died": HorseDied,
    "chariot_crashed": ChariotCrashed,
    "driver_set_down": DriverSetDown,
    "driver_died": DriverDied,
    "wreck_destroyed": WreckDestroyed,
    "cascade_ended": CascadeEnded,
    "turn_began": TurnBegan,
    "speed_changed": SpeedChanged,
    "token_replaced": TokenReplaced,
    "sub_move_tested": SubMoveTested,
    "sub_move_made": SubMoveMade,
    "sub_move_lost": SubMoveLost,
    "turn_ended": TurnEnded,
    "turn_closed": TurnClosed,
    "attack_announced": AttackAnnounced,
    "defence_offered": DefenceOffered,
    "defence_chosen": DefenceChosen,
    "defence_tried": DefenceTried,
    "attack_ended": AttackEnded,
    **AFTERMATH_OUTCOME_TYPES,
    **DRAWN_OUTCOME_TYPES,
    **RACE_OUTCOME_TYPES,
}
