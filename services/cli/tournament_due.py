"""Who is waited for in a tournament and who is late: its calendar, and at each table who has not sat down yet."""

from datetime import datetime
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from services.client.client import Client
from services.client.problems import Refused
from services.client.seen import GameSeen
from services.client.tournament import TournamentAt
from services.tournaments.calendar import Deadline
from services.tournaments.shown import EntrantShown, Pairings, RoundShown

NOT_THERE = 404

Doing = Literal["waits", "is to check in", "plays", "has played", "sits out", "withdrawn", "removed"]


class Due(Struct, frozen=True, kw_only=True):
    """`missing` has not checked in, or keeps the table's game from starting; nobody where that goes on.

    Of a delayed game that is as it was `delay_s` ago, as for anybody who has no seat in it.
    """

    what: Literal["check_in", "sit_down"]
    round: int
    table: int | None
    game: str | None
    until: str
    is_late: bool
    delay_s: int
    missing: tuple[str, ...]


class Entered(Struct, frozen=True, kw_only=True):
    entrant: int
    player: str
    name: str | None
    doing: Doing
    table: int | None = None


async def list_due(at: TournamentAt, now: datetime) -> list[Due]:
    delay_s, entrants = (await at.read()).terms.delay_s, (await at.read_entrants()).items
    dues = [await _describe(at.client, each, entrants, now) for each in (await at.read_deadlines()).items]
    return [replace(each, delay_s=delay_s) if each.game is not None else each for each in dues]


def list_entered(entrants: tuple[EntrantShown, ...], pairings: Pairings) -> list[Entered]:
    """List everybody with what they do in the round that goes on."""
    last = pairings.items[-1] if pairings.items and pairings.items[-1].status != "closed" else None
    return [_find_doing(each, last) for each in entrants]


async def _describe(client: Client, due: Deadline, entrants: tuple[EntrantShown, ...], now: datetime) -> Due:
    missing = due.entrants
    if due.game is not None:
        game = await _find_game(client, due)
        missing = due.entrants if game is None else _list_missing(due, game)
    return Due(
        what=due.what,
        round=due.round,
        table=due.table,
        game=due.game,
        until=due.until,
        delay_s=0,
        is_late=bool(missing) and datetime.fromisoformat(due.until) < now,
        missing=tuple(entrants[each].name or f"entrant {each}" for each in missing),
    )


async def _find_game(client: Client, due: Deadline) -> GameSeen | None:
    assert due.game is not None, "asked of tables only"
    try:
        return await client.read_game(due.game)
    except Refused as refused:
        if refused.problem.status != NOT_THERE:
            raise
        # The steward opens it in a moment.
        return None


def _list_missing(due: Deadline, game: GameSeen) -> tuple[int, ...]:
    if game.status != "open":
        return ()
    # In the order of the seats, as the table is drawn.
    return tuple(entrant for entrant, seat in zip(due.entrants, game.seats, strict=True) if not seat.is_ready)


def _find_doing(entrant: EntrantShown, round_: RoundShown | None) -> Entered:
    doing: Doing = "waits"
    table = None
    if round_ is not None:
        table = next((each for each in round_.tables if any(s.entrant == entrant.entrant for s in each.seats)), None)
        if table is not None:
            doing = "plays" if table.status == "awaited" else "has played"
        elif any(each.entrant == entrant.entrant for each in round_.waiting):
            doing = "is to check in"
        elif any(each.entrant == entrant.entrant for each in round_.byes):
            doing = "sits out"
    if table is None and entrant.left is not None:
        doing = entrant.left
    return Entered(
        entrant=entrant.entrant,
        player=entrant.player,
        name=entrant.name,
        doing=doing,
        table=None if table is None else table.table,
    )
