"""Who may enter, leave and check in."""

from hashlib import sha256

from domain.log.own_links import LINKS_DEMANDED, check_links, check_nonce
from domain.log.record import format_at
from domain.log.rejections import DemandNotMet, UnfitEvent
from domain.tournament import rejections
from domain.tournament.contender import Entrant
from domain.tournament.door import admit_code, find_door
from domain.tournament.events import EntrantCheckedIn, EntrantEntered, EntryTaken, RoundSkipped
from domain.tournament.excuses import is_excused
from domain.tournament.fields import ENTRIES_MAX
from domain.tournament.formats import is_for_all, takes_late_entries
from domain.tournament.state import Entered, Round, Tournament, find_entrant, find_round


def require_entrant(tournament: Tournament, entrant: Entrant) -> Entered:
    """Return one who entered, or raise."""
    if not 0 <= entrant < len(tournament.entries):
        raise rejections.NoSuchEntrant(
            expected=f"one of {len(tournament.entries)} entrants, from 0", found=f"number {entrant}"
        )
    return tournament.entries[entrant]


def admit_entry(tournament: Tournament, entered: EntrantEntered) -> None:
    """Check that entries are open and this is a new player, who meets the demands of the terms."""
    opened, count = tournament.opened, len(tournament.entries)
    if tournament.are_entries_closed or not takes_late_entries(opened.format, len(tournament.rounds)):
        raise rejections.EntriesAreClosed(expected="entries that are open", found="closed ones")
    if find_entrant(tournament, entered.player) is not None:
        raise rejections.AlreadyEntered(expected="a player who has not entered", found=f"player {entered.player}")
    door = find_door(opened.door)
    admit_code(door, entered.code, frozenset(entry.code for entry in tournament.entries if isinstance(entry.code, str)))
    # An entrant that waits takes no place yet.
    may_wait = door.has_approval or door.has_waiting_list is True
    if not (has_place(tournament) or may_wait) or count >= ENTRIES_MAX:
        entries_max = ENTRIES_MAX if count >= ENTRIES_MAX else opened.entries_max
        raise rejections.TournamentFull(expected=f"at most {entries_max} entrants", found="one more")
    if entered.entrant != count:
        raise rejections.NotNextEntrant(expected=f"entrant {count}", found=f"entrant {entered.entrant}")
    check_links(entered.anchor, entered.links)
    _check_demands(tournament, entered)


def has_place(tournament: Tournament) -> bool:
    """Return whether one more may play. A place is free again once its entrant has left; its number is not."""
    return sum(entry.left is None for entry in tournament.entries) < tournament.opened.entries_max


def admit_taking(tournament: Tournament, taken: EntryTaken) -> None:
    """Check that an organiser has handed the entry on, to a player who has no other entry."""
    entry = require_entrant(tournament, taken.entrant)
    if entry.handed is None or entry.left is not None:
        found = "one that has left" if entry.left is not None else "one that was not"
        raise rejections.NothingHanded(expected="an entry that an organiser has handed on", found=found)
    if find_entrant(tournament, taken.player) not in {None, taken.entrant}:
        raise rejections.AlreadyEntered(expected="a player without another entry", found=f"player {taken.player}")
    check_links(taken.anchor, taken.links)
    if taken.anchor is not None and taken.anchor in {other.anchor for other in tournament.entries}:
        raise UnfitEvent(expected="an anchor of new links", found="one that the log has")
    _check_demands(tournament, taken)


def require_handed(tournament: Tournament, taken: EntryTaken, invitation: str | None) -> None:
    """Check that an entry is taken with the secret of its link. That one was shown, the log does not state."""
    handed = require_entrant(tournament, taken.entrant).handed
    shown = None if invitation is None else sha256(bytes.fromhex(invitation)).hexdigest()
    if handed is None or shown != handed.link:
        found = "none" if invitation is None else "another one"
        raise rejections.InvitationUnfit(expected="the secret of a link that an organiser gave", found=found)


def admit_skip(tournament: Tournament, skipped: RoundSkipped) -> None:
    round_ = find_round(tournament)
    coming = len(tournament.rounds) + (round_ is None or round_.is_drawn)
    if skipped.round != coming:
        raise rejections.NotNextRound(expected=f"round {coming}, the next to be drawn", found=f"round {skipped.round}")
    check_excuse(tournament, skipped.entrant, skipped.round)


