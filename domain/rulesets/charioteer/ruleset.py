"""Charioteer, version 1, on the contract of all rulesets. Released: its behaviour never changes again."""

from collections.abc import Mapping
from typing import Any

from domain.canonical import Json, encode
from domain.chance import Chance, DeckShuffled, DiceRolled
from domain.ids import Seat
from domain.ruleset.chapter import ChapteredRuleset
from domain.ruleset.decision import Placing
from domain.rulesets.charioteer.actions import Action
from domain.rulesets.charioteer.board import Board
from domain.rulesets.charioteer.choices import LegalActions
from domain.rulesets.charioteer.component_file import SEAT_COUNTS
from domain.rulesets.charioteer.components import Components, build_components
from domain.rulesets.charioteer.decisions import CHAPTERS
from domain.rulesets.charioteer.evolution import evolve
from domain.rulesets.charioteer.options import Options
from domain.rulesets.charioteer.outcomes import OUTCOME_TYPES, Outcome
from domain.rulesets.charioteer.previews import Preview
from domain.rulesets.charioteer.ranking import rank
from domain.rulesets.charioteer.resignation import withdraw
from domain.rulesets.charioteer.setup import build_board, set_up
from domain.rulesets.charioteer.turn import run_turn_if_all_are_up
from domain.rulesets.charioteer.view import View, build_view
from domain.rulesets.charioteer.writing import CharioteerScript


class CharioteerRuleset(ChapteredRuleset[Components, Board, Action, LegalActions, Preview]):
    """The rules with one box."""

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
    chapters = CHAPTERS

    def __init__(self, box: Components, components: bytes) -> None:
        self.box = box
        self.components = components

    def initial_board(self, seats: tuple[Seat, ...], options: Options) -> Board:
        return build_board(self.box, seats, options)

    def ground(self, board: Board) -> Components:
        del board  # one box for all boards
        return self.box

    def set_up(self, script: CharioteerScript) -> None:
        set_up(self.box, script)

    def carry_on(self, script: CharioteerScript) -> bool:
        return run_turn_if_all_are_up(self.box, script)

    def withdraw(self, script: CharioteerScript, seat: Seat) -> None:
        withdraw(script, seat)

    def evolve(self, board: Board, outcome: Outcome | DiceRolled | DeckShuffled, chance: Chance | None) -> Board:
        return evolve(self.box, board, outcome, chance)

    def view(self, board: Board, seat: Seat | None) -> View:
        return build_view(self.box, board, seat)

    def ranking(self, board: Board) -> tuple[Placing, ...]:
        return rank(board)


def build_ruleset(components: Json) -> CharioteerRuleset:
    """Build the ruleset from the data of a component file; raises BrokenComponents."""
    return CharioteerRuleset(build_components(components), encode(components))
