"""The chapters of the rules, in the order of the rulebook: one decision at a time, all open (CR-64)."""

from collections.abc import Callable
from functools import partial
from typing import Any, Literal, Protocol

from domain.ids import DecisionId
from domain.ruleset.chapter import Chapter
from domain.ruleset.decision import Decision
from domain.rulesets.chariot_race import (
    actions,
    attacks,
    boards_chosen,
    draft,
    manipulations,
    move,
    places_chosen,
    repair,
    rerolls,
    rounds,
)
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


class Rules(Protocol):
    """A module with the rules of one kind of decision, which follows from the board and holds its own track."""

    def choices(self, board: Board, /) -> Choices: ...
    def check(self, board: Board, action: Any, /) -> None: ...
    def play(self, script: RaceScript, action: Any, /) -> None: ...
    def default(self, board: Board, /) -> actions.Action: ...
    def sole_answer(self, board: Board, /) -> actions.Action | None: ...


def _chapter(rules: Rules, *answers: type, owed: Callable[[Board], tuple[Decision, ...]]) -> Chapter[None, Board]:
    return Chapter(
        answers=answers,
        owed=owed,
        choices=lambda _, board, __: rules.choices(board),
        check=lambda _, board, __, action: rules.check(board, action),
        foresee=lambda _, board, __, action: foresee(board, action),
        default=lambda _, board, __: rules.default(board),
        play=lambda script, _, __, action: rules.play(script, action),
        sole_answer=lambda _, board: rules.sole_answer(board),
    )


CHAPTERS = (
    _chapter(boards_chosen, actions.ChooseBoard, owed=_owed_boards),
    _chapter(places_chosen, actions.ChoosePlace, owed=_owed_places),
    _chapter(repair, actions.Repair, actions.Pass, owed=partial(_owed_in_turn, "repair")),
    _chapter(rerolls, actions.Reroll, actions.Pass, owed=partial(_owed_in_turn, "reroll")),
    _chapter(manipulations, actions.Reroll, actions.TurnDie, actions.Pass, owed=partial(_owed_in_turn, "manipulation")),
    _chapter(move, actions.Move, owed=partial(_owed_in_turn, "move")),
    _chapter(attacks, actions.DropCaltrop, actions.ThrowJavelin, actions.Pass, owed=partial(_owed_in_turn, "attack")),
)
