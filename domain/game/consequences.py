"""The outcomes of an input by the rules alone, in order, as the verifier must find them in the log.

One input may need several runs: a play that asks stops, and runs again from its start when the answer is there.
"""

from functools import partial
from typing import Any, Literal

import msgspec
from msgspec import Struct

from domain.game.consent import list_absent, list_agreed
from domain.game.events import (
    ActionDefaulted,
    ActionForfeited,
    ActionPlayed,
    ClockExpired,
    DecisionAsked,
    GameCancelled,
    GameFinished,
    GamePaused,
    GameStarted,
    GameStopped,
    SeatHanded,
    SeatLeft,
    SeatReadied,
    SeatRemoved,
)
from domain.game.evolve import chance_after, evolve_outcome
from domain.game.stand_in import list_due
from domain.game.state import (
    Choice,
    Closed,
    Game,
    Held,
    Lapsed,
    Resolution,
    Revealed,
    Sealed,
    Unrevealed,
    held_seat,
)
from domain.ids import Seat
from domain.log.entry import as_stored
from domain.log.events import SecretDisclosed
from domain.log.kind import Growth
from domain.rejection import Rejection
from domain.ruleset.decision import Decision
from domain.ruleset.rounds import Answer, AnyScript, Forfeit, Rounds
from domain.ruleset.ruleset import FORFEITS_MAX
from domain.ruleset.script import Interrupted, Script, Written


def follow(growth: Growth[Game]) -> None:
    """Add the consequences of the last input. Needs the secret wherever the rules draw; draws nothing twice."""
    game = growth.state
    for written in (*_list_beside(game), *_list_following(game)):
        # The run knows the board already.
        chance = chance_after(growth.state.chance, written.event)
        growth.add(written.event, partial(evolve_outcome, board=written.board, chance=chance))


def _list_beside(game: Game) -> tuple[Written, ...]:
    """List the events about seats and clocks alone, which no play of the rules knows of."""
    handed: list[Struct] = [SeatHanded(seat=seat) for seat in list_due(game)]
    paused = [GamePaused(seats=list_agreed(game, "pause"))] if game.agreed == "pause" else []
    return tuple(Written(event=event, board=game.board) for event in (*handed, *paused))


def _list_following(game: Game) -> tuple[Written, ...]:
    resolution = game.resolution
    assert resolution is not None, "nothing was put in"
    if game.status == "aborted":
        return tuple(Written(event=event, board=game.board) for event in (*_list_ends(game), _disclosure(game)))
    if resolution.asked is not None:
        return ()
    if resolution.base.status == "open" and not _may_start(resolution):
        return ()
    return _Run(game, resolution).run()


def _list_ends(game: Game) -> tuple[Struct, ...]:
    """List the event that states why a game was aborted by another input than an abort."""
    if game.agreed == "end":
        agreed = list_agreed(game, "end")
        absent = tuple(seat for seat in list_absent(game, game.at_ms) if seat not in agreed)
        return (GameStopped(seats=agreed, absent=absent),)
    first = game.resolution.first if game.resolution is not None else None
    return (GameCancelled(seat=first.seat),) if isinstance(first, SeatLeft | SeatRemoved) else ()


