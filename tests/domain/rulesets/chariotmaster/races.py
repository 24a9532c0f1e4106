"""Whole races: the ruleset as it is released, played by seats that are absent or that try things."""

from collections.abc import Callable, Iterable
from typing import Any

from domain.ids import Seat
from domain.ruleset.decision import Decision
from domain.ruleset.playout import Playout
from domain.rulesets.chariotmaster.race.board import Board, Chariot, team_piece
from domain.rulesets.chariotmaster.race.options import Options
from domain.rulesets.chariotmaster.race.outcomes import MoveReason, Outcome
from domain.rulesets.chariotmaster.rounds.finish_line import WatchedScript
from domain.rulesets.chariotmaster.rounds.game_turn import carry_on
from domain.rulesets.chariotmaster.ruleset import build_ruleset
from domain.rulesets.chariotmaster.turn.collisions import begin_cascade
from tests.domain.rulesets.chariotmaster.loaded_script import LoadedScript
from tests.domain.rulesets.chariotmaster.own_components import DATA

RULES = build_ruleset(DATA)
SPRINT = Options(laps=1, equipment="none")


def play_out(seats: int, options: Options = SPRINT, *, secret: int = 0, forfeits_max: int | None = 2) -> Playout:
    """Begin a race of so many seats."""
    return Playout(
        RULES,
        seats=tuple(Seat(seat) for seat in range(seats)),
        options=options,
        secret=secret.to_bytes(32, "big"),
        forfeits_max=forfeits_max,
    )


def answer_by_default(race: Playout) -> Decision:
    """Answer the first owed decision as for an absent seat."""
    decision = race.owed()[0]
    race.answer(decision, RULES.default_action(race.board, decision))
    return decision


def play_by_default(race: Playout, until: Callable[[Playout], bool] = lambda _: False) -> Playout:
    """Answer everything as for seats that are all absent, until something holds or the race is over."""
    while race.owed() and not until(race):
        answer_by_default(race)
    return race


def go_on(script: "RaceScript") -> None:
    """Carry a race on until a decision is owed."""
    while not RULES.decisions(script.board) and carry_on(script.watched, RULES.arena):
        pass


def told(race: Playout, kind: type[Any]) -> list[Any]:
    return [event for event in race.written if isinstance(event, kind)]


class RaceScript(LoadedScript):
    """Loaded dice on the released rules: progress is measured; who writes to `watched` is watched at the line."""

    def emit(self, outcome: Outcome) -> None:
        self.outcomes.append(outcome)
        self.board = RULES.evolve(self.board, outcome, None)

    @property
    def watched(self) -> WatchedScript:
        return WatchedScript(self, RULES.arena)


def race_of(*chariots: Chariot, options: Options = SPRINT, faces: Iterable[int] = (), **changes: Any) -> RaceScript:
    """Put chariots on the table in the middle of a race, each as far as it stands, with no turn on."""
    seats = tuple(sorted({chariot.seat for chariot in chariots}))
    board = Board(chariots=chariots, seats=seats, options=options, **changes)
    return RaceScript(board, faces=faces)


def driven(
    script: RaceScript, chariot: int, distance_mm: int, *, heading: int = 0, reason: MoveReason = "moved"
) -> RaceScript:
    """Move a team straight, into anything in its way."""
    cascade = begin_cascade(script.watched, RULES.arena, name="t1")
    cascade.drive(team_piece(chariot), heading=heading, distance_um=distance_mm * 1_000, reason=reason)
    return script
