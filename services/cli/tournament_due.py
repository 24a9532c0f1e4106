"""Who is waited for in a tournament and who is late: its calendar, by name."""

from datetime import datetime
from typing import Literal

from msgspec import Struct

from spina_client.tournament import TournamentAt
from spina_client.tournament_seen import DeadlineSeen, EntrySeen, Pairings, RoundSeen

Doing = Literal["waits", "is to check in", "plays", "has played", "sits out", "withdrawn", "removed"]


class Due(Struct, frozen=True, kw_only=True):
    """`missing` has not checked in, or keeps the table's game from starting.

    Of a delayed game that is as it was `delay_s` ago, as for a spectator.
    """

    what: Literal["check_in", "sit_down", "get_ready"]
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
    return [_describe(deadline, entrants, now=now, delay_s=delay_s) for deadline in (await at.read_deadlines()).items]


def list_entered(entrants: tuple[EntrySeen, ...], pairings: Pairings) -> list[Entered]:
    """List all entrants with their part in the current round."""
    last = pairings.items[-1] if pairings.items and pairings.items[-1].status != "closed" else None
    return [_find_doing(entrant, last) for entrant in entrants]


def _describe(due: DeadlineSeen, entrants: tuple[EntrySeen, ...], *, now: datetime, delay_s: int) -> Due:
    return Due(
        what=due.what,
        round=due.round,
        table=due.table,
        game=due.game,
        until=due.until,
        is_late=datetime.fromisoformat(due.until) < now,
        delay_s=0 if due.game is None else delay_s,
        missing=tuple(entrants[entrant].name or f"entrant {entrant}" for entrant in due.entrants),
    )


def _find_doing(entrant: EntrySeen, round_: RoundSeen | None) -> Entered:
    doing: Doing = "waits"
    table = None
    if round_ is not None:
        table = next((table for table in round_.tables if any(s.entrant == entrant.entrant for s in table.seats)), None)
        if table is not None:
            doing = "plays" if table.status == "awaited" else "has played"
        elif any(each.entrant == entrant.entrant for each in round_.waiting):
            doing = "is to check in"
        elif any(bye.entrant == entrant.entrant for bye in round_.byes):
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