def check_excuse(tournament: Tournament, entrant: Entrant, number: int) -> None:
    """Check that an entrant may sit out a round: one of all entrants, not drawn yet, and not checked in for."""
    admit_leaving(tournament, entrant)
    opened, round_ = tournament.opened, find_round(tournament)
    if not is_for_all(opened.format, number):
        raise UnfitEvent(expected="a round that all play, whoever goes on", found=f"round {number}")
    coming = len(tournament.rounds) + 1
    is_open = round_ is not None and round_.number == number and not round_.is_drawn
    if not (is_open or number >= coming):
        raise rejections.RoundPast(expected="a round that is not drawn yet", found=f"round {number}")
    if is_open and round_ is not None and entrant in round_.checked_in:
        raise rejections.NotExpected(expected="an entrant who has not checked in", found=f"entrant {entrant}")
    if is_excused(tournament, entrant, number):
        raise rejections.NotExpected(expected="an entrant who plays", found=f"entrant {entrant}, who sits out")


def admit_leaving(tournament: Tournament, entrant: Entrant) -> None:
    """Check that the entrant is still in the tournament."""
    if require_entrant(tournament, entrant).left in {"withdrawn", "removed"}:
        raise rejections.EntrantLeft(expected="an entrant who has not left", found=f"entrant {entrant}")


def require_in_field(tournament: Tournament, entrant: Entrant) -> None:
    """Check that the entrant plays: that it has not left, and waits for no approval."""
    left = require_entrant(tournament, entrant).left
    if left is not None:
        found = "who waits to be admitted" if left == "waiting" else "who has left"
        raise rejections.EntrantLeft(expected="an entrant who plays", found=f"entrant {entrant}, {found}")


def admit_check_in(tournament: Tournament, checked_in: EntrantCheckedIn, at_ms: int) -> None:
    """Check that the entrant is expected, in time, and brings its next link if it has links."""
    round_ = _require_check_in(tournament, checked_in.round)
    entrant = checked_in.entrant
    # A link disclosed after the time is over could be kept back by an entrant who prefers the draw without it.
    if (at_ms > round_.until_ms and round_.paused_ms is None) or round_.is_check_in_over:
        raise rejections.CheckInTooLate(
            expected=f"a check-in by {format_at(round_.until_ms)}", found=f"one at {format_at(at_ms)}"
        )
    if entrant not in round_.waiting:
        raise rejections.NotExpected(
            expected=f"an entrant who is waited for in round {round_.number}", found=f"entrant {entrant}"
        )
    check_nonce(tournament.entries[entrant].links, checked_in.nonce, whose=f"entrant {entrant}")


def admit_check_in_closing(tournament: Tournament, number: int, at_ms: int) -> None:
    """Check that the time to check in is over."""
    round_ = _require_check_in(tournament, number)
    if round_.paused_ms is not None:
        raise rejections.CheckInGoesOn(expected="the pause of the round to end first", found="an end of its check-in")
    if at_ms <= round_.until_ms:
        found = f"one at {format_at(at_ms)}"
        raise rejections.CheckInGoesOn(
            expected=f"an end of the check-in after {format_at(round_.until_ms)}", found=found
        )


def _require_check_in(tournament: Tournament, number: int) -> Round:
    round_ = find_round(tournament)
    if round_ is None or round_.number != number or round_.is_drawn:
        raise rejections.NoCheckIn(expected="a round whose check-in is open", found=f"round {number}")
    return round_


def _check_demands(tournament: Tournament, entered: EntrantEntered | EntryTaken) -> None:
    demands = tournament.opened.demands
    missing = {
        "witnessed_opening": None if tournament.is_witnessed else "a witnessed opening before the first entry",
        "signed": None if entered.key is not None else "a key that signs what the entrant does",
        "links": None if entered.links >= LINKS_DEMANDED else f"at least {LINKS_DEMANDED} links",
    }
    for demand in demands:
        unmet = missing.get(demand)
        if unmet is not None:
            raise DemandNotMet(expected=f"{unmet}, as this tournament demands", found="none or fewer")
