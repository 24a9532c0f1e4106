"""The steward: opens the games of drawn tables, takes their results, reports no-shows, and ends lapsed games.

It decides nothing: the consequences of a result or a no-show are in the tournament's log. After any stop it continues
from that log, and a command that it sends again is done once.
"""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Iterable, Sequence

import structlog
from msgspec import Struct

from domain.ids import GameId, StreamVersion, TournamentId
from domain.log.record import parse_at, parse_line
from domain.log.state import is_over
from domain.rejection import Rejection
from domain.tournament.state import Awaited, Round, Tournament, find_round, find_sit_down_ms, is_held
from infra.event_store import EventStore, StreamHead
from infra.store_faults import StoreUnavailable
from services.commands.arena import Arena
from services.commands.table_games import (
    ENDED,
    LAST_LINES,
    TableAt,
    build_abort,
    build_check_in_closing,
    build_no_show,
    build_opening,
    build_pause,
    build_result,
    list_absent,
    list_unwanted_games,
)
from services.commands.tournaments import Tournaments
from services.commands.turns import TooManyWaiting
from services.commands.write_path import StreamContended
from services.workers.lapses import LAPSES_MAX, ListLapsing, build_lapse

log = structlog.get_logger()

# A player who came in time may still be on the way into the log.
LATE_MS = 250
# Tables looked after together: enough to fill an append, few enough that players are answered meanwhile.
TOGETHER_MAX = 16
# Games whose last lines are asked for at a time: of all tables of a large round.
HEADS_MAX = 1_000

# How often games are looked for that outlived their tournament, or that lapsed.
LEFT_BEHIND_EVERY_MS = 60_000

ListTournaments = Callable[[], Awaitable[Sequence[TournamentId]]]


class StewardSources(Struct, frozen=True, kw_only=True):
    """`list_running` names the tournaments in which a round was called.

    `list_unfinished` names those with games that are not over, of any status; `list_lapsing`
    names games of no tournament.
    """

    tournaments: Tournaments
    arena: Arena
    store: EventStore
    list_running: ListTournaments
    list_unfinished: ListTournaments
    list_lapsing: ListLapsing
    now_ms: Callable[[], int]
    random_bytes: Callable[[int], bytes]


