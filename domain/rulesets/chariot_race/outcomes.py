"""The outcomes of a race, for readers who do not program. Stored for ever.

Values are given as they stand afterwards. `front` is a front border in units from the line at the start.
"""

from typing import Literal

from msgspec import Struct

from domain.ids import Seat
from domain.rulesets.chariot_race.components import Colour, Face
from domain.rulesets.chariot_race.track import SpaceName

WreckCause = Literal["sprint", "corner", "caltrop", "ram", "heap", "javelin"]
EndReason = Literal["finished", "no_chariot_left", "rounds_max", "one_seat_left", "one_team_left"]
Throw = Literal["first", "free", "paid"]


class Outcome(Struct, frozen=True, kw_only=True):
    """The base of all of them."""


class StartOrderDrawn(Outcome, frozen=True, kw_only=True):
    """The seats in the order of grid places (CR-63)."""

    seats: tuple[Seat, ...]


class FirstChooserDrawn(Outcome, frozen=True, kw_only=True):
    seat: Seat


class BoardChosen(Outcome, frozen=True, kw_only=True):
    seat: Seat
    chariot: Colour
    damage_left: int
    speed: int
    fate: int


class ChariotPlaced(Outcome, frozen=True, kw_only=True):
    """A chariot took a marked space of the grid."""

    seat: Seat
    chariot: Colour
    place: int
    space: SpaceName
    front: int


class RoundBegan(Outcome, frozen=True, kw_only=True):
    round: int
    order: tuple[Colour, ...]


class TurnBegan(Outcome, frozen=True, kw_only=True):
    seat: Seat
    chariot: Colour


class ChariotRepaired(Outcome, frozen=True, kw_only=True):
    chariot: Colour
    repaired: int
    damage_left: int
    fate: int


class SpeedAdjusted(Outcome, frozen=True, kw_only=True):
    """The damage does not allow the speed any more."""

    chariot: Colour
    speed_before: int
    speed: int
    damage_left: int


class DiceThrown(Outcome, frozen=True, kw_only=True):
    """These dice are thrown, counted from 0; the roll itself follows."""

    chariot: Colour
    throw: Throw
    dice: tuple[int, ...]
    fate: int


class DiceKept(Outcome, frozen=True, kw_only=True):
    """The free re-roll was declined, and is gone."""

    chariot: Colour


class DieTurned(Outcome, frozen=True, kw_only=True):
    chariot: Colour
    die: int
    face: Face
    fate: int


class DiceSettled(Outcome, frozen=True, kw_only=True):
    """The faces that count in the end."""

    chariot: Colour
    faces: tuple[Face, ...]


class FortunaFavoured(Outcome, frozen=True, kw_only=True):
    chariot: Colour
    faces: int
    fate: int


class SpeedSet(Outcome, frozen=True, kw_only=True):
    """All speed changes in one sum, with the damage of the sprints."""

    chariot: Colour
    speed_before: int
    pluses: int
    minuses: int
    sprints: int
    speed: int
    damage: int
    damage_left: int


class ChariotMoved(Outcome, frozen=True, kw_only=True):
    """A stretch of the move up to an incident, or to its end."""

    chariot: Colour
    path: tuple[SpaceName, ...]
    front: int


class CornerTaken(Outcome, frozen=True, kw_only=True):
    """A numbered space was entered too fast."""

    chariot: Colour
    space: SpaceName
    limit: int
    speed: int
    damage: int
    damage_left: int


class CaltropHit(Outcome, frozen=True, kw_only=True):
    """The caltrop goes back to the supply."""

    chariot: Colour
    space: SpaceName
    damage: int
    damage_left: int


class HeapStruck(Outcome, frozen=True, kw_only=True):
    chariot: Colour
    space: SpaceName


class ChariotRammed(Outcome, frozen=True, kw_only=True):
    """Both lose at the same moment, unless the rammed one is safe beyond the line."""

    chariot: Colour
    rammed: Colour
    space: SpaceName
    damage: int
    damage_left: int
    rammed_damage: int
    rammed_damage_left: int


class ChariotSetBack(Outcome, frozen=True, kw_only=True):
    """The move ended on a rammed chariot: the first free space behind it in its lane."""

    chariot: Colour
    behind: Colour
    space: SpaceName
    front: int


class ChariotWrecked(Outcome, frozen=True, kw_only=True):
    """Equal moments are the same moment, for the ranking. `caltrop` states whether the wreck left one."""

    chariot: Colour
    cause: WreckCause
    space: SpaceName
    caltrop: bool
    moment: int


class LapCompleted(Outcome, frozen=True, kw_only=True):
    chariot: Colour
    laps: int
    beyond_line_units: int


class LapUndone(Outcome, frozen=True, kw_only=True):
    """Set back behind the line: the crossing does not count and must be made again."""

    chariot: Colour
    laps: int


class MoveEnded(Outcome, frozen=True, kw_only=True):
    chariot: Colour
    space: SpaceName
    attacks: int


class CaltropDropped(Outcome, frozen=True, kw_only=True):
    chariot: Colour
    space: SpaceName


class JavelinThrown(Outcome, frozen=True, kw_only=True):
    chariot: Colour
    target: Colour
    distance: int
    damage: int
    target_damage_left: int


class TurnEnded(Outcome, frozen=True, kw_only=True):
    chariot: Colour


class WithdrawalAnnounced(Outcome, frozen=True, kw_only=True):
    """The seat gave up inside a turn of its own and leaves at the end of it."""

    seat: Seat


class SeatWithdrawn(Outcome, frozen=True, kw_only=True):
    """Its chariots leave the track; no wreck, no caltrop."""

    seat: Seat
    chariots: tuple[Colour, ...]


class RaceEnded(Outcome, frozen=True, kw_only=True):
    reason: EndReason
    finishers: tuple[Colour, ...]


# The tags of the log. They never change, even if the types are renamed.
OUTCOME_TYPES: dict[str, type[Outcome]] = {
    "start_order_drawn": StartOrderDrawn,
    "first_chooser_drawn": FirstChooserDrawn,
    "board_chosen": BoardChosen,
    "chariot_placed": ChariotPlaced,
    "round_began": RoundBegan,
    "turn_began": TurnBegan,
    "chariot_repaired": ChariotRepaired,
    "speed_adjusted": SpeedAdjusted,
    "dice_thrown": DiceThrown,
    "dice_kept": DiceKept,
    "die_turned": DieTurned,
    "dice_settled": DiceSettled,
    "fortuna_favoured": FortunaFavoured,
    "speed_set": SpeedSet,
    "chariot_moved": ChariotMoved,
    "corner_taken": CornerTaken,
    "caltrop_hit": CaltropHit,
    "heap_struck": HeapStruck,
    "chariot_rammed": ChariotRammed,
    "chariot_set_back": ChariotSetBack,
    "chariot_wrecked": ChariotWrecked,
    "lap_completed": LapCompleted,
    "lap_undone": LapUndone,
    "move_ended": MoveEnded,
    "caltrop_dropped": CaltropDropped,
    "javelin_thrown": JavelinThrown,
    "turn_ended": TurnEnded,
    "withdrawal_announced": WithdrawalAnnounced,
    "seat_withdrawn": SeatWithdrawn,
    "race_ended": RaceEnded,
}
