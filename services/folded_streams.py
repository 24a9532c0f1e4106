"""The folded games a process keeps, the ones used last. A cache: always allowed to be empty, checked by the append."""

from collections import OrderedDict

from domain.game.state import Game
from domain.ids import GameId

# A folded game of six seats is some tens of kilobytes: at most about a hundred megabytes of them.
GAMES_KEPT_MAX = 2_000


class FoldedGames:
    def __init__(self, games_max: int = GAMES_KEPT_MAX) -> None:
        self._games_max = games_max
        self._games: OrderedDict[GameId, Game] = OrderedDict()

    def __len__(self) -> int:
        return len(self._games)

    def find(self, game: GameId) -> Game | None:
        """Return the game as last kept; it may be behind the log."""
        found = self._games.get(game)
        if found is not None:
            self._games.move_to_end(game)
        return found

    def keep(self, game: Game) -> None:
        """Keep a game, and let the one go that was not used for longest."""
        self._games[game.id] = game
        self._games.move_to_end(game.id)
        if len(self._games) > self._games_max:
            self._games.popitem(last=False)

    def forget(self, game: GameId) -> None:
        self._games.pop(game, None)
