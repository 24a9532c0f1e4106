"""Games that do not go on lapse: they are aborted a while after the last change in them.

These are the games before their start, and those without a clock; among players alone such a game has a month.

A list only names candidates; the abort is decided on the game's own log.
"""

from collections.abc import Awaitable, Callable, Sequence

from domain.derived_ids import derive_command
from domain.game.commands import GameCommand
from domain.game.events import CLOCK_MS_MAX, GameAborted, HouseOffer
from domain.game.state import Game, Held
from domain.ids import GameId
from domain.log.actors import ByOperator

# Players of one table may live anywhere; a day has an evening for each of them. Every change in the game counts anew.
OPEN_MS_MAX = 24 * 3_600_000
# A table with house bots whose player does not come: its bots wait beside it, and those of others come later.
HOUSE_OPEN_MS = 30 * 60_000
# Players who wait for each other without a clock: as long as the longest clock gives for one decision.
LEFT_MS_MAX = CLOCK_MS_MAX
# Enough to come back to a page that was left open. A game by post has the time of one decision, up to a day.
READY_MS_MIN = 5 * 60_000
# Aborted at one look, so that tournaments are not kept waiting where thousands of games were left behind.
LAPSES_MAX = 100

# Names open games of no tournament whose time seems to be over.
ListLapsing = Callable[[], Awaitable[Sequence[GameId]]]


def find_time_ms(
    per_decision_ms: int | None, *, is_readied: bool, is_among_players: bool, waits_beside_house: bool
) -> int:
    """Return the time after the last change. A ready seat has shown a link, so that no seat beside it can be freed."""
    if is_among_players:
        return LEFT_MS_MAX
    if waits_beside_house:
        return HOUSE_OPEN_MS
    if not is_readied or per_decision_ms is None:
        return OPEN_MS_MAX
    return min(max(READY_MS_MIN, per_decision_ms), OPEN_MS_MAX)


def build_lapse(game: Game, *, at_ms: int) -> GameCommand | None:
    """Build the command that aborts a game; None where the game goes on, or has time left."""
    held = [(seat, each) for seat, each in enumerate(game.seats) if isinstance(each, Held)]
    missing = [f"seat {seat}" for seat, each in held if not each.is_ready]
    is_readied = game.status == "open" and len(missing) < len(held)
    clock = game.opened.clock
    has_house = any(isinstance(offer, HouseOffer) for offer in game.offers)
    may_lapse = game.status == "open" or (game.status == "running" and clock is None)
    is_among_players = game.status == "running" and not has_house
    per_decision_ms = None if clock is None else clock.per_decision_ms
    waits_beside_house = game.status == "open" and has_house
    time_ms = find_time_ms(
        per_decision_ms,
        is_readied=is_readied,
        is_among_players=is_among_players,
        waits_beside_house=waits_beside_house,
    )
    if not may_lapse or at_ms - game.at_ms <= time_ms:
        return None
    span = "31 days" if is_among_players else "30 minutes" if waits_beside_house else "24 hours"
    idle = f"Nothing has happened in it for {span}."
    return GameCommand(
        id=derive_command(game.id, "lapse"),
        stream=game.id,
        at_ms=at_ms,
        actor=ByOperator(),
        event=GameAborted(
            reason=f"The others were ready, and waited for {', '.join(missing)}." if is_readied else idle
        ),
    )
