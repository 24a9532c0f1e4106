"""The state of a race: chariots, caltrops, the order of the round and the turn that is going on.

A board never changes; `evolution` makes the next one. Everything is public.
"""

from typing import Literal

import msgspec
from msgspec import Struct

from domain.ids import Seat
from domain.rulesets.chariot_race.components import ChariotBoard, Colour, Components, Face
from domain.rulesets.chariot_race.options import RaceOptions
from domain.rulesets.chariot_race.outcomes import EndReason
from domain.rulesets.chariot_race.track import Track

# Seven chariots would not fit on the grid: with few players each drives two.
SEATS_WITH_TWO_MAX = 3

ChariotStatus = Literal["waiting", "racing", "wrecked", "withdrawn"]
# Within a turn. In "thrown" dice are in the air: nothing is owed.
TurnPhase = Literal["repair", "thrown", "reroll", "manipulation", "move", "moving", "attack"]


class Chariot(Struct, frozen=True, kw_only=True):
    """`damage_left` is the value of the Damage track: full means intact, 0 wrecked."""

    seat: Seat
    table: ChariotBoard
    damage_left: int
    speed: int
    fate: int
    status: ChariotStatus = "waiting"
    place: int = 0  # on the grid, 1 to 6; 0 before
    lane: int = 0
    step: int = 0
    wreck_moment: int = 0
    is_home: bool = False  # finished, and its turn over

    @property
    def colour(self) -> Colour:
        return self.table.colour


class Turn(Struct, frozen=True, kw_only=True):
    chariot: Colour
    phase: TurnPhase = "repair"
    dice: tuple[Face, ...] = ()
    throwing: tuple[int, ...] = ()
    throwing_leads_to: TurnPhase = "reroll"
    manipulations: int = 0
    entered: tuple[int, ...] = ()  # spaces, in order
    attacks: int = 0
    attacks_made: int = 0


class Board(Struct, frozen=True, kw_only=True):
    components: Components
    track: Track
    options: RaceOptions
    seats: tuple[Seat, ...]
    chariots: tuple[Chariot, ...]  # by seat, then as its seat got them
    first_chooser: Seat | None = None  # null where chariots are given, not chosen
    caltrops: tuple[int, ...] = ()  # spaces, ascending
    round: int = 0
    order: tuple[Colour, ...] = ()
    turns_begun: int = 0
    turn: Turn | None = None
    wreck_moments: int = 0
    leaving: tuple[Seat, ...] = ()
    withdrawn: tuple[Seat, ...] = ()  # as they left
    ended: EndReason | None = None

    @property
    def caltrops_left(self) -> int:
        """Count the supply."""
        return self.components.numbers.caltrops - len(self.caltrops)

    @property
    def finish_front(self) -> int:
        """The front border that has to be passed to finish."""
        return self.components.numbers.laps * self.track.lap_units

    @property
    def tables(self) -> tuple[ChariotBoard, ...]:
        """The six chariot boards, front or back side up (CR-04)."""
        return self.components.alternate if self.options.chariots == "alternate" else self.components.basic_boards()

    @property
    def chariots_each(self) -> int:
        return 2 if len(self.seats) <= SEATS_WITH_TWO_MAX else 1


def build_chariot(seat: Seat, table: ChariotBoard) -> Chariot:
    return Chariot(seat=seat, table=table, damage_left=table.damage_max, speed=table.speed, fate=table.fate)


def chariot_of(board: Board, colour: Colour) -> Chariot:
    for chariot in board.chariots:
        if chariot.table.colour == colour:
            return chariot
    raise AssertionError(f"no {colour} chariot on the board")


def with_chariot(board: Board, chariot: Chariot) -> tuple[Chariot, ...]:
    """Return all chariots with this one in the place of its colour."""
    colour = chariot.table.colour
    return tuple(chariot if old.table.colour == colour else old for old in board.chariots)


def current_turn(board: Board) -> Turn:
    assert board.turn is not None, "no chariot's turn"
    return board.turn


def current_chariot(board: Board) -> Chariot:
    return chariot_of(board, current_turn(board).chariot)


def racing(board: Board) -> tuple[Chariot, ...]:
    return tuple(chariot for chariot in board.chariots if chariot.status == "racing")


def seats_left(board: Board) -> tuple[Seat, ...]:
    """List the seats that can still win: not resigned, and with a chariot to race or still to choose."""
    wrecked = {chariot.seat for chariot in board.chariots} - {
        chariot.seat for chariot in board.chariots if chariot.status in ("waiting", "racing")
    }
    return tuple(seat for seat in board.seats if seat not in wrecked and seat not in board.withdrawn)


def front_of(board: Board, chariot: Chariot) -> int:
    return board.track.front(lane=chariot.lane, step=chariot.step)


def space_of(board: Board, chariot: Chariot) -> int:
    return board.track.space(lane=chariot.lane, step=chariot.step)


def is_safe(board: Board, chariot: Chariot) -> bool:
    """Whether nothing can damage this chariot any more (CR-50)."""
    return board.options.no_damage_after_line and chariot.is_home


def has_finished(board: Board, chariot: Chariot) -> bool:
    return front_of(board, chariot) > board.finish_front


def replace_turn(board: Board, **changes: object) -> Board:
    turn = msgspec.structs.replace(current_turn(board), **changes)
    return msgspec.structs.replace(board, turn=turn)
