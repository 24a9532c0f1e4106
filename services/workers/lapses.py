"""Open games that do not fill lapse: a game in which nothing has happened for a day before its start is aborted.

A list only names candidates; the abort is decided on the game's own log.
"""

from collections.abc import Awaitable, Callable, Sequence

from domain.derived_ids import derive_command
from domain.game.commands import GameCommand
from domain.game.events import GameAborted
from domain.game.state import Game
from domain.ids import GameId
from domain.log.actors import ByOperator

# Players of one table may live anywhere; a day has an evening for each of them. Every change in the game counts anew.
OPEN_MS_MAX = 24 * 3_600_000
# Aborted at one look, so that tournaments are not kept waiting where thousands of games were left behind.
LAPSES_MAX = 100

# Names open games of no tournament, in which nothing has happened since a time.
ListOpenSince = Callable[[int], Awaitable[Sequence[GameId]]]


def has_lapsed(game: Game, now_ms: int) -> bool:
    return game.status == "open" and now_ms - game.at_ms > OPEN_MS_MAX


def build_lapse(game: GameId, *, at_ms: int) -> GameCommand:
    return GameCommand(
        id=derive_command(game, "lapse"),
        stream=game,
        at_ms=at_ms,
        actor=ByOperator(),
        event=GameAborted(reason="Nothing has happened in it for 24 hours before its start."),
    )
