"""One move and everything that follows from it: collisions, pushes, lost points, crashes, all resolved on the spot.

It ends: a cascade has so many collisions and then contacts are only stops; between collisions, losses go one way, from
structure to stamina to health to skill, and what moves by them moves once.
"""

from typing import Any, Protocol

from msgspec import Struct

from domain.ids import DecisionId
from domain.ruleset.decision import Decision
from domain.rulesets.chariotmaster.box.component_file import Components
from domain.rulesets.chariotmaster.race.board import Board, PieceId
from domain.rulesets.chariotmaster.race.outcomes import MoveReason
from domain.rulesets.chariotmaster.race.racetrack import Arena


class AnyScript(Protocol):
    """What rules write to: a script, or something that passes everything on to one."""

    @property
    def board(self) -> Board: ...
    def emit(self, outcome: Any) -> None: ...
    def roll(self, name: str, *, dice: int, sides: int) -> tuple[int, ...]: ...
    def ask(self, decision: Decision) -> Any: ...


class Drive(Protocol):
    """Moves a piece and resolves what it runs into."""

    def __call__(
        self, cascade: "Cascade", piece: PieceId, *, heading: int, distance_um: int, reason: MoveReason
    ) -> None: ...


class Clash(Struct, frozen=True, kw_only=True):
    """Who meets whom with which part, going where. `rest_um` is what is left of the initiator's own move."""

    initiator: PieceId
    initiator_part: int
    target: PieceId
    target_part: int
    heading: int
    rest_um: int = 0
    is_ram: bool = False


class Collide(Protocol):
    """Resolves one collision and all that follows from it."""

    def __call__(self, cascade: "Cascade", clash: Clash) -> None: ...


class Cascade:
    """What the rules of one move share. `name` is unique in the game: questions asked on the way are named after it.

    `mover` is the chariot whose own move it is; None where somebody else makes things move.
    `drive` and `collide` are handed in because losses move things, which collide, which leads to losses.
    """

    def __init__(
        self, script: AnyScript, arena: Arena, *, name: str, mover: int | None, drive: Drive, collide: Collide
    ) -> None:
        self.script = script
        self.arena = arena
        self.mover = mover
        self.collisions = 0
        self.is_turn_ended = False
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
        """Say whether another contact is a collision still."""
        return self.collisions < self.box.numbers.cascade_collisions_max

    def drive(self, piece: PieceId, *, heading: int, distance_um: int, reason: MoveReason) -> None:
        """Move a piece straight and resolve what it runs into."""
        self._drive(self, piece, heading=heading, distance_um=distance_um, reason=reason)

    def collide(self, clash: Clash) -> None:
        """Resolve a collision and all that follows from it."""
        self._collide(self, clash)

    def next_question(self, kind: str) -> DecisionId:
        """Name the next question; the same one when the play runs again."""
        self._questions += 1
        return DecisionId(f"{self._name}/{kind}/{self._questions}")
