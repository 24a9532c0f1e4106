"""Chariot Race, version 1: the rules behind the contract. From 0.1.0 on a correction is a version 2."""

from collections.abc import Mapping
from typing import Any

import msgspec
from msgspec import UnsetType

from domain.canonical import Json, encode
from domain.chance import LINKS_PER_CHAIN, Chance, DeckShuffled, DiceRolled
from domain.ids import Seat
from domain.ruleset.chapter import ChapteredRuleset
from domain.ruleset.decision import Placing
from domain.ruleset.teams import check_teams
from domain.rulesets.chariot_race import evolution, resignation, rounds
from domain.rulesets.chariot_race.actions import Action
from domain.rulesets.chariot_race.board import Board, build_chariot
from domain.rulesets.chariot_race.choices import Choices, Foreseen
from domain.rulesets.chariot_race.components import CHARIOTS_MAX, Components, read_components
from domain.rulesets.chariot_race.decisions import CHAPTERS
from domain.rulesets.chariot_race.options import ROUNDS_MAX, RaceOptions, Side
from domain.rulesets.chariot_race.outcomes import OUTCOME_TYPES, Outcome
from domain.rulesets.chariot_race.ranking import rank
from domain.rulesets.chariot_race.setup import set_up
from domain.rulesets.chariot_race.track import Track, build_track
from domain.rulesets.chariot_race.view import RaceView, draw_track, show
from domain.rulesets.chariot_race.wreck import RaceScript

SIDES: tuple[Side, ...] = ("A", "B")


class ChariotRaceRuleset(ChapteredRuleset[None, Board, Action, Choices, Foreseen]):
    """One box of Chariot Race with all four tracks that its halves make."""

    name = "chariot-race"
    version = 1
    seats = range(2, 7)
    action_type: Any = Action
    options_type = RaceOptions
    view_type: Any = RaceView
    choices_type: Any = Choices
    preview_type: Any = Foreseen
    outcome_types: Mapping[str, type[Outcome]] = OUTCOME_TYPES
    chapters = CHAPTERS

    def __init__(self, components: Components) -> None:
        self.components = encode(components)
        self.link_chains = _link_chains(components)
        self._components = components
        self._tracks = {
            (first, second): build_track(components, first=first, second=second) for first in SIDES for second in SIDES
        }
        self._pictures = {halves: draw_track(track, components.grid) for halves, track in self._tracks.items()}

    def initial_board(self, seats: tuple[Seat, ...], options: RaceOptions) -> Board:
        assert len(seats) in self.seats, seats
        assert list(seats) == sorted(set(seats)), seats
        if not isinstance(options.teams, UnsetType):
            check_teams(options.teams, seats)
        board = Board(
            components=self._components, track=self._track(options), options=options, seats=seats, chariots=()
        )
        if options.chariots != "basic":
            return board
        # CR-63: colours by chariot number in component order, seat by seat.
        drivers = [seat for seat in seats for _ in range(board.chariots_each)]
        chariots = tuple(build_chariot(seat, table) for seat, table in zip(drivers, board.tables, strict=False))
        return msgspec.structs.replace(board, chariots=chariots)

    def ground(self, board: Board) -> None:
        """Return nothing: a board holds its track and its numbers."""

    def set_up(self, script: RaceScript) -> None:
        set_up(script)

    def carry_on(self, script: RaceScript) -> bool:
        return rounds.carry_on(script)

    def withdraw(self, script: RaceScript, seat: Seat) -> None:
        resignation.resign(script, seat)

    def evolve(self, board: Board, outcome: Outcome | DiceRolled | DeckShuffled, chance: Chance | None) -> Board:
        # Nothing is hidden, so nothing depends on the secret.
        del chance
        assert not isinstance(outcome, DeckShuffled), outcome
        return evolution.evolve(board, outcome)

    def view(self, board: Board, seat: Seat | None) -> RaceView:
        del seat  # all viewers see the same
        return show(board, self._pictures[board.options.first_half, board.options.second_half])

    def ranking(self, board: Board) -> tuple[Placing, ...]:
        return rank(board)

    def _track(self, options: RaceOptions) -> Track:
        return self._tracks[options.first_half, options.second_half]


def build_ruleset(components: Json) -> ChariotRaceRuleset:
    """Build the ruleset from the data of a components file; raises ComponentsInvalid."""
    return ChariotRaceRuleset(read_components(components))


def _link_chains(components: Components) -> int:
    """Bound the rolls of a game: in each turn the first throw, the free one and as many as the fullest Fate pays."""
    fate_max = max(table.fate_max for table in (*components.basic_boards(), *components.alternate))
    throws = 2 + fate_max // components.numbers.manipulation_fate
    rolls = CHARIOTS_MAX * (ROUNDS_MAX * throws + 1)
    return -(-rolls // LINKS_PER_CHAIN)
