"""Adding one input and everything that follows from it to a tournament's log: what deciding and verifying share."""

import msgspec
from msgspec import Struct

from domain.ids import StreamVersion
from domain.log.entry import Author, Entry, Place
from domain.tournament.admission import Input, admit
from domain.tournament.consequences import FindEvent, Following, find_nothing, follow
from domain.tournament.events import InputEvent, OutcomeEvent
from domain.tournament.evolve import evolve, settle
from domain.tournament.lines import write_line
from domain.tournament.state import Tournament


class Decided(Struct, frozen=True, kw_only=True):
    """The lines of one command, and the tournament after them."""

    tournament: Tournament
    entries: tuple[Entry, ...]


def enact(tournament: Tournament, put: Input) -> Decided:
    """Add one input and everything that follows from it."""
    put = msgspec.structs.replace(put, at_ms=max(put.at_ms, tournament.at_ms))
    admit(tournament, put)
    return carry_out(tournament, put)


def carry_out(tournament: Tournament, put: Input, *, find_known: FindEvent = find_nothing) -> Decided:
    """Add an admitted input and everything that follows from it; `find_known` is what a log has already."""
    entries = [_write(tournament, put.event, put.at_ms, put.author)]
    tournament = evolve(tournament, entries[-1])
    following = follow(tournament, find_known)
    outcome = next(following, None)
    while outcome is not None:
        entries.append(_write(tournament, outcome, put.at_ms, None))
        tournament = evolve(tournament, entries[-1])
        outcome = _find_next(following, tournament)
    return Decided(tournament=settle(tournament), entries=tuple(entries))


def _find_next(following: Following, tournament: Tournament) -> OutcomeEvent | None:
    try:
        return following.send(tournament)
    except StopIteration:
        return None


def _write(tournament: Tournament, event: InputEvent | OutcomeEvent, at_ms: int, author: Author | None) -> Entry:
    place = Place(
        stream=tournament.id,
        version=StreamVersion(tournament.version + 1),
        prev=tournament.head,
        at_ms=at_ms,
    )
    return write_line(event, place, author)
