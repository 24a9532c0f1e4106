"""Mug: a tiny ruleset of the tests with the two things that Torches lacks: seals opened one by one, and late.

Each round every seat seals two tokens; a die draws which is opened next, and its seat then goes; others may parry.
A seat that resigns still owes its decisions: the game answers for it.
"""

from collections.abc import Mapping
from typing import Any, Literal

import msgspec
from msgspec import Struct

from domain.chance import Chance, DiceRolled
from domain.ids import DecisionId, Seat
from domain.rejection import IllegalAction
from domain.ruleset.decision import Decision, Placing
from domain.ruleset.script import Script

VALUE_MAX = 3
FAR = 4
_replace = msgspec.structs.replace


class Value(Struct, frozen=True, kw_only=True, tag_field="kind", tag="value", forbid_unknown_fields=True):
    value: int
    marks: tuple[int, ...] = ()  # mean nothing, but a list must stay one


class Go(Struct, frozen=True, kw_only=True, tag_field="kind", tag="go", forbid_unknown_fields=True):
    is_far: bool


class Parry(Struct, frozen=True, kw_only=True, tag_field="kind", tag="parry", forbid_unknown_fields=True):
    is_high: bool


class Note(Struct, frozen=True, kw_only=True, tag_field="kind", tag="note", forbid_unknown_fields=True):
    pages: Any  # any value: for bodies that the game refuses before the rules see them


Action = Value | Go | Parry | Note


