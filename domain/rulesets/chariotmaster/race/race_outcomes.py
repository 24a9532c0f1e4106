"""Outcomes that concern the whole race: builds, laps, the line, places, seats that leave. Stored for ever."""

from collections.abc import Mapping
from typing import Literal

from msgspec import Struct

from domain.ids import SeatField
from domain.rulesets.chariotmaster.box.building import Fitting

EndReason = Literal[
    "places_taken", "one_left", "one_team_racing", "none_left", "turn_limit", "one_seat_left", "one_team_left"
]


class BuildsClosed(Struct, frozen=True, kw_only=True):
    """Every build is in; they are opened together."""

    chariots: tuple[int, ...]


class ChariotBuilt(Struct, frozen=True, kw_only=True):
    """A chariot stands ready: its equipment, and the points and abilities that it gives."""

    chariot: int
    race: str | None
    equipment: tuple[str, ...]
    fitting: Fitting


class LapCompleted(Struct, frozen=True, kw_only=True):
    """A chariot has come past the line for the first time in this lap."""

    chariot: int
    lap: int


class LineCrossed(Struct, frozen=True, kw_only=True):
    """A chariot has driven all its laps; a driver who is dragged must live to the end of the game turn."""

    chariot: int
    is_dragged: bool


class ChariotFinished(Struct, frozen=True, kw_only=True):
    """The game turn is over: the chariot has its place and leaves the track."""

    chariot: int
    place: int


class CrossingVoided(Struct, frozen=True, kw_only=True):
    """The driver who was dragged across the line did not live to the end of the game turn."""

    chariot: int


class WithdrawalAnnounced(Struct, frozen=True, kw_only=True):
    """A seat resigns, and leaves when the chariot turn that is on is over."""

    seat: SeatField


class SeatWithdrawn(Struct, frozen=True, kw_only=True):
    """Chariots, horses and drivers of a seat leave the table; its wrecks stay."""

    seat: SeatField
    chariots: tuple[int, ...]


class RaceEnded(Struct, frozen=True, kw_only=True):
    """The race is over, and why."""

    reason: EndReason


RaceOutcome = (
    BuildsClosed
    | ChariotBuilt
    | LapCompleted
    | LineCrossed
    | ChariotFinished
    | CrossingVoided
    | WithdrawalAnnounced
    | SeatWithdrawn
    | RaceEnded
)

RACE_OUTCOME_TYPES: Mapping[str, type[RaceOutcome]] = {
    "builds_closed": BuildsClosed,
    "chariot_built": ChariotBuilt,
    "lap_completed": LapCompleted,
    "line_crossed": LineCrossed,
    "chariot_finished": ChariotFinished,
    "crossing_voided": CrossingVoided,
    "withdrawal_announced": WithdrawalAnnounced,
    "seat_withdrawn": SeatWithdrawn,
    "race_ended": RaceEnded,
}
