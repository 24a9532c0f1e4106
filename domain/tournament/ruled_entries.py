"""Rulings on entries: who leaves, comes back, sits out a round, or goes on from another device."""

from msgspec.structs import replace

from domain.ids import StreamVersion
from domain.log.rejections import UnfitEvent
from domain.tournament.entering import admit_leaving, check_excuse, has_place, require_entrant, require_in_field
from domain.tournament.excuses import excuse_from, is_excused, leave
from domain.tournament.folding import with_entry, with_round
from domain.tournament.rejections import EntrantStays, TournamentFull
from domain.tournament.ruling_events import (
    EntrantAdmitted,
    EntrantExcused,
    EntrantRemoved,
    EntrantReturned,
    EntryHanded,
)
from domain.tournament.state import Handed, Tournament, find_round


def admit_removal(tournament: Tournament, removed: EntrantRemoved) -> None:
    admit_leaving(tournament, removed.entrant)


def remove(tournament: Tournament, removed: EntrantRemoved, _line: StreamVersion) -> Tournament:
    return leave(tournament, removed.entrant, "removed")


def admit_return(tournament: Tournament, returned: EntrantReturned) -> None:
    """Check that the entrant has left, and that there is a place."""
    if require_entrant(tournament, returned.entrant).left not in {"withdrawn", "removed"}:
        raise EntrantStays(expected="an entrant who has left", found=f"entrant {returned.entrant}, who has not")
    _require_place(tournament)


def admit_admission(tournament: Tournament, admitted: EntrantAdmitted) -> None:
    """Check that the entrant waits to be admitted, and that there is a place."""
    if require_entrant(tournament, admitted.entrant).left != "waiting":
        raise EntrantStays(expected="an entrant who waits to be admitted", found=f"entrant {admitted.entrant}")
    _require_place(tournament)


def take_in(tournament: Tournament, admitted: EntrantAdmitted, _line: StreamVersion) -> Tournament:
    return with_entry(tournament, admitted.entrant, replace(tournament.entries[admitted.entrant], left=None))


def take_back(tournament: Tournament, returned: EntrantReturned, _line: StreamVersion) -> Tournament:
    """Take an entrant back; it may check in for a round whose check-in is open, if it was expected there."""
    entrant = returned.entrant
    tournament = with_entry(tournament, entrant, replace(tournament.entries[entrant], left=None))
    round_ = find_round(tournament)
    if (
        round_ is None
        or round_.is_drawn
        or entrant in round_.checked_in
        or entrant not in round_.expected
        or is_excused(tournament, entrant, round_.number)
    ):
        return tournament
    return with_round(tournament, replace(round_, waiting=round_.waiting | {entrant}))


def admit_excuse(tournament: Tournament, excused: EntrantExcused) -> None:
    check_excuse(tournament, excused.entrant, excused.round)


def excuse(tournament: Tournament, excused: EntrantExcused, line: StreamVersion) -> Tournament:
    return excuse_from(tournament, excused.entrant, round_=excused.round, points=excused.points, line=line)


def admit_handing(tournament: Tournament, handed: EntryHanded) -> None:
    """Check that the entrant is still in the tournament, and that the link is a new one."""
    require_in_field(tournament, handed.entrant)
    if any(entry.handed is not None and entry.handed.link == handed.link for entry in tournament.entries):
        raise UnfitEvent(expected="a secret that opens no other entry", found=f"the link {handed.link} again")


def hand(tournament: Tournament, handed: EntryHanded, line: StreamVersion) -> Tournament:
    """Keep the link; an earlier one of the same entry ends."""
    entry = tournament.entries[handed.entrant]
    entry = replace(entry, handed=Handed(link=handed.link, game=handed.game, line=line))
    return with_entry(tournament, handed.entrant, entry)


def _require_place(tournament: Tournament) -> None:
    if not has_place(tournament):
        raise TournamentFull(expected=f"at most {tournament.opened.entries_max} entrants", found="one more")
