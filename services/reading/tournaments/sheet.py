"""A tournament's sheet at one version: the values of the API, the pages and the exports, in one.

Made of the folded log and the names alone, so a bundle gives the same bytes as the server that wrote it.
"""

from msgspec import Struct

from domain.ids import LineHash
from domain.tournament.state import Tournament
from services.reading.tournaments import pairings, shown
from services.reading.tournaments.sentences import Names


class Sheet(Struct, frozen=True, kw_only=True):
    """`head` is the hash of the last line that counts here, which the log of the bundle has at that version."""

    head: LineHash
    tournament: shown.TournamentShown
    entrants: shown.Entrants
    standings: shown.Standings
    pairings: pairings.Pairings


def has_progress(sheet: Sheet) -> bool:
    """Return whether progress decides before the points."""
    return any(standing.progress for standing in sheet.standings.items)


def build_sheet(tournament: Tournament, names: Names) -> Sheet:
    return Sheet(
        head=tournament.head,
        tournament=shown.show_tournament(tournament, names),
        entrants=shown.show_entrants(tournament, names),
        standings=shown.show_standings(tournament, names),
        pairings=pairings.show_pairings(tournament, names),
    )
