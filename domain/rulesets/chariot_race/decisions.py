"""The chapters of the rules, in the order of the rulebook: one decision at a time, all open (CR-64)."""

from collections.abc import Callable
from functools import partial
from typing import Any, Literal

from domain.ids import DecisionId
from domain.ruleset.chapter import Chapter
from domain.ruleset.decision import Decision
from domain.rulesets.chariot_race import actions, attacks, dice, draft, move, repair, rounds
from domain.rulesets.chariot_race.board import Board, chariot_of
from domain.rulesets.chariot_race.choices import Choices
from domain.rulesets.chariot_race.previews import foresee
from domain.rulesets.chariot_race.wreck import RaceScript

# A phase of a turn in which its seat is asked.
Question = Literal["repair", "reroll", "manipulation", "move", "attack"]


def _owed_in_turn(question: Question, board: Board) -> tuple[Decision, ...]:
    turn = board.turn
    if turn is None or turn.phase != question or _is_over(board):
        return ()
    number = {"manipulation": turn.manipulations, "attack": turn.attacks_made}.get(question, 0) + 1
    name = DecisionId(f"r{board.round}/{turn.chariot}/{question}/{number}")
    return (Decision(id=name, seat=chariot_of(board, turn.chariot).seat, kind="plain"),)


def _owed_boards(board: Board) -> tuple[Decision, ...]:
    seat = draft.find_chooser(board) if _is_drafting(board) else None
    if seat is None:
        return ()
    number = sum(chariot.seat == seat for chariot in board.chariots) + 1
    return (Decision(id=DecisionId(f"draft/{seat}/board/{number}"), seat=seat, kind="plain"),)


def _owed_places(board: Board) -> tuple[Decision, ...]:
    if not _is_drafting(board) or board.options.chariots == "own_colours" or draft.find_chooser(board) is not None:
        return ()
    chariot = draft.find_unplaced(board)
    if chariot is None:
        return ()
    return (Decision(id=DecisionId(f"draft/{chariot.colour}/place"), seat=chariot.seat, kind="plain"),)


def _is_drafting(board: Board) -> bool:
    return board.turn is None and board.first_chooser is not None and board.round == 0 and not _is_over(board)


def _is_over(board: Board) -> bool:
    return board.ended is not None or rounds.find_early_end(board) is not None


def _chapter(  # noqa: PLR0913  the duties of a chapter, here of the board alone
    *,
    answers: tuple[type, ...],
    owed: Callable[[Board], tuple[Decision, ...]],
    choices: Callable[[Board], Choices],
    check: Callable[[Board, Any], None],
    play: Callable[[RaceScript, Any], None],
    default: Callable[[Board], actions.Action],
    sole_answer: Callable[[Board], actions.Action | None],
) -> Chapter[None, Board]:
    """Build a chapter whose one decision follows from the board, which holds its own track."""
    return Chapter(
        answers=answers,
        owed=owed,
        choices=lambda _, board, __: choices(board),
        check=lambda _, board, __, action: check(board, action),
        foresee=lambda _, board, __, action: foresee(board, action),
        default=lambda _, board, __: default(board),
        play=lambda script, _, __, action: play(script, action),
        sole_answer=lambda _, board: sole_answer(board),
    )


CHAPTERS = (
    _chapter(
        answers=(actions.ChooseBoard,),
        owed=_owed_boards,
        choices=draft.board_choices,
        check=draft.check_board,
        play=draft.play_board,
        default=draft.default_board,
        sole_answer=draft.sole_board,
    ),
    _chapter(
        answers=(actions.ChoosePlace,),
        owed=_owed_places,
        choices=draft.place_choices,
        check=draft.check_place,
        play=draft.play_place,
        default=draft.default_place,
        sole_answer=draft.sole_place,
    ),
    _chapter(
        answers=(actions.Repair, actions.Pass),
        owed=partial(_owed_in_turn, "repair"),
        choices=repair.choices,
        check=repair.check,
        play=repair.play,
        default=repair.default,
        sole_answer=repair.sole_answer,
    ),
    _chapter(
        answers=(actions.Reroll, actions.Pass),
        owed=partial(_owed_in_turn, "reroll"),
        choices=dice.reroll_choices,
        check=dice.check_reroll,
        play=dice.play_reroll,
        default=dice.keep,
        sole_answer=dice.always_asked,
    ),
    _chapter(
        answers=(actions.Reroll, actions.TurnDie, actions.Pass),
        owed=partial(_owed_in_turn, "manipulation"),
        choices=dice.manipulation_choices,
        check=dice.check_manipulation,
        play=dice.play_manipulation,
        default=dice.keep,
        sole_answer=dice.sole_manipulation,
    ),
    _chapter(
        answers=(actions.Move,),
        owed=partial(_owed_in_turn, "move"),
        choices=move.choices,
        check=move.check,
        play=move.play,
        default=move.default,
        sole_answer=move.sole_answer,
    ),
    _chapter(
        answers=(actions.DropCaltrop, actions.ThrowJavelin, actions.Pass),
        owed=partial(_owed_in_turn, "attack"),
        choices=attacks.choices,
        check=attacks.check,
        play=attacks.play,
        default=attacks.default,
        sole_answer=attacks.sole_answer,
    ),
)
