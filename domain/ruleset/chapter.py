"""A chapter of the rules: one kind of decision, from the seats that owe it to its effect. A ruleset is a list of them.

The chapters stand in the order in which a board is asked: decisions of the first that owes any are owed.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import Any, Generic, TypeVar

from msgspec import Struct

from domain.ids import Seat
from domain.rejection import IllegalAction
from domain.ruleset.decision import Decision
from domain.ruleset.script import Script

AnyScript = Script[Any, Any, Any]
# What a board is played on besides itself: a box, a course, a length.
Ground = TypeVar("Ground")
Board = TypeVar("Board")
Action = TypeVar("Action")
Choices = TypeVar("Choices", bound=Struct)
Foreseen = TypeVar("Foreseen", bound=Struct)


class NotDueNow(IllegalAction):
    """No seat owes this decision."""

    code = "not-due-now"


class WrongAction(IllegalAction):
    """It answers another kind of decision."""

    code = "wrong-action"


def _allow(_ground: Any, _board: Any, _decision: Decision, _action: Any) -> None:
    return None


def _ask_always(_ground: Any, _board: Any) -> None:
    return None


def _play_never(_script: Any, _ground: Any, decision: Decision, _action: Any) -> None:
    raise AssertionError(f"{decision.id} is asked in the middle of a play, which gets its answer")


def _close_never(script: Any, _ground: Any) -> None:
    raise AssertionError(f"nothing is sealed on {script.board}")


def _forfeit_never(_script: Any, _ground: Any, decision: Decision) -> None:
    raise AssertionError(f"nothing is sealed: {decision.id} is {decision.kind}")


class Chapter(Struct, Generic[Ground, Board], frozen=True, kw_only=True):
    """How one kind of decision is owed, offered, checked, foreseen, played, and answered for an absent seat.

    `answers` are the types of its actions; the other functions get no others. Without a `check` all of them are legal.
    A decision that has a `sole_answer` is not asked (XG-04). A sealed kind has `close` and `forfeit`; a kind that is
    asked in the middle of a play has no `play`.
    """

    answers: tuple[type, ...]
    owed: Callable[[Board], tuple[Decision, ...]]
    choices: Callable[[Ground, Board, Decision], Any]
    foresee: Callable[[Ground, Board, Decision, Any], Any]
    default: Callable[[Ground, Board, Decision], Any]
    check: Callable[[Ground, Board, Decision, Any], None] = _allow
    play: Callable[[Any, Ground, Decision, Any], None] = _play_never
    sole_answer: Callable[[Ground, Board], Any] = _ask_always
    close: Callable[[Any, Ground], None] = _close_never
    forfeit: Callable[[Any, Ground, Decision], None] = _forfeit_never


class ChapteredRuleset(ABC, Generic[Ground, Board, Action, Choices, Foreseen]):
    """The part of a ruleset that follows from its chapters: each duty is passed on to the chapter of the decision.

    After every play, forfeit and closing the race is carried on until a seat has a choice.
    """

    chapters: Sequence[Chapter[Ground, Board]]

    @abstractmethod
    def ground(self, board: Board) -> Ground:
        """Return the ground of a board."""

    @abstractmethod
    def set_up(self, script: Any) -> None:
        """Draw and lay out all that comes before the first decision."""

    @abstractmethod
    def withdraw(self, script: Any, seat: Seat) -> None:
        """Take a seat out of the game."""

    def carry_on(self, script: Any) -> bool:  # noqa: ARG002  for rulesets whose plays end at a decision
        """Take the next step that needs no answer, while no decision is owed; return whether there was one."""
        return False

    def watch(self, script: AnyScript) -> Any:
        """Return the script for the rules to write to."""
        return script

    def begin(self, script: AnyScript) -> None:
        watched = self.watch(script)
        self.set_up(watched)
        self._go_on(watched)

    def decisions(self, board: Board) -> tuple[Decision, ...]:
        _, owed = self._find_owed(board)
        return owed

    def check(self, board: Board, decision: Decision, action: Action) -> None:
        chapter = self._find(board, decision)
        if not isinstance(action, chapter.answers):
            expected = " or ".join(_spell(answer) for answer in chapter.answers)
            raise WrongAction(expected=f"{expected} for {decision.id}", found=_spell(type(action)))
        chapter.check(self.ground(board), board, decision, action)

    def close(self, script: AnyScript) -> None:
        chapter, _ = self._find_owed(script.board)
        assert chapter is not None, "the game is over"
        watched = self.watch(script)
        chapter.close(watched, self.ground(script.board))
        self._go_on(watched)

    def play(self, script: AnyScript, decision: Decision, action: Action) -> None:
        chapter, watched = self._find(script.board, decision), self.watch(script)
        chapter.play(watched, self.ground(script.board), decision, action)
        self._go_on(watched)

    def forfeit(self, script: AnyScript, decision: Decision) -> None:
        chapter, watched = self._find(script.board, decision), self.watch(script)
        chapter.forfeit(watched, self.ground(script.board), decision)
        self._go_on(watched)

    def resign(self, script: AnyScript, seat: Seat) -> None:
        watched = self.watch(script)
        self.withdraw(watched, seat)
        self._go_on(watched)

    def legal_actions(self, board: Board, decision: Decision) -> Choices:
        choices: Choices = self._find(board, decision).choices(self.ground(board), board, decision)
        return choices

    def preview(self, board: Board, decision: Decision, action: Action) -> Foreseen:
        self.check(board, decision, action)
        foreseen: Foreseen = self._find(board, decision).foresee(self.ground(board), board, decision, action)
        return foreseen

    def default_action(self, board: Board, decision: Decision) -> Action:
        action: Action = self._find(board, decision).default(self.ground(board), board, decision)
        return action

    def _find(self, board: Board, decision: Decision) -> Chapter[Ground, Board]:
        for chapter in self.chapters:
            for owed in chapter.owed(board):
                if owed.id == decision.id:
                    return chapter
        expected = ", ".join(owed.id for owed in self.decisions(board)) or "nothing, as the game is over"
        raise NotDueNow(expected=expected, found=decision.id)

    def _find_owed(self, board: Board) -> tuple[Chapter[Ground, Board] | None, tuple[Decision, ...]]:
        """Find the first chapter that owes decisions, and these; neither between decisions and after the end."""
        for chapter in self.chapters:
            owed = chapter.owed(board)
            if owed:
                return chapter, owed
        return None, ()

    def _go_on(self, script: Any) -> None:
        """Go on until a seat has a choice, or nothing is left to do."""
        while True:
            chapter, owed = self._find_owed(script.board)
            if chapter is None:
                if not self.carry_on(script):
                    return
                continue
            ground = self.ground(script.board)
            sole = chapter.sole_answer(ground, script.board)
            if sole is None:
                return
            chapter.play(script, ground, owed[0], sole)


def _spell(answer: type) -> str:
    config = getattr(answer, "__struct_config__", None)
    return str(config.tag or answer.__name__) if config is not None else answer.__name__
