"""One command of a game at a time in this process: a second one would only lose its race. Games do not wait."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from domain.ids import GameId

# Six seats and an organiser each have a command or two under way; a longer queue is somebody hammering one game.
WAITING_MAX = 64


class TooManyWaiting(Exception):
    """More commands wait for this game than are worth keeping; nothing was stored."""

    def __init__(self, game: GameId) -> None:
        self.game = game
        super().__init__(f"{WAITING_MAX} commands wait for {game} already")


class _Turn:
    def __init__(self) -> None:
        # Guards the game's folded state in this process, from loading it to keeping what was appended.
        self.lock = asyncio.Lock()
        self.users = 0


class GameTurns:
    def __init__(self) -> None:
        self._turns: dict[GameId, _Turn] = {}

    def __len__(self) -> int:
        return len(self._turns)

    @asynccontextmanager
    async def of(self, game: GameId) -> AsyncIterator[None]:
        """Wait for this game's turn, first come, first served."""
        turn = self._turns.setdefault(game, _Turn())
        if turn.users >= WAITING_MAX:
            raise TooManyWaiting(game)
        turn.users += 1
        try:
            async with turn.lock:
                yield
        finally:
            turn.users -= 1
            if turn.users == 0:
                del self._turns[game]
