"""The costs of operations, in requests: an operation that works for milliseconds counts as many plain ones.

Every operation that is not listed costs 1. docs/security.md has the same table, which a test compares.
"""

from collections.abc import Mapping
from typing import Any

from litestar.handlers import HTTPRouteHandler, WebsocketRouteHandler

COSTS: Mapping[str, int] = {
    # Up to 64 boards, each folded and shown.
    "read_boards": 10,
    "read_chronicle": 4,
    # A shuffle, a course and a first board.
    "open_game": 10,
    "open_rematch": 10,
    "open_tournament": 10,
    # Work of seconds on another core.
    "read_audit": 20,
    "read_tournament_bundle": 20,
    "read_bundle": 5,
    "export_tournament": 5,
    # The rules play on from the board.
    "preview_action": 2,
    "preview_ruling": 5,
    # Some hundred games of an account.
    "export_account": 10,
    # A connection for hours.
    "follow_game": 4,
    "follow_account": 4,
}
# A socket has no operation of its own.
SOCKET_COST = 4


def find_cost(handler: Any) -> int:
    """Return the cost of a route's request."""
    if isinstance(handler, WebsocketRouteHandler):
        return SOCKET_COST
    return COSTS.get(str(handler.operation_id), 1) if isinstance(handler, HTTPRouteHandler) else 1
