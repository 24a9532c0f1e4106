"""Whole races: the ruleset as it is released, rehearsed by seats that are absent or that try things."""

from collections.abc import Callable
from typing import Any

from domain.ids import Seat
from domain.rulesets.chariotmaster.options import Options
from domain.rulesets.chariotmaster.ruleset import build_ruleset
from domain.rulesets.decision import Decision
from domain.rulesets.rehearsal import Rehearsal
from tests.domain.rulesets.chariotmaster.box import DATA

RULES: Any = build_ruleset(DATA)
SPRINT = Options(laps=1, equipment="none")


def rehearse(seats: int, options: Options = SPRINT, *, secret: int = 0, forfeits_max: int | None = 2) -> Rehearsal:
    """Begin a race of so many seats."""
    return Rehearsal(
        RULES,
        seats=tuple(Seat(seat) for seat in range(seats)),
        options=options,
        secret=secret.to_bytes(32, "big"),
        forfeits_max=forfeits_max,
    )


def answer_by_default(race: Rehearsal) -> Decision:
    """Answer what is owed first as for a seat that is absent."""
    decision = race.owed()[0]
    race.answer(decision, RULES.default_action(race.board, decision))
    return decision


def play_by_default(race: Rehearsal, until: Callable[[Rehearsal], bool] = lambda _: False) -> Rehearsal:
    """Answer everything as for seats that are all absent, until something holds or the race is over."""
    while race.owed() and not until(race):
        answer_by_default(race)
    return race


def told(race: Rehearsal, kind: type[Any]) -> list[Any]:
    return [event for event in race.written if isinstance(event, kind)]