class _Run:
    """One run over the rules, from the input that set everything going to where nothing more follows.

    It is also the seats of its rounds.
    """

    def __init__(self, game: Game, resolution: Resolution) -> None:
        self._game = game
        self._base = resolution.base
        self._resolution = resolution
        self._rules = game.ruleset
        self._departed = list(resolution.base.departures)
        self._told = resolution.base.told
        self._forfeits: dict[Seat, int] = {}
        board = resolution.base.board if resolution.base.status == "running" else self._first_board()
        self._script: AnyScript = Script(
            evolve=self._rules.evolve,
            board=board,
            chance=game.chance,
            respond=self._respond,
            past=resolution.past,
        )
        self._rounds = Rounds(self._rules, self._script, self)

    def run(self) -> tuple[Written, ...]:
        try:
            self._carry_out_input()
            self._rounds.go_on()
            self._finish()
        except Interrupted:
            pass
        self._script.check_repeated()
        return tuple(self._script.written[len(self._resolution.past) :])

    def take_departure(self) -> Seat | None:
        self._notice_departures()
        if self._told == len(self._departed):
            return None
        self._told += 1
        return self._departed[self._told - 1]

    def has_departed(self, seat: Seat) -> bool:
        return seat in self._departed

    def has_done(self, decision: Decision) -> bool:
        choice = self._choice(decision)
        return choice is not None and not (decision.kind == "opening" and isinstance(choice, Sealed))

    def judge(self, board: Any, opening: Decision) -> Answer:
        match self._choice(opening):
            case Revealed(action=action):
                try:
                    decoded = msgspec.convert(action, self._rules.action_type)
                    if as_stored(decoded) != action:
                        return _forfeit(opening, "illegal")
                    self._rules.check(board, opening, decoded)
                except (msgspec.ValidationError, Rejection):
                    return _forfeit(opening, "illegal")
                return Answer(action=decoded)
            case Unrevealed():
                return _forfeit(opening, "unrevealed")
            case _:
                return self.choose_default(board, opening)

    def choose_default(self, board: Any, decision: Decision) -> Answer:
        action = self._rules.default_action(board, decision)
        note = ActionDefaulted(seat=decision.seat, decision=decision.id, action=as_stored(action))
        return Answer(action=action, note=note)

    def count_forfeit(self, seat: Seat) -> None:
        self._forfeits[seat] = self._forfeits.get(seat, held_seat(self._base, seat).forfeits) + 1
        if self._forfeits[seat] == FORFEITS_MAX and seat not in self._departed:
            self._departed.append(seat)

    def _carry_out_input(self) -> None:
        match self._resolution.first:
            case SeatReadied():
                self._script.note(GameStarted(seats=_players(self._base)))
                self._rules.begin(self._script)
            case ActionPlayed(decision=decision, action=action):
                owed = next(owed.decision for owed in self._base.owed if owed.decision.id == decision)
                self._rules.play(self._script, owed, msgspec.convert(action, self._rules.action_type))
            case ClockExpired(decision=decision):
                owed = next(owed.decision for owed in self._base.owed if owed.decision.id == decision)
                if owed.kind == "plain":
                    self._rounds.play_default(owed)
            case _:
                pass

    def _finish(self) -> None:
        if self._rounds.owed():
            return
        self._script.note(GameFinished(ranking=self._rules.ranking(self._script.board)))
        self._script.note(_disclosure(self._game))

    def _notice_departures(self) -> None:
        # A seat that left while the play waited for an answer leaves where it first went beyond its earlier events:
        # any earlier or later, and this run would write something else than the one before.
        written = len(self._script.written)
        due = [departure.seat for departure in self._resolution.departures if departure.place <= written]
        self._departed += [seat for seat in due if seat not in self._departed]

    def _respond(self, script: AnyScript, decision: Decision) -> Any:
        asked = DecisionAsked(seat=decision.seat, decision=decision.id)
        upcoming = script.upcoming()
        self._notice_departures()
        if upcoming is None and decision.seat not in self._departed:
            script.note(asked)
            raise Interrupted
        if upcoming == asked:
            script.note(asked)
            if decision.id in self._resolution.answers:
                return self._resolution.answers[decision.id]
        # The seat has left, or let its clock run out; the rules choose the rest for it.
        default = self.choose_default(script.board, decision)
        assert default.note is not None, "a default is noted"
        script.note(default.note)
        return default.action

    def _choice(self, decision: Decision) -> Choice | None:
        choice = self._base.choices.get(decision.id)
        if decision.seat in self._departed and not isinstance(choice, Revealed):
            return Lapsed()
        return choice

    def _first_board(self) -> Any:
        options = msgspec.convert(self._base.opened.options, self._rules.options_type)
        return self._rules.initial_board(_players(self._base), options)


def _forfeit(opening: Decision, reason: Literal["illegal", "unrevealed"]) -> Answer:
    note = ActionForfeited(seat=opening.seat, decision=opening.id, reason=reason)
    return Answer(action=Forfeit(), note=note)


def _may_start(resolution: Resolution) -> bool:
    seats = [status for status in resolution.base.seats if not isinstance(status, Closed)]
    is_last = isinstance(resolution.first, SeatReadied)
    return is_last and all(isinstance(status, Held) and status.is_ready for status in seats)


def _players(game: Game) -> tuple[Seat, ...]:
    return tuple(Seat(place) for place, status in enumerate(game.seats) if isinstance(status, Held))


def _disclosure(game: Game) -> SecretDisclosed:
    assert game.chance.secret is not None, "only whoever has the secret can disclose it"
    return SecretDisclosed(secret=game.chance.secret.hex())
