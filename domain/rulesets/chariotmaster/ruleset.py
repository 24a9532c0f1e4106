"""Chariotmaster, version 1: the rules behind the contract. Its behaviour never changes; a correction is a version 2."""

from collections.abc import Mapping
from typing import Any

from domain.canonical import Json, encode
from domain.chance import LINKS_PER_CHAIN, Chance, DeckShuffled, DiceRolled
from domain.ids import Seat
from domain.rejection import IllegalAction
from domain.ruleset.decision import Decision, Placing
from domain.ruleset.script import WRITTEN_MAX, Script
from domain.rulesets.chariotmaster.aftermath.aftermath import check_aftermath, owed_aftermath, play_aftermath
from domain.rulesets.chariotmaster.box.component_file import Components
from domain.rulesets.chariotmaster.box.components import build_components
from domain.rulesets.chariotmaster.harm.luck import check_luck
from domain.rulesets.chariotmaster.offers.choices import Choices
from domain.rulesets.chariotmaster.offers.course_picture import draw_course
from domain.rulesets.chariotmaster.offers.decisions import foresee, list_choices
from domain.rulesets.chariotmaster.offers.defaults import default_action
from domain.rulesets.chariotmaster.offers.foreseen import Foreseen
from domain.rulesets.chariotmaster.offers.view import RaceView, show
from domain.rulesets.chariotmaster.race import actions, evolution
from domain.rulesets.chariotmaster.race.board import Board
from domain.rulesets.chariotmaster.race.options import Options
from domain.rulesets.chariotmaster.race.outcomes import OUTCOME_TYPES, Outcome
from domain.rulesets.chariotmaster.race.racetrack import Arena, build_arena
from domain.rulesets.chariotmaster.race.ranking import rank
from domain.rulesets.chariotmaster.race.resignation import resign
from domain.rulesets.chariotmaster.rounds import workshop
from domain.rulesets.chariotmaster.rounds.finish_line import WatchedScript, measured
from domain.rulesets.chariotmaster.rounds.game_turn import (
    begin_chariot_turn,
    close_tokens,
    forfeit_chariot_turn,
    go_on,
    list_owed,
)
from domain.rulesets.chariotmaster.rounds.mug import check_token, forfeit_token, show_token
from domain.rulesets.chariotmaster.turn.chariot_turn import check_move, owed_step, play_move

# A roll is a line, and a game takes no input after so many; the outcomes of the last input are bounded too. The
# dice alone bound nothing: a driver without stamina may brake on and on, as long as the table lets him live.
# Must agree with LINES_MAX in domain/game/admission.py.
LINES_MAX = 32_768

RaceScript = Script[Board, Any, Any]


class NotThat(IllegalAction):
    """Something else is asked for here."""

    code = "not-that"


