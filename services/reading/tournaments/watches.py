"""Readers who wait for a tournament to move on: all of one tournament share one look at its log.

A hint states when to look at once; answers come from the log alone, which is read now and then also without hints.
"""

import asyncio
from collections.abc import Awaitable, Callable
from functools import partial

from domain.ids import StreamId, StreamVersion, TournamentId
from domain.tournament.state import Tournament
from infra.hint_source import HintSource
from services.reading.tournaments.histories import TournamentHistories
from services.reading.waiting import AHEAD_MAX, pause

# The latency of a lost hint; two reads a second for a tournament, however many wait.
LOOK_EVERY_S = 0.5
# When players enter in a rush, each of them moves the tournament on: so many reads a second are enough then.
SPACING_S = 0.02

# Waits until an event is set, or for so many seconds.
Pause = Callable[[asyncio.Event, float], Awaitable[None]]


class Watch:
    """Those who wait for one tournament, each for a version, and the task that looks for all of them."""

    def __init__(self) -> None:
        self.waiting: dict[asyncio.Future[Tournament], StreamVersion] = {}
        self.told = asyncio.Event()
        self.newest: Tournament | None = None
        self.task: asyncio.Task[None] | None = None


class TournamentWatches:
    """One for a process. Its tasks belong to those who wait: the last one to leave ends the task it leaves behind."""

    def __init__(
        self, histories: TournamentHistories, hints: HintSource, *, stopping: asyncio.Event, pause: Pause = pause
    ) -> None:
        self._histories = histories
        self._hints = hints
        self._stopping = stopping
        self._pause = pause
        self._watches: dict[StreamId, Watch] = {}

    def hear(self, stream: StreamId, _version: object = None) -> None:
        """Take in that a stream may have moved on, from wherever; those of games are passed by."""
        watch = self._watches.get(stream)
        if watch is not None:
            watch.told.set()

    async def wait_for(self, tournament: TournamentId, version: int, *, timeout_s: float) -> Tournament:
        """Return the tournament once it has that version, or as it is when that is not to be expected in time.

        Raises NoSuchTournament, and `StoreUnavailable` for all who wait at that moment.
        """
        watch = self._find_watch(tournament)
        if watch.newest is not None and watch.newest.version >= version:
            return watch.newest
        arrived: asyncio.Future[Tournament] = asyncio.get_running_loop().create_future()
        watch.waiting[arrived] = StreamVersion(version)
        try:
            async with asyncio.timeout(timeout_s):
                return await arrived
        except TimeoutError:
            # Where the store takes longer than that, one's own read states so.
            return watch.newest or await self._histories.read_newest(tournament)
        finally:
            del watch.waiting[arrived]
            if not watch.waiting:
                await self._end(tournament, watch)

    def _find_watch(self, tournament: TournamentId) -> Watch:
        stream = tournament
        watch = self._watches.get(stream)
        if watch is None:
            watch = self._watches[stream] = Watch()
            self._hints.subscribe(stream)
            watch.task = asyncio.create_task(self._look_for_ever(tournament, watch))
            watch.task.add_done_callback(partial(self._pass_on, tournament, watch))
        return watch

    async def _end(self, tournament: TournamentId, watch: Watch) -> None:
        assert watch.task is not None
        self._forget(tournament, watch)
        watch.task.cancel()
        await asyncio.wait({watch.task})

    def _forget(self, tournament: TournamentId, watch: Watch) -> None:
        """Have the next reader begin anew."""
        stream = tournament
        if self._watches.get(stream) is watch:
            del self._watches[stream]
            self._hints.unsubscribe(stream)

    async def _look_for_ever(self, tournament: TournamentId, watch: Watch) -> None:
        while True:
            watch.told.clear()
            watch.newest = await self._histories.read_newest(tournament)
            self._settle(watch, watch.newest)
            await self._pause(self._stopping, SPACING_S)
            await self._pause(watch.told, LOOK_EVERY_S)

    def _pass_on(self, tournament: TournamentId, watch: Watch, task: asyncio.Task[None]) -> None:
        """Answer every reader with the fault that ended the watch, as if each had read the log."""
        self._forget(tournament, watch)
        error = None if task.cancelled() else task.exception()
        for arrived in _list_open(watch):
            if error is None:
                arrived.cancel()
            else:
                arrived.set_exception(error)

    def _settle(self, watch: Watch, newest: Tournament) -> None:
        for arrived in _list_open(watch):
            version = watch.waiting[arrived]
            is_in_vain = version > newest.version + AHEAD_MAX or self._stopping.is_set()
            if newest.version >= version or is_in_vain:
                arrived.set_result(newest)


def _list_open(watch: Watch) -> list[asyncio.Future[Tournament]]:
    return [arrived for arrived in watch.waiting if not arrived.done()]
