"""A ruleset played without a game around it: for simulations, bots and tests of the rules alone.

No log, no clock, no signatures; sealed choices are opened as soon as the last of them is in.
"""

from collections.abc import Callable
from typing import Any

from msgspec import Struct

from domain.chance import Secret, derive_anchors, open_chance
from domain.ids import DecisionId, GameId, Seat
from domain.rejection import Rejection
from domain.rulesets.decision import Decision
from domain.rulesets.ruleset import AnyRuleset
from domain.rulesets.script import Interrupted, Script, Written

# Closing and opening follow each other a few times before somebody must act; more is a ruleset in a loop.
ROUNDS_MAX = 1_000

AnyScript = Script[Any, Any, Any]
REHEARSED_GAME = GameId("0199c0de-0000-7000-8000-000000000001")


class Withheld(Struct, frozen=True):
    """In place of an action: sealed, but not opened."""


class Rehearsal:
    """One playing of a ruleset: ask what is `owed`, `answer` it, read `board` and what was `written`."""

    def __init__(self, ruleset: AnyRuleset, *, seats: tuple[Seat, ...], options: Struct, secret: bytes) -> None:
        self._rules = ruleset
        self.board: Any = ruleset.initial_board(seats, options)
        anchors = derive_anchors(Secret(secret), ruleset.link_chains)
        self.chance = open_chance(REHEARSED_GAME, anchors, Secret(secret))
        self.written: list[Struct] = []
        self._choices: dict[DecisionId, Any] = {}
        self._answers: dict[DecisionId, Any] = {}
        self._asked: Decision | None = None
        self._base = self.board
        self._past: list[Written] = []
        self._first: Callable[[AnyScript], None] = ruleset.begin
        self._run()

    def owed(self) -> tuple[Decision, ...]:
        """Return what is owed and not chosen yet; nothing when the game is over."""
        if self._asked is not None:
            return (self._asked,)
        return tuple(each for each in self._rules.decisions(self.board) if each.id not in self._choices)

    def answer(self, decision: Decision, action: Any) -> None:
        """Answer a decision; raises the Rejection if the rules do not allow it."""
        self._rules.check(self.board, decision, action)
        if decision == self._asked:
            self._answers[decision.id] = action
            self._run()
        elif decision.kind == "sealed":
            self._choices[decision.id] = action
            self._start(lambda _: None)
        else:
            self._start(lambda script: self._rules.play(script, decision, action))

    def withhold(self, decision: Decision) -> None:
        """Seal something and never open it."""
        assert decision.kind == "sealed", f"{decision.id} is {decision.kind}"
        self._choices[decision.id] = Withheld()
        self._start(lambda _: None)

    def resign(self, seat: Seat) -> None:
        """Take a seat out of the game."""
        assert self._asked is None, "a seat leaves when the play is over"
        self._start(lambda script: self._rules.resign(script, seat))

    def _start(self, first: Callable[[AnyScript], None]) -> None:
        assert self._asked is None, f"{self._asked} must be answered first"
        self._first = first
        self._base, self._past = self.board, []
        self._answers = {}
        self._run()

    def _run(self) -> None:
        script: AnyScript = Script(
            evolve=self._rules.evolve,
            board=self._base,
            chance=self.chance,
            respond=self._respond,
            past=self._past,
        )
        self._asked = None
        try:
            self._first(script)
            self._go_on(script)
        except Interrupted:
            assert self._asked is not None
        script.check_repeated()
        self.written += [each.event for each in script.written[len(self._past) :]]
        self._past = script.written
        self.board, self.chance = script.board, script.chance

    def _respond(self, _script: AnyScript, decision: Decision) -> Any:
        if decision.id in self._answers:
            return self._answers[decision.id]
        self._asked = decision
        raise Interrupted

    def _go_on(self, script: AnyScript) -> None:
        for _ in range(ROUNDS_MAX):
            owed = self._rules.decisions(script.board)
            sealed = [each for each in owed if each.kind == "sealed"]
            openings = sorted((each for each in owed if each.kind == "opening"), key=lambda each: each.seat)
            if openings:
                self._open(script, openings)
            elif sealed and all(each.id in self._choices for each in sealed):
                self._rules.close(script)
            else:
                return
        raise AssertionError(f"{self._rules.name} goes on for ever")

    def _open(self, script: AnyScript, openings: list[Decision]) -> None:
        # All are judged before the first is played, as in a game.
        forfeited = [each for each in openings if not self._is_legal(script, each)]
        for each in (*forfeited, *(each for each in openings if each not in forfeited)):
            if each not in self._rules.decisions(script.board):
                continue
            if each in forfeited:
                self._rules.forfeit(script, each)
            else:
                self._rules.play(script, each, self._choices[each.id])

    def _is_legal(self, script: AnyScript, opening: Decision) -> bool:
        if isinstance(self._choices[opening.id], Withheld):
            return False
        try:
            self._rules.check(script.board, opening, self._choices[opening.id])
        except Rejection:
            return False
        return True
