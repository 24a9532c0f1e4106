"""Rounds: departures applied, absent seats answered for, seals closed, openings played, until a seat must act.

A game and a playout differ in the seats alone: how they leave, choose, and are noted in a log.
"""

from typing import Any, Literal, Protocol

from msgspec import Struct

from domain.ids import Seat
from domain.ruleset.decision import Decision
from domain.ruleset.ruleset import AnyRuleset
from domain.ruleset.script import Script

AnyScript = Script[Any, Any, Any]

# Closing, opening and leaving follow each other a few times before a seat must act; more is a ruleset in a loop.
ROUNDS_MAX = 1_000


class Forfeit(Struct, frozen=True):
    """In place of an action: sealed, but not opened, or opened to an illegal action."""


class Answer(Struct, frozen=True, kw_only=True):
    """An action or a forfeit, and the event of the game noted before it takes effect."""

    action: Any
    note: Struct | None = None


class Seats(Protocol):
    """The seats of one run, as far as the scheduler asks about them."""

    def take_departure(self) -> Seat | None:
        """Take the next seat of whose leaving the rules do not know yet."""
        ...

    def has_departed(self, seat: Seat) -> bool: ...

    def has_done(self, decision: Decision) -> bool:
        """Return whether a sealed choice or an opening is in, or is not waited for."""
        ...

    def judge(self, board: Any, opening: Decision) -> Answer:
        """Return the answer to an opening: its legal action, its forfeit, or the default of a seat that has left."""
        ...

    def choose_default(self, board: Any, decision: Decision) -> Answer: ...

    def count_forfeit(self, seat: Seat) -> None: ...


class Rounds:
    """One run over the rules, from a board after an answer to the next board that waits for a seat."""

    def __init__(self, rules: AnyRuleset, script: AnyScript, seats: Seats) -> None:
        self._rules = rules
        self._script = script
        self._seats = seats
        # The decisions owed on the board that was asked about last; boards never change.
        self._asked_of: Any = None
        self._decisions: tuple[Decision, ...] = ()

    def go_on(self) -> None:
        """Go on until nothing more follows without an answer."""
        for _ in range(ROUNDS_MAX):
            seat = self._seats.take_departure()
            if seat is not None:
                self._rules.resign(self._script, seat)
            elif not (self._default_for_departed() or self._close() or self._open()):
                return
        raise AssertionError(f"{self._rules.name} goes on for ever")

    def owed(self) -> tuple[Decision, ...]:
        board = self._script.board
        if board is not self._asked_of:
            # Each round asks several times, mostly of a board on which nothing has moved since.
            self._asked_of, self._decisions = board, self._rules.decisions(board)
        return self._decisions

    def play_default(self, decision: Decision) -> None:
        """Answer a plain decision for an absent seat."""
        self._play(decision, self._seats.choose_default(self._script.board, decision))

    def _default_for_departed(self) -> bool:
        for decision in self.owed():
            if decision.kind == "plain" and self._seats.has_departed(decision.seat):
                self.play_default(decision)
                return True
        return False

    def _close(self) -> bool:
        is_closing = bool(self._list_done("sealed"))
        if is_closing:
            self._rules.close(self._script)
        return is_closing

    def _open(self) -> bool:
        openings = sorted(self._list_done("opening"), key=lambda opening: opening.seat)
        # All are judged on the board as it is now: an action shown by one seat must not make another's illegal.
        answers = [(opening, self._seats.judge(self._script.board, opening)) for opening in openings]
        # A forfeit may withdraw a later opening, which is then neither a forfeit nor played.
        for opening, answer in answers:
            if isinstance(answer.action, Forfeit) and opening in self.owed():
                self._note(answer)
                self._seats.count_forfeit(opening.seat)
                self._rules.forfeit(self._script, opening)
        for opening, answer in answers:
            if not isinstance(answer.action, Forfeit) and opening in self.owed():
                self._play(opening, answer)
        return bool(openings)

    def _list_done(self, kind: Literal["sealed", "opening"]) -> list[Decision]:
        """List the owed decisions of a kind once all of them are done, and none before."""
        owed = [decision for decision in self.owed() if decision.kind == kind]
        return owed if all(map(self._seats.has_done, owed)) else []

    def _play(self, decision: Decision, answer: Answer) -> None:
        self._note(answer)
        self._rules.play(self._script, decision, answer.action)

    def _note(self, answer: Answer) -> None:
        if answer.note is not None:
            self._script.note(answer.note)
