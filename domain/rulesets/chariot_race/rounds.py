"""Rounds: the order of turns, and when the race is over (CR-10, CR-11, CR-40 to CR-43, XG-07)."""

from domain.ruleset.teams import are_mates
from domain.rulesets.chariot_race.board import Board, Chariot, chariot_of, front_of, has_finished, racing, seats_left
from domain.rulesets.chariot_race.outcomes import EndReason, RaceEnded, RoundBegan, TurnBegan, TurnEnded
from domain.rulesets.chariot_race.resignation import withdraw
from domain.rulesets.chariot_race.setup import is_lined_up, line_up
from domain.rulesets.chariot_race.wreck import RaceScript


def carry_on(script: RaceScript) -> bool:
    """Take the next step that needs no answer: end a turn, end the race, line up, begin a turn or a round."""
    board = script.board
    if board.ended is not None:
        return False
    if board.turn is not None:
        script.emit(TurnEnded(chariot=board.turn.chariot))
    elif board.leaving:
        withdraw(script, board.leaving[0])
    elif (reason := find_early_end(board)) is not None:
        _end(script, reason)
    elif not is_lined_up(board):
        line_up(script)
    elif (chariot := _find_next(board)) is not None:
        script.emit(TurnBegan(seat=chariot.seat, chariot=chariot.colour))
    else:
        _end_round(script)
    return True


def find_early_end(board: Board) -> EndReason | None:
    """Return whether the race is over before any finish: no chariot is left, or one seat or team after a resignation.

    Whether a seat is out by wrecks or by resigning makes no difference. While no seat has resigned, the only one left
    must still finish (CR-43).
    """
    left = seats_left(board)
    if not left:
        return "no_chariot_left"
    if not board.withdrawn:
        return None
    if len(left) == 1:
        return "one_seat_left"
    return "one_team_left" if all(are_mates(board.options.teams, left[0], seat) for seat in left) else None


def order_of_turns(board: Board) -> tuple[Chariot, ...]:
    """Sort by front border in any lane. Level chariots act as in the round before, in the first as on the grid."""
    before = list(board.order) if board.order else [chariot.colour for chariot in _by_place(board)]
    return tuple(sorted(racing(board), key=lambda chariot: (-front_of(board, chariot), before.index(chariot.colour))))


def _by_place(board: Board) -> list[Chariot]:
    return sorted(board.chariots, key=lambda chariot: chariot.place)


def _find_next(board: Board) -> Chariot | None:
    waiting = (chariot_of(board, colour) for colour in board.order[board.turns_begun :])
    return next((chariot for chariot in waiting if chariot.status == "racing"), None)


def _end_round(script: RaceScript) -> None:
    board = script.board
    if any(has_finished(board, chariot) for chariot in racing(board)):
        _end(script, "finished")
    elif board.round == board.options.rounds_max:
        _end(script, "rounds_max")
    else:
        order = tuple(chariot.colour for chariot in order_of_turns(board))
        script.emit(RoundBegan(round=board.round + 1, order=order))


def _end(script: RaceScript, reason: EndReason) -> None:
    board = script.board
    finishers = tuple(chariot.colour for chariot in order_of_turns(board) if has_finished(board, chariot))
    script.emit(RaceEnded(reason=reason, finishers=finishers))
