"""Chariotmaster, version 1: the rules behind the contract. Its behaviour never changes; a correction is a version 2."""

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from domain.canonical import Json, encode
from domain.chance import LINKS_PER_CHAIN, Chance, DeckShuffled, DiceRolled
from domain.ids import Seat
from domain.ruleset.chapter import ChapteredRuleset
from domain.ruleset.decision import Placing
from domain.ruleset.script import WRITTEN_MAX, Script
from domain.rulesets.chariotmaster.box.component_file import Components
from domain.rulesets.chariotmaster.box.components import build_components
from domain.rulesets.chariotmaster.offers.choices import Choices
from domain.rulesets.chariotmaster.offers.course_picture import CoursePicture, draw_course
from domain.rulesets.chariotmaster.offers.decisions import CHAPTERS
from domain.rulesets.chariotmaster.offers.foreseen import Foreseen
from domain.rulesets.chariotmaster.offers.view import RaceView, show
from domain.rulesets.chariotmaster.race import actions, evolution
from domain.rulesets.chariotmaster.race.board import Board
from domain.rulesets.chariotmaster.race.course_check import check_course
from domain.rulesets.chariotmaster.race.options import Options
from domain.rulesets.chariotmaster.race.outcomes import OUTCOME_TYPES, Outcome
from domain.rulesets.chariotmaster.race.racetrack import Arena, build_arena
from domain.rulesets.chariotmaster.race.ranking import rank
from domain.rulesets.chariotmaster.race.resignation import resign
from domain.rulesets.chariotmaster.rounds import workshop
from domain.rulesets.chariotmaster.rounds.finish_line import WatchedScript, measured
from domain.rulesets.chariotmaster.rounds.game_turn import carry_on
from domain.rulesets.chariotmaster.table.course import UnfitCourse
from domain.rulesets.chariotmaster.table.course_plan import CoursePlan

# A roll is a line, and a game takes no input after so many; the outcomes of the last input are bounded too. The
# dice alone bound nothing: a driver without stamina may brake on and on, as long as the table lets him live.
# Must agree with LINES_MAX in domain/game/admission.py.
LINES_MAX = 32_768

# Courses of as many games at once stay drawn: some hundred kilobytes each, and again in ten milliseconds.
_GROUNDS_MAX = 64

RaceScript = Script[Board, Any, Any]


class ChariotmasterRuleset(ChapteredRuleset[Arena, Board, actions.Action, Choices, Foreseen]):
    """One box of Chariotmaster, with all its courses."""

    name = "chariotmaster"
    version = 1
    link_chains = -(-(LINES_MAX + WRITTEN_MAX) // LINKS_PER_CHAIN)
    action_type: Any = actions.Action
    options_type = Options
    view_type: Any = RaceView
    choices_type: Any = Choices
    preview_type: Any = Foreseen
    outcome_types: Mapping[str, type[Outcome]] = OUTCOME_TYPES
    chapters = CHAPTERS

    def __init__(self, box: Components, components: bytes) -> None:
        self.components = components
        self.seats = range(box.numbers.seats_min, box.numbers.seats_max + 1)
        self._box = box
        # Draws a course that can be raced on, or raises UnfitCourse.
        self.lay = lru_cache(maxsize=_GROUNDS_MAX)(self._lay)
        self.courses: Mapping[str, CoursePlan] = {row.name: row for row in box.courses}
        for plan in self.courses.values():
            self.lay(plan)
        self.arena = self.lay(box.courses[0])[0]

    def arena_of(self, options: Options) -> Arena:
        """Return the course of a game; raises UnfitRaceOptions."""
        return self._ground_of(options)[0]

    def _ground_of(self, options: Options) -> tuple[Arena, CoursePicture]:
        if options.course is None:
            return self.lay(self._box.courses[0])
        plan = options.course if isinstance(options.course, CoursePlan) else self.courses.get(options.course)
        if plan is None:
            raise workshop.UnfitRaceOptions(expected=f"one of {', '.join(self.courses)}", found=str(options.course))
        try:
            return self.lay(plan)
        except UnfitCourse as error:
            raise workshop.UnfitRaceOptions(expected=f"{error.expected}, {error.place}", found=error.found) from None

    def _lay(self, plan: CoursePlan) -> tuple[Arena, CoursePicture]:
        """CM-140: draw a course that can be raced on; raises UnfitCourse."""
        arena = build_arena(self._box, plan)
        check_course(arena)
        return arena, draw_course(arena)

    def initial_board(self, seats: tuple[Seat, ...], options: Options) -> Board:
        return workshop.lay_out(self.arena_of(options), seats, options)

    def ground(self, board: Board) -> Arena:
        return self.arena_of(board.options)

    def watch(self, script: RaceScript) -> WatchedScript:
        return WatchedScript(script, self.ground(script.board))

    def set_up(self, script: WatchedScript) -> None:
        """Draw nothing: the grid is drawn when the chariots are built."""

    def carry_on(self, script: WatchedScript) -> bool:
        return carry_on(script, script.arena)

    def withdraw(self, script: WatchedScript, seat: Seat) -> None:
        resign(script, seat)

    def evolve(self, board: Board, outcome: Outcome | DiceRolled | DeckShuffled, chance: Chance | None) -> Board:
        # Tokens in the mug, the only hidden thing, never come onto the board: nothing depends on the secret.
        del chance
        assert not isinstance(outcome, DeckShuffled), outcome
        if isinstance(outcome, DiceRolled):
            return board
        return measured(self.arena_of(board.options), board, evolution.evolve(board, outcome))

    def view(self, board: Board, seat: Seat | None) -> RaceView:
        del seat  # all viewers see the same
        arena, picture = self._ground_of(board.options)
        return show(arena, picture, board)

    def ranking(self, board: Board) -> tuple[Placing, ...]:
        return rank(board)


def build_ruleset(components: Json) -> ChariotmasterRuleset:
    """Build the ruleset from the data of a components file; raises BrokenComponents and UnfitCourse."""
    return ChariotmasterRuleset(build_components(components), encode(components))
