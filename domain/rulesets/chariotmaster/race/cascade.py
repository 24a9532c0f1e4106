"""One move and everything that follows from it: collisions, pushes, lost points, crashes, all resolved on the spot.

It ends: a cascade has so many collisions and then contacts are only stops; between collisions, losses go one way, from
structure to stamina to health to skill, and each piece that moves by them moves once.
"""

from typing import Any, Protocol

from msgspec import Struct

from domain.ids import DecisionId
from domain.ruleset.decision import Decision
from domain.rulesets.chariotmaster.box.component_file import Components
from domain.rulesets.chariotmaster.race.board import Board, PieceId
from domain.rulesets.chariotmaster.race.outcomes import MoveReason, TurnEnd
from domain.rulesets.chariotmaster.race.racetrack import Arena


class AnyScript(Protocol):
    """A target of the rules' outcomes: a script, or a wrapper that passes everything on to one."""

    @property
    def board(self) -> Board: ...
    def emit(self, outcome: Any) -> None: ...
    def roll(self, name: str, *, dice: int, sides: int) -> tuple[int, ...]: ...
    def ask(self, decision: Decision) -> Any: ...


class Drive(Protocol):
    """Moves a piece and resolves its collisions."""

    def __call__(
        self, cascade: "Cascade", piece: PieceId, *, heading: int, distance_um: int, reason: MoveReason
    ) -> None: ...


class Clash(Struct, frozen=True, kw_only=True):
    """Two parts that meet: the initiator's and the target's. `heading` is the initiator's direction of travel.

    `reason` is that of the initiator's move and `rest_um` the rest of it, if it is the initiator's own; `crossed` are
    the small pieces that this move has run through so far.
    `is_chained`: the active chariot began the chain of pushes that leads here. `is_fall`: a driver comes down there.
    `holds_back`: a ram without its extra dice.
    """

    initiator: PieceId
    initiator_part: int
    target: PieceId
    target_part: int
    heading: int
    reason: MoveReason = "moved"
    rest_um: int = 0
    crossed: tuple[PieceId, ...] = ()
    is_ram: bool = False
    holds_back: bool = False
    is_chained: bool = False
    is_fall: bool = False


class Collide(Protocol):
    """Resolves one collision and all that follows from it."""

    def __call__(self, cascade: "Cascade", clash: Clash) -> None: ...


class Cascade:
    """One move and its consequences. `name` is unique in the game: questions on the way are named after it.

    `turn_end` is the reason why the active chariot's turn is over, if a collision on the way has ended it.
    `drive` and `collide` are arguments because losses move pieces, which collide, which leads to losses.
    """

    def __init__(self, script: AnyScript, arena: Arena, *, name: str, drive: Drive, collide: Collide) -> None:
        self.script = script
        self.arena = arena
        self.collisions = 0
        self.turn_end: TurnEnd | None = None
        self._drive = drive
        self._collide = collide
        self._name = name
        self._questions = 0

    @property
    def board(self) -> Board:
        return self.script.board

    @property
    def box(self) -> Components:
        return self.arena.box

    @property
    def may_collide(self) -> bool:
        """Return whether another contact is a collision still."""
        return self.collisions < self.box.numbers.cascade_collisions_max

    def drive(self, piece: PieceId, *, heading: int, distance_um: int, reason: MoveReason) -> None:
        """Move a piece straight and resolve its collisions."""
        self._drive(self, piece, heading=heading, distance_um=distance_um, reason=reason)

    def collide(self, clash: Clash) -> None:
        """Resolve a collision and all that follows from it."""
        self._collide(self, clash)

    def next_question(self, kind: str) -> DecisionId:
        """Name the next question; the same one when the play runs again."""
        self._questions += 1
        return DecisionId(f"{self._name}/{kind}/{self._questions}")
