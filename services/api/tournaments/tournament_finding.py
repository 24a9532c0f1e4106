"""The tournament of a request, as it stands or stood, with the names of all in it."""

from typing import Annotated

import msgspec
from litestar.params import QueryParameter

from domain.ids import StreamVersion, TournamentId, TournamentIdField
from domain.tournament.state import Tournament
from services.api.http.parts import Parts, PeopleParts
from services.api.http.versions import SHOWN_CHARS_MAX, NoSuchVersion
from services.commands.tournaments import NoSuchTournament
from services.reading.access import ANYONE, Caller
from services.reading.tournaments.sentences import Names
from services.reading.tournaments.shown import list_people
from services.reading.waiting import WAIT_S_MAX

At = Annotated[int | None, QueryParameter(description="As it stood after this event.", ge=1, le=2**31 - 1)]
MinVersion = Annotated[
    int | None, QueryParameter(description="Wait, some seconds at most, for this event.", ge=1, le=2**31 - 1)
]
AfterVersion = Annotated[
    int | None,
    QueryParameter(
        name="after", description="Wait, some seconds at most, for an event after this one.", ge=1, le=2**31 - 2
    ),
]


def read_tournament_id(text: str) -> TournamentId:
    """Return a path's tournament id; text that cannot be one names no tournament."""
    try:
        return msgspec.convert(text, TournamentIdField)
    except msgspec.ValidationError:
        raise NoSuchTournament(expected="the id of a tournament", found=ascii(text)[:SHOWN_CHARS_MAX]) from None


async def find_tournament(
    parts: Parts, text: str, *, at: int | None = None, min_version: int | None = None, caller: Caller = ANYONE
) -> Tournament:
    """Return the tournament now, or just after an event. Raises NoSuchTournament and NoSuchVersion.

    A wait for `min_version` counts for the caller.
    """
    tournament = read_tournament_id(text)
    newest = await wait_for_tournament(parts, tournament, min_version, caller)
    if min_version is not None and newest.version < min_version:
        raise NoSuchVersion(expected=f"a version from 1 to {newest.version}, or soon after", found=f"{min_version}")
    if at is None:
        return newest
    found = await parts.tournaments.histories.read_at(tournament, StreamVersion(at))
    if found is None:
        raise NoSuchVersion(expected=f"a version from 1 to {newest.version}", found=f"{at}")
    return found


async def find_names(people: PeopleParts, tournament: Tournament) -> Names:
    return await people.accounts.find_people(list_people(tournament))


async def wait_for_tournament(
    parts: Parts, tournament: TournamentId, version: int | None, caller: Caller
) -> Tournament:
    """Return the tournament once it has a version, or as it stands after some seconds; raises NoSuchTournament."""
    if version is None:
        return await parts.tournaments.histories.read_newest(tournament)
    with parts.holds.holding(caller):
        return await parts.tournaments.watches.wait_for(tournament, version, timeout_s=WAIT_S_MAX)