class Steward:
    """One session. After any exception it is over, and another one begins from the store."""

    def __init__(self, sources: StewardSources) -> None:
        self._sources = sources
        # No entrant is late for time in which no steward ran.
        self._begun_ms = sources.now_ms()
        # Games that no table waits for and that are over, so that they are not asked about again.
        self._cleared: set[GameId] = set()
        # Looked after at the next step: tournaments that run or ran at the last one, and those left behind.
        self._known: set[TournamentId] = set()
        self._search_ms = self._begun_ms

    async def step(self) -> None:
        """Do the due work. Raises StoreUnavailable."""
        self._known.update(await self._sources.list_running())
        now_ms = self._sources.now_ms()
        if now_ms >= self._search_ms:
            self._known.update(await self._sources.list_unfinished())
            for game in (await self._sources.list_lapsing())[:LAPSES_MAX]:
                await _passing_by(self._end_lapsed(game), game=game)
            self._search_ms = now_ms + LEFT_BEHIND_EVERY_MS
        for tournament in sorted(self._known):
            await _passing_by(self._attend(tournament), tournament=tournament)

    async def _end_lapsed(self, game: GameId) -> None:
        lapse = build_lapse(await self._sources.arena.read_newest(game), at_ms=self._sources.now_ms())
        if lapse is not None:
            await self._sources.arena.handle(lapse)
            log.info("game_lapsed", game=game)

    async def _attend(self, tournament: TournamentId) -> None:
        found = await self._sources.tournaments.read_newest(tournament)
        await self._clear_away(found)
        if is_over(found):
            self._known.discard(tournament)
            return
        round_ = find_round(found)
        if round_ is not None and not round_.is_drawn:
            await self._close_check_in(found, round_)
        elif round_ is not None:
            await self._look_after(found, round_)

    async def _clear_away(self, tournament: Tournament) -> None:
        """Abort the games that no table waits for, of closed rounds too: a no-show or a ruling may have closed one."""
        tables = _list_tables(tournament, tournament.rounds)
        unwanted = {game: at for at in tables for game in list_unwanted_games(at) if game not in self._cleared}
        for start in range(0, len(unwanted), HEADS_MAX):
            together = list(unwanted)[start : start + HEADS_MAX]
            heads = await self._sources.store.read_heads(together)
            for game in together:
                if game in heads and heads[game].type != ENDED:
                    await self._sources.arena.handle(build_abort(unwanted[game], game, at_ms=self._sources.now_ms()))
                    log.info("table_game_aborted", tournament=tournament.id, game=game)
            self._cleared.update(together)

    async def _look_after(self, tournament: Tournament, round_: Round) -> None:
        tables = [at for at in _list_tables(tournament, [round_]) if isinstance(at.table.status, Awaited)]
        heads = await self._sources.store.read_heads([at.table.game for at in tables])
        for start in range(0, len(tables), TOGETHER_MAX):
            together = tables[start : start + TOGETHER_MAX]
            await _together(
                _passing_by(self._await_result(at, heads.get(at.table.game)), game=at.table.game) for at in together
            )

    async def _close_check_in(self, tournament: Tournament, round_: Round) -> None:
        now_ms = self._sources.now_ms()
        if round_.paused_ms is None and now_ms > round_.until_ms + LATE_MS:
            await self._sources.tournaments.handle(build_check_in_closing(tournament, round_, at_ms=now_ms))
            log.info("check_in_closed", tournament=tournament.id, round=round_.number)

    async def _await_result(self, at: TableAt, head: StreamHead | None) -> None:
        sources, game = self._sources, at.table.game
        if is_held(at.tournament, at.tournament.rounds[at.round - 1]):
            return
        if head is None:
            await sources.arena.handle(build_opening(at, at_ms=sources.now_ms(), random_bytes=sources.random_bytes))
            log.info("table_opened", tournament=at.tournament.id, game=game)
        elif head.type == ENDED:
            after = StreamVersion(max(head.version - LAST_LINES, 0))
            last_lines = await sources.store.read_stream(game, after=after, limit=LAST_LINES)
            await sources.tournaments.handle(build_result(at, last_lines, at_ms=sources.now_ms()))
            log.info("result_taken", tournament=at.tournament.id, game=game)
        elif not await self._keep_pause(at) and await self._is_time_up(at):
            await self._tell_no_show(at)

    async def _keep_pause(self, at: TableAt) -> bool:
        """Stop the clocks of a table whose round is paused, or let them run again; return whether it is paused."""
        round_ = at.tournament.rounds[at.round - 1]
        if round_.paused_line:
            game = await self._sources.arena.read_newest(at.table.game)
            command = build_pause(at, game, at_ms=self._sources.now_ms())
            if command is not None:
                await self._sources.arena.handle(command)
                log.info("table_paused" if round_.paused_ms is not None else "table_resumed", game=game.id)
        return round_.paused_ms is not None

    async def _is_time_up(self, at: TableAt) -> bool:
        """Return whether the time to sit down is over, counted from when there was both a game and a steward."""
        now_ms = self._sources.now_ms()
        until_ms = find_sit_down_ms(at.tournament, at.tournament.rounds[at.round - 1], at.table)
        granted_ms = at.tournament.opened.sit_down_ms + at.table.given_ms
        if now_ms <= max(until_ms, self._begun_ms + granted_ms) + LATE_MS:
            return False
        (first,) = await self._sources.store.read_stream(at.table.game, after=StreamVersion(0), limit=1)
        return now_ms > parse_at(parse_line(first).at) + granted_ms + LATE_MS

    async def _tell_no_show(self, at: TableAt) -> None:
        game = await self._sources.arena.read_newest(at.table.game)
        absent = list_absent(at.table, game)
        # Where it is demanded, no player can sit down before the opening is witnessed, and none is late.
        if not absent or ("witnessed_opening" in game.opened.demands and not game.is_witnessed):
            return
        await self._sources.tournaments.handle(build_no_show(at, absent, at_ms=self._sources.now_ms()))
        log.info("no_show_told", tournament=at.tournament.id, game=game.id, entrants=absent)


def _list_tables(tournament: Tournament, rounds: Iterable[Round]) -> list[TableAt]:
    return [
        TableAt(tournament=tournament, round=round_.number, table=table) for round_ in rounds for table in round_.tables
    ]


async def _passing_by(work: Coroutine[None, None, None], **about: str) -> None:
    """Let neither a refusal nor a bug that shows in one place stop the work for all the others."""
    try:
        await work
    except (Rejection, StreamContended, TooManyWaiting) as refused:
        # Another process was quicker, or an organiser has ruled meanwhile; the next look sees the new state.
        log.info("steward_refused", reason=str(refused), **about)
    except StoreUnavailable:
        raise
    except Exception:
        log.exception("stewarding_failed", **about)


async def _together(looks: Iterable[Coroutine[None, None, None]]) -> None:
    """Await all of them, and raise the exception of the first to fail."""
    for result in await asyncio.gather(*looks, return_exceptions=True):
        if isinstance(result, BaseException):
            raise result
