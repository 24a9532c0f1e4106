"""Which games with a clock go on, and when each is to be looked at: never later than a clock of it may run out.

A decision that a line creates has its game's time at least, so a game that moves is not looked at any sooner than that,
unless its pause ends.
"""

import heapq
from collections.abc import Iterable, Mapping

from domain.ids import GameId
from infra.clock_book import GameMove

OPENED = "game_opened"
# The clocks of a game run on, some of them nearly to their end.
RESUMED = "pause_ended"
# Always the last line of a game.
ENDED = "secret_disclosed"


class ClockWatch:
    """Begins with games of which nothing is known but that they go on: all are looked at first of all."""

    def __init__(self, per_decision_ms: Mapping[GameId, int], *, now_ms: int) -> None:
        self._per_decision_ms = dict(per_decision_ms)
        self._look_ms: dict[GameId, int] = {}
        # The same, to find the first; games planned anew since are passed over.
        self._heap: list[tuple[int, GameId]] = []
        for game in per_decision_ms:
            self.plan(game, now_ms)

    def __len__(self) -> int:
        return len(self._per_decision_ms)

    def list_games(self) -> list[GameId]:
        return list(self._per_decision_ms)

    def follow(self, moves: Iterable[GameMove]) -> None:
        """Take in moves from the log."""
        for move in moves:
            if move.type == ENDED:
                self._per_decision_ms.pop(move.game, None)
                self._look_ms.pop(move.game, None)
                continue
            if move.type == OPENED and move.per_decision_ms is not None:
                self._per_decision_ms[move.game] = move.per_decision_ms
            per_decision_ms = self._per_decision_ms.get(move.game)
            if per_decision_ms is not None:
                self.plan(move.game, move.at_ms + (0 if move.type == RESUMED else per_decision_ms))

    def plan(self, game: GameId, look_ms: int) -> None:
        """Look at the game then, unless it is to be looked at earlier."""
        if game in self._per_decision_ms and look_ms < self._look_ms.get(game, look_ms + 1):
            self._look_ms[game] = look_ms
            heapq.heappush(self._heap, (look_ms, game))

    def take_due(self, now_ms: int) -> list[GameId]:
        """Return games whose time has come; the caller plans each anew."""
        due: list[GameId] = []
        while self._heap and self._heap[0][0] <= now_ms:
            look_ms, game = heapq.heappop(self._heap)
            if self._look_ms.get(game) == look_ms:
                del self._look_ms[game]
                due.append(game)
        return due
