"""Charioteer, version 1, on the contract of all rulesets. Released: its behaviour never changes again."""

from collections.abc import Mapping
from typing import Any

from domain.canonical import Json, encode
from domain.chance import Chance, DeckShuffled, DiceRolled
from domain.ids import Seat
from domain.ruleset.decision import Decision, Placing
from domain.rulesets.charioteer.actions import Action
from domain.rulesets.charioteer.board import Board, Driver, driver_of
from domain.rulesets.charioteer.choices import LegalActions, list_legal_actions
from domain.rulesets.charioteer.component_file import SEAT_COUNTS
from domain.rulesets.charioteer.components import Components, build_components
from domain.rulesets.charioteer.decisions import list_decisions
from domain.rulesets.charioteer.defaults import default_action
from domain.rulesets.charioteer.end_of_turn import final_order
from domain.rulesets.charioteer.evolution import evolve
from domain.rulesets.charioteer.legality import check_action
from domain.rulesets.charioteer.options import Options
from domain.rulesets.charioteer.outcomes import OUTCOME_TYPES, MovesClosed, Outcome
from domain.rulesets.charioteer.previews import Preview, preview_action
from domain.rulesets.charioteer.rejections import NotDueNow
from domain.rulesets.charioteer.resignation import withdraw
from domain.rulesets.charioteer.revealing import tell_forfeit, tell_reveal
from domain.rulesets.charioteer.setup import build_board, set_up
from domain.rulesets.charioteer.turn import run_turn_if_all_are_up
from domain.rulesets.charioteer.view import View, build_view
from domain.rulesets.charioteer.writing import CharioteerScript


class CharioteerRuleset:
    """The rules with one box. Everything it does is a chapter of its own; this only passes on."""

    name = "charioteer"
    version = 1
    seats = range(SEAT_COUNTS.start, SEAT_COUNTS.stop)
    # One die a turn and at most seven before the first: far below 1,024 with the highest turn limit.
    link_chains = 1
    action_type: Any = Action
    options_type = Options
    view_type: Any = View
    choices_type: Any = LegalActions
    preview_type: Any = Preview
    outcome_types: Mapping[str, type[Outcome]] = OUTCOME_TYPES

    def __init__(self, box: Components, components: bytes) -> None:
        self.box = box
        self.components = components

    def initial_board(self, seats: tuple[Seat, ...], options: Options) -> Board:
        return build_board(self.box, seats, options)

    def begin(self, script: CharioteerScript) -> None:
        set_up(self.box, script)

    def decisions(self, board: Board) -> tuple[Decision, ...]:
        return list_decisions(board)

    def check(self, board: Board, decision: Decision, action: Action) -> None:
        check_action(self.box, board, _due_driver(board, decision), action)

    def close(self, script: CharioteerScript) -> None:
        script.emit(MovesClosed(turn=script.board.turn))

    def play(self, script: CharioteerScript, decision: Decision, action: Action) -> None:
        script.emit(tell_reveal(self.box, script.board, driver_of(script.board, decision.seat), action))
        run_turn_if_all_are_up(self.box, script)

    def forfeit(self, script: CharioteerScript, decision: Decision) -> None:
        script.emit(tell_forfeit(self.box, driver_of(script.board, decision.seat)))
        run_turn_if_all_are_up(self.box, script)

    def resign(self, script: CharioteerScript, seat: Seat) -> None:
        withdraw(self.box, script, seat)

    def evolve(self, board: Board, outcome: Outcome | DiceRolled | DeckShuffled, chance: Chance | None) -> Board:
        return evolve(self.box, board, outcome, chance)

    def view(self, board: Board, seat: Seat | None) -> View:
        return build_view(self.box, board, seat)

    def legal_actions(self, board: Board, decision: Decision) -> LegalActions:
        return list_legal_actions(self.box, board, _due_driver(board, decision))

    def preview(self, board: Board, decision: Decision, action: Action) -> Preview:
        return preview_action(self.box, board, _due_driver(board, decision), action)

    def default_action(self, board: Board, decision: Decision) -> Action:
        return default_action(self.box, board, _due_driver(board, decision))

    def ranking(self, board: Board) -> tuple[Placing, ...]:
        order = final_order(board)
        return tuple(Placing(place=place, seat=seat) for place, seat in enumerate(order, start=1))


def build_ruleset(components: Json) -> CharioteerRuleset:
    """Build the ruleset from the data of a component file; raises BrokenComponents."""
    return CharioteerRuleset(build_components(components), encode(components))


def _due_driver(board: Board, decision: Decision) -> Driver:
    owed = {due.id for due in list_decisions(board)}
    if decision.id not in owed:
        expected = f"one of {', '.join(sorted(owed))}" if owed else "nothing, the race is over"
        raise NotDueNow(expected=expected, found=decision.id)
    return driver_of(board, decision.seat)
