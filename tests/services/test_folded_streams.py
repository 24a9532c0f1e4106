"""The folded games of a process: those used last stay."""

import msgspec

from domain.ids import GameId
from services.folded_games import FoldedGames
from tests.domain.game.table import Table


def test_games_used_last_are_kept() -> None:
    table = Table()
    games = FoldedGames(games_max=2)
    first, second, third = (msgspec.structs.replace(table.game, id=GameId(name)) for name in "abc")
    games.keep(first)
    games.keep(second)
    games.find(GameId("a"))

    games.keep(third)

    assert games.find(GameId("a")) == first
    assert games.find(GameId("b")) is None
