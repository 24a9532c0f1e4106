"""A ruleset played without a game around it: for simulations, bots and tests of the rules alone.

No log, no clock, no signatures; sealed choices are opened as soon as they are due. A test plays the same random games
with it and with a game.
"""

from collections.abc import Callable
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from domain.chance import Secret, derive_anchors, open_chance
from domain.ids import DecisionId, GameId, Seat, StreamId
from domain.rejection import Rejection
from domain.ruleset.decision import Decision
from domain.ruleset.rounds import Answer, AnyScript, Forfeit, Rounds
from domain.ruleset.ruleset import FORFEITS_MAX, AnyRuleset
from domain.ruleset.script import Interrupted, Script, Written

PLAYOUT_GAME = GameId(StreamId("0199c0de-0000-7000-8000-000000000001"))


class _Seats(Struct, frozen=True, kw_only=True):
    """Who has left, how many of them the rules know of, and who has forfeited how often."""

    departed: tuple[Seat, ...] = ()
    told: int = 0
    forfeits: tuple[Seat, ...] = ()  # a seat for each of its forfeits

    def without(self, seat: Seat) -> "_Seats":
        return self if seat in self.departed else replace(self, departed=(*self.departed, seat))

    def with_forfeit(self, seat: Seat) -> "_Seats":
        return replace(self, forfeits=(*self.forfeits, seat))


class Playout:
    """One playing of a ruleset: ask for the decisions `owed`, `answer` one, read `board` and the events `written`.

    As in a game the forfeit number `forfeits_max` of a seat retires it; with None, no number does.
    """

    def __init__(
        self,
        ruleset: AnyRuleset,
        *,
        seats: tuple[Seat, ...],
        options: Struct,
        secret: bytes,
        forfeits_max: int | None = FORFEITS_MAX,
    ) -> None:
        self._rules = ruleset
        self._forfeits_max = forfeits_max
        self.board: Any = ruleset.initial_board(seats, options)
        anchors = derive_anchors(Secret(secret), ruleset.link_chains)
        self.chance = open_chance(PLAYOUT_GAME, anchors, Secret(secret))
        self.written: list[Struct] = []
        self._choices: dict[DecisionId, Any] = {}
        self._answers: dict[DecisionId, Any] = {}
        self._asked: Decision | None = None
        self._base = self.board
        self._past: list[Written] = []
        self._first: Callable[[AnyScript], None] = ruleset.begin
        self._seats = _Seats()
        self._seats_before = self._seats
        self._run()

    def owed(self) -> tuple[Decision, ...]:
        """Return the decisions owed and not chosen yet; nothing when the game is over."""
        if self._asked is not None:
            return (self._asked,)
        owed = self._rules.decisions(self.board)
        # An opening is chosen already, or was withheld.
        return tuple(
            decision
            for decision in owed
            if decision.id not in self._choices and decision.seat not in self._seats.departed
        )

    @property
    def is_asked_within(self) -> bool:
        """Return whether the decision owed arose in the middle of a play, which no seat can leave."""
        return self._asked is not None

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
        self._choices[decision.id] = Forfeit()
        self._start(lambda _: None)

    def resign(self, seat: Seat) -> None:
        """Take a seat out of the game; its remaining decisions are chosen by default."""
        assert self._asked is None, "a seat leaves when the play is over"
        self._seats = self._seats.without(seat)
        self._start(lambda _: None)

    def _start(self, first: Callable[[AnyScript], None]) -> None:
        assert self._asked is None, f"{self._asked} must be answered first"
        self._first = first
        self._base, self._past = self.board, []
        self._seats_before = self._seats
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
        self._seats = self._seats_before
        try:
            self._first(script)
            Rounds(self._rules, script, self).go_on()
        except Interrupted:
            assert self._asked is not None
        script.check_repeated()
        self.written += [written.event for written in script.written[len(self._past) :]]
        self._past = script.written
        self.board, self.chance = script.board, script.chance

    def _respond(self, script: AnyScript, decision: Decision) -> Any:
        if decision.id in self._answers:
            return self._answers[decision.id]
        if decision.seat in self._seats.departed:
            return self._rules.default_action(script.board, decision)
        self._asked = decision
        raise Interrupted

    def take_departure(self) -> Seat | None:
        seats = self._seats
        if seats.told == len(seats.departed):
            return None
        self._seats = replace(seats, told=seats.told + 1)
        return seats.departed[seats.told]

    def has_departed(self, seat: Seat) -> bool:
        return seat in self._seats.departed

    def has_done(self, decision: Decision) -> bool:
        return decision.id in self._choices or self.has_departed(decision.seat)

    def judge(self, board: Any, opening: Decision) -> Answer:
        if self.has_departed(opening.seat):
            return self.choose_default(board, opening)
        action = self._choices[opening.id]
        if not isinstance(action, Forfeit):
            try:
                self._rules.check(board, opening, action)
            except Rejection:
                return Answer(action=Forfeit())
        return Answer(action=action)

    def choose_default(self, board: Any, decision: Decision) -> Answer:
        return Answer(action=self._rules.default_action(board, decision))

    def count_forfeit(self, seat: Seat) -> None:
        self._seats = self._seats.with_forfeit(seat)
        if self._seats.forfeits.count(seat) == self._forfeits_max:
            self._seats = self._seats.without(seat)
