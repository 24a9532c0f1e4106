"""The house games: open and running games for which house bots are called."""

import msgspec

from infra.projection_store import ROWS_MAX, Projections, Sought
from projections.lobby import HOUSED, LOBBY, LobbyGame

# Later than any delay: the house sees its games as they stand.
_ALWAYS_MS = 2**62


async def list_house_games(projections: Projections) -> list[LobbyGame]:
    sought = Sought(labels=(HOUSED,), or_labels=(HOUSED,), before=None, now_ms=_ALWAYS_MS)
    rows = await projections.list_owners(LOBBY.name, sought, limit=ROWS_MAX)
    return [msgspec.json.decode(row.body, type=LobbyGame) for row in rows]