class Options(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    rounds: int = 1
    opens_together: bool = False
    threes_only: bool = False
    colours: tuple[str, ...] = ("red", "green")


class RoundBegan(Struct, frozen=True, kw_only=True):
    round: int


class SealsClosed(Struct, frozen=True, kw_only=True):
    pass


class TokenDrawn(Struct, frozen=True, kw_only=True):
    token: DecisionId


class TokenShown(Struct, frozen=True, kw_only=True):
    token: DecisionId
    value: int
    marks: tuple[int, ...]


class TokensLost(Struct, frozen=True, kw_only=True):
    """A forfeit: with its token a seat loses all it has in the mug."""

    seat: Seat


class SeatWent(Struct, frozen=True, kw_only=True):
    seat: Seat
    parries: tuple[bool, ...]


class SeatGone(Struct, frozen=True, kw_only=True):
    seat: Seat


class Token(Struct, frozen=True, kw_only=True):
    id: DecisionId
    seat: Seat


class Score(Struct, frozen=True, kw_only=True):
    seat: Seat
    points: int = 0
    is_gone: bool = False


class Board(Struct, frozen=True, kw_only=True):
    options: Options
    scores: tuple[Score, ...]
    round: int = 0
    phase: Literal["sealing", "opening", "moving", "over"] = "sealing"
    mug: tuple[Token, ...] = ()
    drawn: Token | None = None


class View(Struct, frozen=True, kw_only=True):
    board: Board


class Legal(Struct, frozen=True, kw_only=True, tag_field="kind", tag="any"):
    board: Board


class Mug:
    name = "mug"
    version = 1
    seats = range(2, 4)
    link_chains = 1
    components = b"{}"
    action_type = Action
    options_type = Options
    view_type = View
    choices_type = Legal
    preview_type = View
    outcome_types: Mapping[str, type[Any]] = {
        "round_began": RoundBegan,
        "seals_closed": SealsClosed,
        "token_drawn": TokenDrawn,
        "token_shown": TokenShown,
        "tokens_lost": TokensLost,
        "seat_went": SeatWent,
        "seat_gone": SeatGone,
    }

    def initial_board(self, seats: tuple[Seat, ...], options: Options) -> Board:
        if options.threes_only and len(seats) != 3:
            raise IllegalAction(expected="three seats", found=f"{len(seats)}")
        return Board(options=options, scores=tuple(Score(seat=seat) for seat in seats))

    def begin(self, script: Script[Board, Action, Any]) -> None:
        script.emit(RoundBegan(round=1))

    def decisions(self, board: Board) -> tuple[Decision, ...]:
        match board.phase:
            case "sealing":
                return tuple(Decision(id=token.id, seat=token.seat, kind="sealed") for token in board.mug)
            case "opening":
                due = board.mug if board.options.opens_together else tuple(filter(None, (board.drawn,)))
                return tuple(Decision(id=token.id, seat=token.seat, kind="opening") for token in due)
            case "moving" if board.drawn is not None:
                return (Decision(id=DecisionId(f"{board.drawn.id}/go"), seat=board.drawn.seat, kind="plain"),)
            case _:
                return ()

    def check(self, board: Board, decision: Decision, action: Action) -> None:
        match action:
            case Value(value=value) if decision.kind != "plain":
                points = next(score.points for score in board.scores if score.seat == decision.seat)
                # Legal when it is sealed, perhaps no more when it is opened.
                highest = VALUE_MAX if decision.kind == "sealed" or points < VALUE_MAX else VALUE_MAX - 1
                if not 0 <= value <= highest:
                    raise IllegalAction(expected=f"0 to {highest}", found=f"{value}")
            case Go() if decision.id.endswith("/go"):
                pass
            case Parry() if "/parry/" in decision.id:
                pass
            case _:
                raise IllegalAction(expected=f"an action for {decision.id}", found=type(action).__name__)

    def close(self, script: Script[Board, Action, Any]) -> None:
        script.emit(SealsClosed())
        self._draw(script)

    def play(self, script: Script[Board, Action, Any], decision: Decision, action: Action) -> None:
        match action:
            case Value(value=value, marks=marks):
                script.emit(TokenShown(token=decision.id, value=value, marks=marks))
                if script.board.options.opens_together and not script.board.mug:
                    self._draw(script)
            case Go(is_far=is_far):
                parries = tuple(self._parries(script, decision)) if is_far else ()
                script.emit(SeatWent(seat=decision.seat, parries=parries))
                self._draw(script)
            case _:
                raise AssertionError(f"{action!r} is asked for, not owed")

    def forfeit(self, script: Script[Board, Action, Any], decision: Decision) -> None:
        script.emit(TokensLost(seat=decision.seat))
        if not (script.board.options.opens_together and script.board.mug):
            self._draw(script)

    def resign(self, script: Script[Board, Action, Any], seat: Seat) -> None:
        script.emit(SeatGone(seat=seat))

    def evolve(self, board: Board, outcome: Any, _: Chance | None) -> Board:
        match outcome:
            case RoundBegan(round=number):
                mug = tuple(
                    Token(id=DecisionId(f"m{number}/{score.seat}/{token}"), seat=score.seat)
                    for score in board.scores
                    for token in "ab"
                )
                return _replace(board, round=number, phase="sealing" if number else "over", mug=mug, drawn=None)
            case SealsClosed():
                return _replace(board, phase="opening")
            case TokenDrawn(token=token):
                return _replace(board, phase="opening", drawn=next(each for each in board.mug if each.id == token))
            case TokenShown(token=token, value=value):
                shown = next(each for each in board.mug if each.id == token)
                board = _replace(board, mug=tuple(each for each in board.mug if each.id != token))
                phase = board.phase if board.options.opens_together else "moving"
                return _replace(_scored(board, shown.seat, value), phase=phase)
            case TokensLost(seat=seat):
                return _replace(board, mug=tuple(token for token in board.mug if token.seat != seat))
            case SeatWent(seat=seat, parries=parries):
                return _scored(board, seat, len(parries) - 2 * sum(parries))
            case SeatGone(seat=seat):
                scores = tuple(_replace(score, is_gone=score.is_gone or score.seat == seat) for score in board.scores)
                return _replace(board, scores=scores)
            case DiceRolled():
                return board
            case _:
                raise AssertionError(f"{outcome!r} is no outcome of Mug")

    def view(self, board: Board, _: Seat | None) -> View:
        return View(board=board)

    def legal_actions(self, board: Board, _: Decision) -> Legal:
        return Legal(board=board)

    def preview(self, board: Board, _: Decision, __: Action) -> View:
        return View(board=board)

    def default_action(self, _: Board, decision: Decision) -> Action:
        if decision.kind != "plain":
            return Value(value=1)
        # Going far asks the others: so that the default of a seat that has left can interrupt a play.
        return Go(is_far=True) if decision.id.endswith("/go") else Parry(is_high=False)

    def ranking(self, board: Board) -> tuple[Placing, ...]:
        points = [score.points for score in board.scores]
        return tuple(
            Placing(place=1 + sum(other > score.points for other in points), seat=score.seat) for score in board.scores
        )

    def _parries(self, script: Script[Board, Action, Any], decision: Decision) -> list[bool]:
        parries = []
        for score in script.board.scores:
            if score.seat == decision.seat:
                continue
            asked = Decision(id=DecisionId(f"{decision.id}/parry/{score.seat}"), seat=score.seat, kind="plain")
            answer = script.ask(asked)
            assert isinstance(answer, Parry)
            parries.append(answer.is_high)
            if script.roll("parry", dice=1, sides=6)[0] < FAR:
                break
        return parries

    def _draw(self, script: Script[Board, Action, Any]) -> None:
        board = script.board
        if board.options.opens_together and board.mug:
            return
        if not board.mug:
            is_last = board.round == board.options.rounds or sum(not score.is_gone for score in board.scores) < 2
            script.emit(RoundBegan(round=0 if is_last else board.round + 1))
            return
        (face,) = script.roll("mug", dice=1, sides=len(board.mug))
        script.emit(TokenDrawn(token=board.mug[face - 1].id))


def _scored(board: Board, seat: Seat, points: int) -> Board:
    scores = tuple(
        _replace(score, points=score.points + points) if score.seat == seat else score for score in board.scores
    )
    return _replace(board, scores=scores)
