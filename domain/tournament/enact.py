"""Adding one input and everything that follows from it to a tournament's log: what deciding and verifying share."""

from collections.abc import Iterator
from contextlib import suppress

import msgspec
from msgspec import Struct

from domain.ids import StreamVersion
from domain.log.entry import Author, Entry, Place
from domain.tournament.admission import Input, admit, admit_unsigned
from domain.tournament.consequences import FindEvent, Following, NotDisclosed, find_nothing, follow
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
    entries = []
    for entry, after in _unfold(tournament, put, find_known):
        entries.append(entry)
        tournament = after
    return Decided(tournament=settle(tournament), entries=tuple(entries))


def preview(tournament: Tournament, put: Input) -> Decided:
    """Decide an input without its signature and without the secret, up to a draw of lots: a draw has no preview."""
    assert tournament.chance.secret is None, "a preview is made from the public log"
    put = msgspec.structs.replace(put, at_ms=max(put.at_ms, tournament.at_ms))
    admit_unsigned(tournament, put)
    entries = []
    with suppress(NotDisclosed):
        for entry, after in _unfold(tournament, put, find_nothing):
            entries.append(entry)
            tournament = after
    return Decided(tournament=settle(tournament), entries=tuple(entries))


def _unfold(tournament: Tournament, put: Input, find_known: FindEvent) -> Iterator[tuple[Entry, Tournament]]:
    """Yield each line with the tournament after it. Raises NotDisclosed."""
    entry = _write(tournament, put.event, put.at_ms, put.author)
    tournament = evolve(tournament, entry)
    yield entry, tournament
    following = follow(tournament, find_known)
    outcome = next(following, None)
    while outcome is not None:
        entry = _write(tournament, outcome, put.at_ms, None)
        tournament = evolve(tournament, entry)
        yield entry, tournament
        outcome = _find_next(following, tournament)


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
