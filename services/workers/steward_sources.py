"""The steward of a process: which tournaments and open games it looks after, as projections list them."""

from collections.abc import AsyncIterator, Callable, Sequence

import msgspec

from domain.ids import GameId, StreamId, TournamentId
from domain.log.record import parse_at
from infra.projection_store import ROWS_MAX, Projections, Sought, StoredRow
from projections.lobby import AT_TABLE, LISTED, LobbyGame, label_status
from projections.lobby import NAME as LOBBY_NAME
from projections.tournaments import NAME
from services.workers.kinds import STEWARD
from services.workers.lapses import ListLapsing, find_time_ms
from services.workers.standby import OpenLock, Worker, locked_step
from services.workers.steward import ListTournaments, Steward, StewardSources


def build_steward(sources: StewardSources, open_lock: OpenLock) -> Worker:
    return Worker(name=STEWARD.name, open=lambda: locked_step(open_lock, lambda: Steward(sources).step))


def listing_running(projections: Projections, now_ms: Callable[[], int]) -> ListTournaments:
    """Build how the tournaments that go on are listed. A list that is behind costs time; nothing is decided by it."""
    labels = (LISTED, label_status("running"))

    async def list_running() -> Sequence[TournamentId]:
        return [TournamentId(StreamId(row.owner)) async for row in _list_rows(projections, NAME, labels, now_ms)]

    return list_running


def listing_unfinished(projections: Projections, now_ms: Callable[[], int]) -> ListTournaments:
    """Build how the tournaments with games that are not over are listed, from the games themselves."""

    async def list_unfinished() -> Sequence[TournamentId]:
        found = _list_rows(projections, LOBBY_NAME, (AT_TABLE,), now_ms)
        games = [msgspec.json.decode(row.body, type=LobbyGame) async for row in found]
        return sorted({game.tournament for game in games if game.tournament is not None})

    return list_unfinished


def listing_lapsing(projections: Projections, now_ms: Callable[[], int]) -> ListLapsing:
    """Build how the games are listed in which nothing happened for too long, and that neither clock nor table ends."""

    async def list_lapsing() -> Sequence[GameId]:
        games = [
            msgspec.json.decode(row.body, type=LobbyGame)
            for label in (label_status("open"), label_status("running"))
            async for row in _list_rows(projections, LOBBY_NAME, (label,), now_ms)
        ]
        endless = (game for game in games if game.tournament is None and (game.status == "open" or game.clock is None))
        return sorted({game.id for game in endless if now_ms() > _find_end_ms(game)})

    return list_lapsing


def _find_end_ms(game: LobbyGame) -> int:
    per_decision_ms = None if game.clock is None else game.clock.per_decision_ms
    is_among_players = game.status == "running" and not game.house
    return parse_at(game.last_at) + find_time_ms(
        per_decision_ms,
        is_readied=game.is_readied,
        is_among_players=is_among_players,
        waits_beside_house=game.status == "open" and bool(game.house),
    )


async def _list_rows(
    projections: Projections, name: str, labels: tuple[str, ...], now_ms: Callable[[], int]
) -> AsyncIterator[StoredRow]:
    before: str | None = None
    while True:
        sought = Sought(labels=labels, or_labels=labels, before=before, now_ms=now_ms())
        rows = await projections.list_owners(name, sought, limit=ROWS_MAX)
        for row in rows:
            yield row
        if len(rows) < ROWS_MAX:
            return
        before = rows[-1].rank
