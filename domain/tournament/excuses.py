"""Entrants who are not drawn: for one round, or from now on."""

from typing import Literal

from msgspec.structs import replace

from domain.ids import StreamVersion
from domain.tournament.contender import Entrant
from domain.tournament.folding import with_entry, with_round
from domain.tournament.standings import Granted
from domain.tournament.state import Tournament, find_round


def leave(tournament: Tournament, entrant: Entrant, how: Literal["withdrawn", "removed"]) -> Tournament:
    """Let an entrant leave for good; a check-in that is open waits for it no more."""
    tournament = with_entry(tournament, entrant, replace(tournament.entries[entrant], left=how))
    return _await_no_more(tournament, entrant)


def excuse_from(
    tournament: Tournament, entrant: Entrant, *, round_: int, points: int, line: StreamVersion
) -> Tournament:
    """Let an entrant sit out a round for so many points."""
    excused = Granted(round=round_, entrant=entrant, points=points, line=line)
    return _await_no_more(replace(tournament, excused=(*tournament.excused, excused)), entrant)


def is_excused(tournament: Tournament, entrant: Entrant, round_: int) -> bool:
    return any((granted.entrant, granted.round) == (entrant, round_) for granted in tournament.excused)


def _await_no_more(tournament: Tournament, entrant: Entrant) -> Tournament:
    round_ = find_round(tournament)
    if round_ is None:
        return tournament
    return with_round(tournament, replace(round_, waiting=round_.waiting - {entrant}))
