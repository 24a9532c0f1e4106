"""The state of play. Hidden values are kept apart from public ones; without the secret they are UNKNOWN.

Public views read only the public fields, so that they are the same with and without the secret.
"""

from typing import Literal

import msgspec
from msgspec import Struct

from domain.ids import Seat
from domain.rulesets.charioteer.options import Options
from domain.rulesets.charioteer.skills import EmperorFace, Places

# A face that a fold without the secret cannot know.
UNKNOWN = -1

Phase = Literal["setting_up", "choosing", "opening", "over"]


class Pile(Struct, frozen=True):
    """Cards or tokens thrown away, in order; `shown` lists the faces in public, `faces` (hidden) the true ones."""

    faces: tuple[int, ...] = ()
    shown: tuple[int, ...] = ()

    def with_shown(self, faces: tuple[int, ...]) -> "Pile":
        return Pile(self.faces + faces, self.shown + faces)

    def with_unseen(self, faces: tuple[int, ...]) -> "Pile":
        return Pile(self.faces + faces, self.shown + (UNKNOWN,) * len(faces))


class Supply(Struct, frozen=True):
    """A shuffled deck or bag. `order` (hidden) is the shuffled pile; the first `taken` of it have been drawn since."""

    order: tuple[int, ...] = ()
    taken: int = 0
    # How many were ever drawn, over all shuffles: the next draw number.
    draws: int = 0

    @property
    def left(self) -> int:
        return len(self.order) - self.taken


class CrowdCard(Struct, frozen=True):
    draw: int
    face: int


class PlayedMove(Struct, frozen=True, kw_only=True):
    """A move as it was turned up. `faces` are those of `cards`, in the same order."""

    cards: tuple[int, ...]
    faces: tuple[int, ...]
    symbol: int
    crowd_face: int | None
    token: int | None
    changed: int | None


class PlayedReset(Struct, frozen=True, kw_only=True):
    cards: tuple[int, ...]
    faces: tuple[int, ...]


class Forfeited(Struct, frozen=True, kw_only=True):
    """Sealed an action that was not opened, or not legal: stands still."""


Played = PlayedMove | PlayedReset | Forfeited


class Driver(Struct, frozen=True, kw_only=True):
    """One seat's chariot, display, hand and tokens. `hand_faces`, `fan_faces` and `stack_faces` are hidden."""

    seat: Seat
    progress: int
    skills: Places = ()
    damage: int = 0
    attacked: int = 0
    # A shield or a reset: takes no cube for the rest of the turn.
    is_closed: bool = False
    hand: tuple[int, ...] = ()
    hand_faces: tuple[int, ...] = ()
    fan_tokens: tuple[int, ...] = ()
    fan_faces: tuple[int, ...] = ()
    player_tokens: tuple[int, ...] = ()
    played: Played | None = None
    # Under a discard token, or thrown down by a forfeit: face down for ever.
    stack: tuple[int, ...] = ()
    stack_faces: tuple[int, ...] = ()
    # Fan tokens lying open on the table until the turn ends.
    fan_spent: tuple[int, ...] = ()
    # 0 while in the race, else the how-manieth to resign.
    resigned: int = 0

    @property
    def is_racing(self) -> bool:
        return self.resigned == 0


class Board(Struct, frozen=True, kw_only=True):
    """`row` orders chariots that share a space, inside first; between different spaces it states nothing."""

    options: Options
    drivers: tuple[Driver, ...]
    row: tuple[Seat, ...]
    deck: Supply
    bag: Supply
    discards: Pile
    fan_discards: Pile
    crowd: tuple[CrowdCard, ...] = ()
    turn: int = 0
    lap: int = 1
    emperor: EmperorFace | None = None
    first_player: Seat | None = None
    phase: Phase = "setting_up"


def driver_of(board: Board, seat: Seat) -> Driver:
    for driver in board.drivers:
        if driver.seat == seat:
            return driver
    raise AssertionError(f"seat {seat} does not play")


def with_driver(board: Board, driver: Driver) -> Board:
    drivers = tuple(driver if other.seat == driver.seat else other for other in board.drivers)
    return msgspec.structs.replace(board, drivers=drivers)


def racing(board: Board) -> tuple[Driver, ...]:
    """List the drivers still in the race, in seat order."""
    return tuple(driver for driver in board.drivers if driver.is_racing)


def race_order(board: Board) -> tuple[Driver, ...]:
    """CH-90, CH-32: more progress first; on equal progress the inner one first. Always total."""
    return tuple(sorted(racing(board), key=lambda driver: (-driver.progress, board.row.index(driver.seat))))
