"""A seat's choices, complete: the answers to each kind of decision, with their prices."""

from typing import Literal

from msgspec import Struct

from domain.rulesets.chariot_race.components import ChariotBoard, Colour, Face
from domain.rulesets.chariot_race.track import SpaceName

IncidentKind = Literal["sprint", "corner", "caltrop", "heap", "ram", "set_back"]


class Incident(Struct, frozen=True):
    """Something that a move brings with it, at the space entered as number `at` (0: before the first).

    `damage` is one's own. `other` is the chariot that is rammed, with the damage it has left then, or the one behind
    which one is set back.
    """

    kind: IncidentKind
    at: int
    space: SpaceName
    damage: int
    damage_left: int
    other: Colour | None = None
    other_damage_left: int | None = None


class MoveOffer(Struct, frozen=True):
    """One path with all its consequences. `space` is where the chariot stands afterwards, or where it is wrecked."""

    path: str
    space: SpaceName
    front: int
    damage: int
    damage_left: int
    incidents: tuple[Incident, ...]


class SpeedOffer(Struct, frozen=True, kw_only=True):
    """Every path at one speed, which any of these numbers of minuses leads to."""

    minuses: tuple[int, ...]
    speed: int
    moves: tuple[MoveOffer, ...]


class RepairChoices(Struct, frozen=True, kw_only=True, tag_field="kind", tag="repair"):
    """`repair`, leading to these values, or `pass`."""

    damage_left: int
    fate: int


class RerollChoices(Struct, frozen=True, kw_only=True, tag_field="kind", tag="reroll"):
    """`reroll` any one or more of the dice, free and once, or `pass`."""

    dice: tuple[Face, ...]


class ManipulationChoices(Struct, frozen=True, kw_only=True, tag_field="kind", tag="manipulation"):
    """`reroll` any one or more of the dice, or `turn_die` to one of the faces, for Fate each time, or `pass`."""

    dice: tuple[Face, ...]
    faces: tuple[Face, ...]
    cost: int
    fate: int


class MoveChoices(Struct, frozen=True, kw_only=True, tag_field="kind", tag="move"):
    """`move` along a path with a number of minuses that fits it."""

    speeds: tuple[SpeedOffer, ...]


class Target(Struct, frozen=True, kw_only=True):
    chariot: Colour
    distance: int
    damage_left: int


class AttackChoices(Struct, frozen=True, kw_only=True, tag_field="kind", tag="attack"):
    """`drop_caltrop` on one of the spaces, `throw_javelin` at one of the targets, or `pass`."""

    attacks_left: int
    spaces: tuple[SpaceName, ...]
    targets: tuple[Target, ...]


class BoardChoices(Struct, frozen=True, kw_only=True, tag_field="kind", tag="choose_board"):
    boards: tuple[ChariotBoard, ...]


class PlaceChoices(Struct, frozen=True, kw_only=True, tag_field="kind", tag="choose_place"):
    """`choose_place` for this chariot."""

    chariot: Colour
    places: tuple[int, ...]


Choices = (
    RepairChoices | RerollChoices | ManipulationChoices | MoveChoices | AttackChoices | BoardChoices | PlaceChoices
)


class Foreseen(Struct, frozen=True, kw_only=True):
    """The certain effects of an action before it is taken: values of the seat's own chariot, and of one that is hit."""

    chariot: Colour
    damage_left: int
    speed: int
    fate: int
    move: MoveOffer | None = None
    target: Colour | None = None
    target_damage_left: int | None = None
