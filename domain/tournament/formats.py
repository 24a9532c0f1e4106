"""The kinds of tournaments: how many rounds, and who may check in for the next one.

A format never looks at identities: only at standings, at attendance, and at the terms.
"""

from collections.abc import Sequence
from typing import Annotated

from msgspec import Meta, Struct

from domain.ids import SEATS_MAX
from domain.tournament.contender import Entrant
from domain.tournament.sizes import TableSizes

# Twice the need of a season of weekly rounds; every round adds a number to each line of standings.
ROUNDS_MAX = 64

RoundCount = Annotated[int, Meta(ge=1, le=ROUNDS_MAX)]


class ScoreRounds(Struct, frozen=True, kw_only=True, tag_field="kind", tag="score"):
    """So many rounds, each paired by score: equals meet, and no pair meets twice where that can be."""

    rounds: RoundCount


class RoundRobin(Struct, frozen=True, kw_only=True, tag_field="kind", tag="round_robin"):
    """So many rounds in which all meet each other as equally often as possible, regardless of scores.

    Tables of two go round in a circle: n entrants who all stay have met each other once after n - 1 rounds, or after n
    rounds if n is odd.
    """

    rounds: RoundCount


class HeatsAndFinal(Struct, frozen=True, kw_only=True, tag_field="kind", tag="heats"):
    """So many heats, drawn by lot; then one table of the best, which alone decides among those who sit at it."""

    heats: Annotated[int, Meta(ge=1, lt=ROUNDS_MAX)]
    finalists: Annotated[int, Meta(ge=2, le=SEATS_MAX)]


class Knockout(Struct, frozen=True, kw_only=True, tag_field="kind", tag="knockout"):
    """The best so many of each table go on, with those who had a bye, until all who are left sit at one table."""

    survivors: Annotated[int, Meta(ge=1, lt=SEATS_MAX)]


Format = ScoreRounds | RoundRobin | HeatsAndFinal | Knockout


def count_rounds(kind: Format) -> int:
    """Count the rounds that a tournament has at most."""
    match kind:
        case ScoreRounds(rounds=rounds) | RoundRobin(rounds=rounds):
            return rounds
        case HeatsAndFinal(heats=heats):
            return heats + 1
        case Knockout():
            return ROUNDS_MAX


def is_final(kind: Format, round_: int) -> bool:
    """Return whether this round is the one table that heats lead to."""
    return isinstance(kind, HeatsAndFinal) and round_ == kind.heats + 1


def is_for_all(kind: Format, round_: int) -> bool:
    """Return whether all entrants play this round, so that one who sits it out plays the next."""
    return not isinstance(kind, Knockout) and not is_final(kind, round_) and round_ <= count_rounds(kind)


def takes_late_entries(kind: Format, rounds_called: int) -> bool:
    """Return whether an entrant who enters now could still play every remaining round."""
    match kind:
        case ScoreRounds(rounds=rounds) | RoundRobin(rounds=rounds) | HeatsAndFinal(heats=rounds):
            return rounds_called < rounds
        case Knockout():
            return rounds_called == 0


def turn_circle(roster: Sequence[Entrant], turn: int) -> tuple[tuple[Entrant, Entrant], ...]:
    """Pair a roster for one turn of its circle, from 0: the first stays, the others go round one place each turn.

    With an odd roster one of them is without a partner, another one in each turn.
    """
    places: list[Entrant | None] = [*roster, None] if len(roster) % 2 else [*roster]
    if len(places) < 2:  # noqa: PLR2004  a pair is two
        return ()
    first, others = places[0], places[1:]
    shift = turn % len(others)
    turned = [first, *others[shift:], *others[:shift]]
    pairs = zip(turned[: len(turned) // 2], reversed(turned[len(turned) // 2 :]), strict=True)
    return tuple((one, other) for one, other in pairs if one is not None and other is not None)


def fits_sizes(kind: Format, sizes: TableSizes) -> bool:
    """Return whether tables of these sizes can be played in this format."""
    match kind:
        case HeatsAndFinal(finalists=finalists):
            return sizes.min <= finalists <= sizes.max
        case Knockout(survivors=survivors):
            # As many as the smallest table would eliminate no entrant, and go on for ever.
            return survivors < sizes.min
        case _:
            return True
