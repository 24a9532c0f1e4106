"""Deadlines, and the next step of one entrant: both follow from the log, except who has sat down where.

The games of a round show that, as the public may see them now: a delayed one as late as the rest.
"""

from collections.abc import Iterator, Mapping
from typing import Literal

import msgspec
from msgspec import Struct

from domain.game.state import Game, Held
from domain.ids import GameId, PlayerId, StreamVersion, TournamentId
from domain.log.record import format_at
from domain.log.state import is_over
from domain.tournament.contender import Entrant
from domain.tournament.looks import is_commentator
from domain.tournament.state import (
    Awaited,
    Round,
    Table,
    Tournament,
    find_entrant,
    find_round,
    find_sit_down_ms,
    is_held,
    list_present,
)
from infra.event_store import EventStore
from services.commands.table_games import list_absent
from services.reading.access import find_shown_version
from services.reading.histories import GameHistories
from services.reading.tournaments.pairings import find_check_in_until, find_sit_down_by

_replace = msgspec.structs.replace

# `nothing` for an entrant who left, or once it is over; `wait` for others; at `play` the game has its decisions.
What = Literal["enter", "nothing", "admission", "wait", "check_in", "play", "bye"]


class Missing(Struct, frozen=True, kw_only=True):
    """Who keeps a table's game from beginning: `are_seated` where all have sat down and these are not ready."""

    entrants: tuple[Entrant, ...]
    are_seated: bool


class Deadline(Struct, frozen=True, kw_only=True):
    """A deadline of `entrants`. Those who are done are no longer listed.

    A table is listed as long as its game has not begun: `sit_down` while seats are empty, then `get_ready`.
    """

    what: Literal["check_in", "sit_down", "get_ready"]
    round: int
    table: int | None
    game: GameId | None
    until: str
    entrants: tuple[Entrant, ...]


class Calendar(Struct, frozen=True, kw_only=True):
    """Deadlines in the order of their times."""

    tournament: TournamentId
    version: StreamVersion
    items: tuple[Deadline, ...]


class Next(Struct, frozen=True, kw_only=True):
    """The next step of a player. `until` is the deadline for it, null in a pause.

    `game` and `seat` are where to sit down.

    `last_link` is the one that the entrant disclosed last, or its anchor; the next one is owed while any are left.
    """

    tournament: TournamentId
    version: StreamVersion
    what: What
    entrant: Entrant | None = None
    round: int | None = None
    table: int | None = None
    attempt: int | None = None
    game: GameId | None = None
    seat: int | None = None
    until: str | None = None
    last_link: str | None = None
    links_left: int = 0


def list_deadlines(tournament: Tournament, missing: Mapping[GameId, Missing]) -> Calendar:
    """List the deadlines; `missing` are those whom the games of awaited tables wait for."""
    round_ = find_round(tournament)
    # Nothing is due in a pause.
    is_still = round_ is None or is_over(tournament) or round_.paused_ms is not None
    due = () if is_still or round_ is None else _list_due(tournament, round_, missing)
    items = sorted(due, key=lambda each: (each.until, each.table or 0))
    return Calendar(tournament=tournament.id, version=tournament.version, items=tuple(items))


def find_next(tournament: Tournament, player: PlayerId) -> Next:
    """Return a player's next step."""
    entrant = find_entrant(tournament, player)
    here = Next(tournament=tournament.id, version=tournament.version, what="nothing", entrant=entrant)
    if is_over(tournament):
        return here
    if entrant is None:
        is_open = not tournament.are_entries_closed and not is_commentator(tournament, player)
        return _replace(here, what="enter") if is_open else here
    entry = tournament.entries[entrant]
    if entry.links is not None:
        here = _replace(here, last_link=entry.links.last, links_left=entry.links.left)
    round_ = find_round(tournament)
    table = None if round_ is None else _find_table(round_, entrant)
    if entry.left == "waiting":
        return _replace(here, what="admission")
    if entry.left is not None and table is None:
        return here
    if round_ is None:
        return _replace(here, what="wait")
    here = _replace(here, round=round_.number, what="wait")
    if table is not None:
        return _show_game(tournament, round_, table, here)
    if any(bye.entrant == entrant for bye in round_.byes):
        return _replace(here, what="bye")
    if not round_.is_drawn and entrant in round_.waiting:
        return _replace(here, what="check_in", until=find_check_in_until(round_))
    return here


def _show_game(tournament: Tournament, round_: Round, table: Table, here: Next) -> Next:
    here = _replace(here, table=table.number, attempt=table.attempt, game=table.game)
    assert here.entrant is not None, "whoever sits at a table has entered"
    seat = table.entrants.index(here.entrant)
    # A game that goes on without an entry that was handed on is its former player's.
    is_own = table.people[seat].player == tournament.entries[here.entrant].player
    here = _replace(here, seat=seat)
    if not isinstance(table.status, Awaited) or is_held(tournament, round_) or not is_own:
        return here
    return _replace(here, what="play", until=find_sit_down_by(tournament, round_, table))


def _list_due(tournament: Tournament, round_: Round, missing: Mapping[GameId, Missing]) -> Iterator[Deadline]:
    if not round_.is_drawn and round_.waiting:
        yield Deadline(
            what="check_in",
            round=round_.number,
            table=None,
            game=None,
            until=format_at(round_.until_ms),
            entrants=tuple(sorted(round_.waiting)),
        )
    for table in () if is_held(tournament, round_) else round_.tables:
        if isinstance(table.status, Awaited) and table.game in missing:
            waited = missing[table.game]
            yield Deadline(
                what="get_ready" if waited.are_seated else "sit_down",
                round=round_.number,
                table=table.number,
                game=table.game,
                until=format_at(find_sit_down_ms(tournament, round_, table)),
                entrants=waited.entrants,
            )


def _find_table(round_: Round, entrant: Entrant) -> Table | None:
    return next((table for table in round_.tables if entrant in list_present(table)), None)


async def find_missing(
    tournament: Tournament, *, store: EventStore, histories: GameHistories, now_ms: int
) -> dict[GameId, Missing]:
    """Find who is missing at each table that is awaited; nothing of one whose game goes on.

    One question for all of them, and another one for each that has moved since the last request.
    """
    round_ = find_round(tournament)
    tables = [] if round_ is None else [table for table in round_.tables if isinstance(table.status, Awaited)]
    heads = await store.read_heads([table.game for table in tables]) if tables else {}
    found = {}
    for table in tables:
        head = heads.get(table.game)
        newest = None if head is None else await histories.read_at(table.game, head.version)
        shown = None if newest is None else await _find_shown(histories, newest, now_ms=now_ms)
        found[table.game] = _tell_missing(table, shown)
    return {game: missing for game, missing in found.items() if missing.entrants}


async def _find_shown(histories: GameHistories, newest: Game, *, now_ms: int) -> Game | None:
    version = await find_shown_version(histories, newest, None, now_ms=now_ms)
    return await histories.read_at(newest.id, version)


def _tell_missing(table: Table, game: Game | None) -> Missing:
    if game is None:
        # The steward opens it in a moment, or its delay has not passed: until then no entrant is seen to sit there.
        return Missing(entrants=table.entrants, are_seated=False)
    absent = list_absent(table, game)
    taken = {entrant for entrant, seat in zip(table.entrants, game.seats, strict=True) if isinstance(seat, Held)}
    return Missing(entrants=absent, are_seated=taken.issuperset(absent))
