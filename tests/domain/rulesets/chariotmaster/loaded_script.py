"""A script with loaded dice: rolls come from a list, answers too, outcomes go to the board as in a game."""

from collections.abc import Iterable
from typing import Any

from msgspec import Struct

from domain.ruleset.decision import Decision
from domain.ruleset.script import Script
from domain.rulesets.chariotmaster.race.actions import Defend, Endure, LeaveRoll
from domain.rulesets.chariotmaster.race.board import Board, Chariot, PieceId
from domain.rulesets.chariotmaster.race.cascade import Cascade
from domain.rulesets.chariotmaster.race.evolution import evolve
from domain.rulesets.chariotmaster.race.outcomes import Outcome, PieceMoved
from domain.rulesets.chariotmaster.table.shapes import Pose
from domain.rulesets.chariotmaster.turn.collisions import begin_cascade
from tests.domain.rulesets.chariotmaster.cases import Cases
from tests.domain.rulesets.chariotmaster.fake_ruleset_pileup import ARENA


class LoadedScript(Script[Board, Any, Any]):
    """Every die must be used up, and every answer: `assert_done` states so."""

    def __init__(self, board: Board, *, faces: Iterable[int] = (), answers: Iterable[Any] = ()) -> None:
        self.board = board
        self.outcomes: list[Outcome] = []
        self.asked: list[Decision] = []
        self._faces = list(faces)
        self._answers = list(answers)

    def emit(self, outcome: Outcome) -> None:
        self.outcomes.append(outcome)
        self.board = evolve(self.board, outcome)

    def roll(self, name: str, *, dice: int, sides: int) -> tuple[int, ...]:
        assert len(self._faces) >= dice, f"no dice are left for {name}"
        rolled, self._faces = tuple(self._faces[:dice]), self._faces[dice:]
        assert all(1 <= face <= sides for face in rolled), f"{rolled} for {name}, which has {sides} sides"
        return rolled

    def ask(self, decision: Decision) -> Any:
        self.asked.append(decision)
        return self._answers.pop(0)

    def assert_done(self) -> None:
        assert not self._faces, f"dice {self._faces} were not rolled"
        assert not self._answers, f"answers {self._answers} were not asked for"

    def told(self, kind: type[Struct]) -> list[Any]:
        return [outcome for outcome in self.outcomes if isinstance(outcome, kind)]


class RandomScript(LoadedScript):
    """Dice as they fall; every seat lets every roll be, and defends itself or not."""

    def __init__(self, board: Board, cases: Cases) -> None:
        super().__init__(board)
        self._cases = cases

    def roll(self, name: str, *, dice: int, sides: int) -> tuple[int, ...]:
        del name
        return tuple(self._cases.number(1, sides) for _ in range(dice))

    def ask(self, decision: Decision) -> Any:
        self.asked.append(decision)
        if "/defence/" in decision.id:
            return (Defend(means="brake"), Defend(means="evade"), Endure())[self._cases.number(0, 2)]
        return LeaveRoll()


def table(*chariots: Chariot, active: int | None = 0) -> Board:
    return Board(chariots=chariots, active=active)


def cascade_on(script: LoadedScript) -> Cascade:
    return begin_cascade(script, ARENA, name="t1")


def pose_at(x_mm: int, y_mm: int = 0, heading: int = 0) -> Pose:
    return Pose(x_um=x_mm * 1_000, y_um=y_mm * 1_000, heading=heading)


def moves(script: LoadedScript) -> list[tuple[int, str, int]]:
    return [(moved.piece, moved.reason, moved.distance_um // 1_000) for moved in script.told(PieceMoved)]


def charge(script: LoadedScript, piece: PieceId, *, heading: int, distance_mm: int) -> Cascade:
    """Move a piece as its own move, resolve everything, and see that no die was left."""
    cascade = cascade_on(script)
    cascade.drive(piece, heading=heading, distance_um=distance_mm * 1_000, reason="moved")
    script.assert_done()
    return cascade
