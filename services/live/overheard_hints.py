"""A source of hints with one more listener: a process has one connection for hints, whoever is interested in them."""

from typing import Never

from domain.ids import GameId, StreamVersion
from infra.hint_source import Heard, HintSource


class OverheardHints:
    """Neither listener may raise."""

    def __init__(self, hints: HintSource, also: Heard) -> None:
        self._hints = hints
        self._also = also

    def subscribe(self, game: GameId) -> None:
        self._hints.subscribe(game)

    def unsubscribe(self, game: GameId) -> None:
        self._hints.unsubscribe(game)

    async def run(self, heard: Heard) -> Never:
        def tell_both(game: GameId, version: StreamVersion | None) -> None:
            self._also(game, version)
            heard(game, version)

        await self._hints.run(tell_both)
