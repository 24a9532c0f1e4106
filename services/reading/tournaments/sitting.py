"""The entrants for whom the games of a round wait, as the public may see it now.

The log of a tournament does not tell it: those games do, and a delayed one tells it as late as the rest.
"""

from domain.game.state import Game, Held
from domain.ids import GameId
from domain.tournament.state import Awaited, Table, Tournament, find_round
from infra.event_store import EventStore
from services.commands.table_games import list_absent
from services.reading.access import find_shown_version
from services.reading.histories import GameHistories
from services.reading.tournaments.calendar import Missing


async def find_missing(
    tournament: Tournament, *, store: EventStore, histories: GameHistories, now_ms: int
) -> dict[GameId, Missing]:
    """Find who is missing at each table that is awaited; nothing of one whose game goes on.

    One question for all of them, and another one for each that has moved since the last request.
    """
    round_ = find_round(tournament)
    tables = [] if round_ is None else [each for each in round_.tables if isinstance(each.status, Awaited)]
    heads = await store.read_heads([each.game for each in tables]) if tables else {}
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
