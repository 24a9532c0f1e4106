"""The decision that is owed now, and the chapter of the rules that answers it: one at a time, all open (CR-64)."""

from collections.abc import Callable
from typing import Literal

from msgspec import Struct

from domain.ids import DecisionId, Seat
from domain.rulesets.chariot_race import attacks, dice, draft, move, repair, rounds
from domain.rulesets.chariot_race.actions import Action
from domain.rulesets.chariot_race.board import Board, chariot_of, current_turn
from domain.rulesets.chariot_race.choices import Choices
from domain.rulesets.chariot_race.wreck import RaceScript

Question = Literal["repair", "reroll", "manipulation", "move", "attack", "choose_board", "choose_place"]


class Owed(Struct, frozen=True, kw_only=True):
    question: Question
    seat: Seat
    id: DecisionId


class Chapter(Struct, frozen=True):
    """How one kind of decision is offered, checked, played, and answered for an absent seat.

    `sole_answer` finds the answer where there is only one: such a decision is not asked (XG-04).
    """

    choices: Callable[[Board], Choices]
    check: Callable[[Board, Action], None]
    play: Callable[[RaceScript, Action], None]
    default: Callable[[Board], Action]
    sole_answer: Callable[[Board], Action | None]


CHAPTERS: dict[Question, Chapter] = {
    "repair": Chapter(repair.choices, repair.check, repair.play, repair.default, repair.sole_answer),
    "reroll": Chapter(dice.reroll_choices, dice.check_reroll, dice.play_reroll, dice.keep, dice.always_asked),
    "manipulation": Chapter(
        dice.manipulation_choices, dice.check_manipulation, dice.play_manipulation, dice.keep, dice.sole_manipulation
    ),
    "move": Chapter(move.choices, move.check, move.play, move.default, move.sole_answer),
    "attack": Chapter(attacks.choices, attacks.check, attacks.play, attacks.default, attacks.sole_answer),
    "choose_board": Chapter(
        draft.board_choices, draft.check_board, draft.play_board, draft.default_board, draft.sole_board
    ),
    "choose_place": Chapter(
        draft.place_choices, draft.check_place, draft.play_place, draft.default_place, draft.sole_place
    ),
}


def find_owed(board: Board) -> Owed | None:
    """Find the one decision that is owed, or None between decisions and when the race is over."""
    if board.ended is not None or rounds.find_early_end(board) is not None:
        return None
    if board.turn is not None:
        return _find_owed_in_turn(board)
    if board.first_chooser is not None and board.round == 0:
        return _find_owed_in_draft(board)
    return None


def go_on(script: RaceScript) -> None:
    """Go on until a seat has a choice, or the race is over."""
    while script.board.ended is None:
        owed = find_owed(script.board)
        if owed is None:
            rounds.carry_on(script)
            continue
        sole = CHAPTERS[owed.question].sole_answer(script.board)
        if sole is None:
            return
        CHAPTERS[owed.question].play(script, sole)


def _find_owed_in_turn(board: Board) -> Owed | None:
    turn = current_turn(board)
    if turn.phase == "thrown" or turn.phase == "moving":  # noqa: PLR1714 - mypy narrows only the spelled-out comparison
        return None
    number = {"manipulation": turn.manipulations, "attack": turn.attacks_made}.get(turn.phase, 0) + 1
    return Owed(
        question=turn.phase,
        seat=chariot_of(board, turn.chariot).seat,
        id=DecisionId(f"r{board.round}/{turn.chariot}/{turn.phase}/{number}"),
    )


def _find_owed_in_draft(board: Board) -> Owed | None:
    seat = draft.find_chooser(board)
    if seat is not None:
        number = sum(chariot.seat == seat for chariot in board.chariots) + 1
        return Owed(question="choose_board", seat=seat, id=DecisionId(f"draft/{seat}/board/{number}"))
    if board.options.chariots == "own_colours":
        return None
    chariot = draft.find_unplaced(board)
    if chariot is not None:
        return Owed(question="choose_place", seat=chariot.seat, id=DecisionId(f"draft/{chariot.colour}/place"))
    return None
