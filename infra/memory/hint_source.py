"""Hints inside one process, from its announcer to its readers: for tests, and for a server that has no Redis."""

import asyncio
from typing import Never

from domain.ids import GameId, StreamVersion
from infra.hint_source import Heard


class MemoryHintSource:
    """An announcer as well: what one end is told, the other hears."""

    is_failing = False

    def __init__(self) -> None:
        self._games: set[GameId] = set()
        self._heard: Heard | None = None

    def announce(self, stream: GameId, version: StreamVersion) -> None:
        """Tell whoever listens in this process. Never raises, never waits."""
        if self._heard is not None and stream in self._games:
            self._heard(stream, version)

    def subscribe(self, game: GameId) -> None:
        self._games.add(game)
        if self._heard is not None:
            self._heard(game, None)

    def unsubscribe(self, game: GameId) -> None:
        self._games.discard(game)

    async def run(self, heard: Heard) -> Never:
        self._heard = heard
        for game in self._games:
            heard(game, None)
        while True:
            await asyncio.Event().wait()