class ChariotmasterRuleset:
    """One box of Chariotmaster. Everything it does is a chapter of its own; this only passes on."""

    name = "chariotmaster"
    version = 1
    link_chains = -(-(LINES_MAX + WRITTEN_MAX) // LINKS_PER_CHAIN)
    action_type: Any = actions.Action
    options_type = Options
    view_type: Any = RaceView
    choices_type: Any = Choices
    preview_type: Any = Foreseen
    outcome_types: Mapping[str, type[Outcome]] = OUTCOME_TYPES

    def __init__(self, box: Components, components: bytes) -> None:
        self.components = components
        self.seats = range(box.numbers.seats_min, box.numbers.seats_max + 1)
        self.arenas: Mapping[str, Arena] = {row.name: build_arena(box, row) for row in box.courses}
        self.arena = self.arenas[box.courses[0].name]
        self._pictures = {name: draw_course(arena) for name, arena in self.arenas.items()}

    def arena_of(self, options: Options) -> Arena:
        """Return the course of a game; raises UnfitRaceOptions."""
        if options.course is None:
            return self.arena
        if options.course not in self.arenas:
            raise workshop.UnfitRaceOptions(expected=f"one of {', '.join(self.arenas)}", found=options.course)
        return self.arenas[options.course]

    def initial_board(self, seats: tuple[Seat, ...], options: Options) -> Board:
        return workshop.lay_out(self.arena_of(options), seats, options)

    def begin(self, script: RaceScript) -> None:
        watched = self._watched(script)
        go_on(watched, watched.arena)

    def decisions(self, board: Board) -> tuple[Decision, ...]:
        return list_owed(board)

    def check(self, board: Board, decision: Decision, action: actions.Action) -> None:
        if isinstance(action, actions.BuildChariot) and board.unbuilt:
            workshop.check_choice(self.arena_of(board.options), board.options, action)
        elif isinstance(action, actions.PutToken) and decision.kind != "plain" and not board.unbuilt:
            check_token(board, decision, action)
        elif isinstance(action, actions.ModifyRoll | actions.LeaveRoll) and board.offered is not None:
            check_luck(board, action)
        elif isinstance(action, actions.MoveAction) and decision in owed_step(board):
            check_move(self.arena_of(board.options), board, action)
        elif isinstance(action, actions.AftermathAction) and decision in owed_aftermath(board):
            check_aftermath(self.arena_of(board.options), board, action)
        elif not (
            isinstance(action, actions.Defend | actions.Endure) and board.offered is None and board.threat is not None
        ):
            raise NotThat(expected=f"an answer to {decision.id}", found=type(action).__name__)

    def close(self, script: RaceScript) -> None:
        watched = self._watched(script)
        if script.board.unbuilt:
            workshop.close_builds(watched)
        else:
            close_tokens(watched, watched.arena)
        go_on(watched, watched.arena)

    def play(self, script: RaceScript, decision: Decision, action: actions.Action) -> None:
        watched = self._watched(script)
        if isinstance(action, actions.BuildChariot):
            workshop.open_build(watched, watched.arena, workshop.chariot_to_build(decision), action)
        elif isinstance(action, actions.PutToken):
            show_token(watched, action.token)
            begin_chariot_turn(watched, watched.arena)
        elif isinstance(action, actions.AftermathAction):
            play_aftermath(watched, watched.arena, action, name=decision.id)
        else:
            assert isinstance(action, actions.MoveAction), (
                f"{action} is asked for in the middle of a play, not before it"
            )
            play_move(watched, watched.arena, action, name=decision.id)
        go_on(watched, watched.arena)

    def forfeit(self, script: RaceScript, decision: Decision) -> None:
        watched = self._watched(script)
        if script.board.unbuilt:
            choice = workshop.default_choice(watched.arena, script.board.options)
            workshop.open_build(watched, watched.arena, workshop.chariot_to_build(decision), choice)
        else:
            forfeit_token(watched)
            forfeit_chariot_turn(watched, watched.arena)
        go_on(watched, watched.arena)

    def resign(self, script: RaceScript, seat: Seat) -> None:
        watched = self._watched(script)
        resign(watched, seat)
        go_on(watched, watched.arena)

    def evolve(self, board: Board, outcome: Outcome | DiceRolled | DeckShuffled, chance: Chance | None) -> Board:
        # Tokens in the mug, the only hidden thing, never come onto the board: nothing depends on the secret.
        del chance
        assert not isinstance(outcome, DeckShuffled), outcome
        if isinstance(outcome, DiceRolled):
            return board
        return measured(self.arena_of(board.options), board, evolution.evolve(board, outcome))

    def view(self, board: Board, seat: Seat | None) -> RaceView:
        del seat  # all viewers see the same
        arena = self.arena_of(board.options)
        return show(arena, self._pictures[arena.row.name], board)

    def legal_actions(self, board: Board, decision: Decision) -> Choices:
        return list_choices(self.arena_of(board.options), board, decision)

    def preview(self, board: Board, decision: Decision, action: actions.Action) -> Foreseen:
        self.check(board, decision, action)
        return foresee(self.arena_of(board.options), board, decision, action)

    def default_action(self, board: Board, decision: Decision) -> actions.Action:
        return default_action(self.arena_of(board.options), board, decision)

    def ranking(self, board: Board) -> tuple[Placing, ...]:
        return rank(board)

    def _watched(self, script: RaceScript) -> WatchedScript:
        return WatchedScript(script, self.arena_of(script.board.options))


def build_ruleset(components: Json) -> ChariotmasterRuleset:
    """Build the ruleset from the data of a components file; raises BrokenComponents."""
    return ChariotmasterRuleset(build_components(components), encode(components))
