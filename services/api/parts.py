"""What the routes work with, built elsewhere and passed in."""

import asyncio
from collections.abc import Callable

from litestar.datastructures import State
from msgspec import Struct, field

from domain.rulesets.catalogue import Catalogue
from infra.event_store import EventStore
from infra.hint_source import HintSource
from infra.postgres.accounts import Accounts
from infra.postgres.opened_games import OpenedGames
from services.api.known_tokens import KnownTokens
from services.api.rates import Rates
from services.arena import Arena
from services.histories import Histories

PARTS_STATE = "parts"


class Parts(Struct, frozen=True, kw_only=True):
    """`stopping` is set when the server is about to end: whoever waits gives up at once."""

    arena: Arena
    histories: Histories
    store: EventStore
    accounts: Accounts
    opened_games: OpenedGames
    tokens: KnownTokens
    rates: Rates
    catalogue: Catalogue
    # What tells readers of this process that a game has moved.
    hints: HintSource
    now_ms: Callable[[], int]
    random_bytes: Callable[[int], bytes]
    stopping: asyncio.Event = field(default_factory=asyncio.Event)


async def provide_parts(state: State) -> Parts:
    """Hand the parts to a route; they are the same for the whole life of the app."""
    parts: Parts = state[PARTS_STATE]
    return parts
