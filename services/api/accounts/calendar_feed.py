"""A calendar of an account's deadlines (RFC 5545): its decisions, and the next step in each of its tournaments.

For calendar programs, which have no token: the address has a secret that opens the calendar alone.
"""

import hashlib
from collections.abc import AsyncIterator, Iterable, Iterator
from typing import Annotated, Any

import msgspec
from litestar import Request, Response, get
from litestar.datastructures import State
from litestar.di import NamedDependency
from litestar.exceptions import NotFoundException
from litestar.params import QueryParameter
from msgspec import Struct

from domain.accounts.way import WayRow
from domain.ids import PlayerId
from domain.log.record import format_at
from domain.tournament.state import Tournament
from infra.projection_store import Sought
from infra.version import VERSION
from projections.lobby import label_status
from projections.tournaments import NAME, TournamentRow
from services.api.accounts.own_games import OwnGame, list_own_games
from services.api.accounts.ways import read_base
from services.api.http.answering import PRIVATE, build_tag, has_it_already, not_modified
from services.api.http.parts import GameParts, Parts
from services.reading.access import Caller
from services.reading.tournaments.calendar import find_next

MEDIA_TYPE = "text/calendar"
LINE_BYTES_MAX = 75
# Running tournaments that are looked through.
TOURNAMENTS_MAX = 200
HEAD = (
    "BEGIN:VCALENDAR",
    "VERSION:2.0",
    f"PRODID:-//Spina//{VERSION}//EN",
    "NAME:Spina",
    "X-WR-CALNAME:Spina",
    "REFRESH-INTERVAL;VALUE=DURATION:PT1H",
    "X-PUBLISHED-TTL:PT1H",
)

KeyGiven = Annotated[str, QueryParameter(min_length=1, max_length=200)]


class Entry(Struct, frozen=True, kw_only=True):
    """A deadline. `id` stays the same when it is moved; the times are written as in the log."""

    id: str
    until: str
    changed_at: str
    said: str
    path: str


@get("/v1/account/calendar.ics", include_in_schema=False)
async def read_calendar(
    request: Request[object, object, State],
    caller: NamedDependency[Caller],  # noqa: ARG001 - a dependency on the caller counts the request
    parts: NamedDependency[Parts],
    key: KeyGiven,
) -> Response[Any]:
    """Answer the calendar of a way, until that is removed."""
    way = parts.people.senders.vault.read_key("calendar", key)
    row = None if way is None else await parts.people.ways.find(way)
    if row is None:
        raise NotFoundException(detail="expected the secret of a calendar, found another one")
    body = format_calendar([entry async for entry in list_entries(parts, row)], read_base(request))
    headers = {"etag": build_tag(hashlib.sha256(body).hexdigest()), "cache-control": PRIVATE}
    if has_it_already(request, headers["etag"]):
        return not_modified(headers)
    return Response(body, media_type=MEDIA_TYPE, headers=headers)


async def list_entries(parts: Parts, row: WayRow) -> AsyncIterator[Entry]:
    """List the deadlines of an account that its calendar has, as it chose."""
    player = PlayerId(row.account)
    if "your_turn" in row.kinds:
        for game in await list_own_games(parts, player, {}):
            if game.deadline is not None:
                yield _enter_game(parts.games, game, game.deadline)
    if "round_called" in row.kinds or "table_drawn" in row.kinds:
        running = (label_status("running"),)
        sought = Sought(labels=running, or_labels=running, before=None, now_ms=parts.now_ms())
        for found in await parts.projections.list_owners(NAME, sought, limit=TOURNAMENTS_MAX):
            listed = msgspec.json.decode(found.body, type=TournamentRow)
            if player in listed.players:
                tournament = await parts.tournaments.histories.read_newest(listed.id)
                entry = _enter_tournament(tournament, player, row)
                if entry is not None:
                    yield entry


def _enter_game(games: GameParts, game: OwnGame, until: str) -> Entry:
    title = games.words[game.ruleset.partition("@")[0]].title
    said = f"Your turn in {title}"
    id_ = f"{game.game}-{game.owes[0]}"
    return Entry(id=id_, until=until, changed_at=game.last_at, said=said, path=f"/games/{game.game}")


def _enter_tournament(tournament: Tournament, player: PlayerId, row: WayRow) -> Entry | None:
    step, name = find_next(tournament, player), tournament.opened.name
    if step.until is None:
        return None
    id_, changed_at = f"{tournament.id}-{step.round}-{step.what}", format_at(tournament.at_ms)
    if step.what == "check_in" and "round_called" in row.kinds:
        said, path = f"Check in for round {step.round} of {name}", f"/tournaments/{tournament.id}"
    elif step.what == "play" and "table_drawn" in row.kinds:
        said, path = f"Sit down at table {step.table} in round {step.round} of {name}", f"/games/{step.game}"
    else:
        return None
    return Entry(id=id_, until=step.until, changed_at=changed_at, said=said, path=path)


def format_calendar(entries: Iterable[Entry], base: str) -> bytes:
    """Write a calendar whose links begin with the URL of the pages.

    BEGIN:VEVENT
    UID:0199c0de-0000-7000-8000-000000000001-12@spina
    DTSTAMP:20261119T110000Z
    DTSTART:20261121T110000Z
    SUMMARY:Your turn in Charioteer
    URL:https://games.example.org/games/0199c0de-0000-7000-8000-000000000001
    END:VEVENT
    """
    lines = [*HEAD, *(line for entry in entries for line in _list_lines(entry, base)), "END:VCALENDAR"]
    return b"".join(_fold(line) for line in lines)


def _list_lines(entry: Entry, base: str) -> Iterator[str]:
    yield "BEGIN:VEVENT"
    yield f"UID:{entry.id}@spina"
    yield f"DTSTAMP:{_format_time(entry.changed_at)}"
    yield f"DTSTART:{_format_time(entry.until)}"
    yield f"SUMMARY:{_escape(entry.said)}"
    yield f"URL:{base}{entry.path}"
    yield "END:VEVENT"


def _format_time(at: str) -> str:
    """Write `2026-11-19T11:00:00.000Z` as a calendar does."""
    return at[:19].replace("-", "").replace(":", "") + "Z"


def _escape(text: str) -> str:
    return text.replace("\\", "\\\\").replace(";", "\\;").replace(",", "\\,")


def _fold(line: str) -> bytes:
    """Break a line that is too long, between characters; each further one begins with a blank."""
    folded, size = [], 0
    for character in line:
        encoded = character.encode()
        if size + len(encoded) > LINE_BYTES_MAX:
            folded.append(b"\r\n ")
            size = 1
        folded.append(encoded)
        size += len(encoded)
    return b"".join(folded) + b"\r\n"
