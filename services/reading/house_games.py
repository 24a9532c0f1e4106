"""The house games: open and running games in which house bots are called, play, or may stand in."""

import msgspec

from infra.projection_store import ROWS_MAX, Projections, Sought
from projections.lobby import HOUSED, LOBBY, LobbyGame

# Later than any delay: the house sees its games as they stand.
_ALWAYS_MS = 2**62


async def list_house_games(projections: Projections, label: str = HOUSED) -> list[LobbyGame]:
    """List the games in which a bot has a seat now, or those of another label."""
    sought = Sought(labels=(label,), or_labels=(label,), before=None, now_ms=_ALWAYS_MS)
    rows = await projections.list_owners(LOBBY.name, sought, limit=ROWS_MAX)
    return [msgspec.json.decode(row.body, type=LobbyGame) for row in rows]
