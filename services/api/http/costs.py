"""The prices of requests, in units of processor time.

`spina bench routes` measures every route and fails where an answer takes more than its price; docs/security.md has the
same table, which a test compares.
"""

from collections.abc import Mapping
from typing import Any

from litestar.handlers import HTTPRouteHandler, WebsocketRouteHandler

from domain.canonical import encode

# The processor time of a unit, in answers to a request without a route: 2 ms on the machine of docs/speed.md, so that
# the 200 units a second of a network take less than half of a processor.
UNIT_PLAINEST = 12
# Of every operation, page and refusal that is not listed.
PLAIN = 1
# By operation; a page's file has a path and no operation.
COSTS: Mapping[str, float] = {
    # Bytes that are kept ready.
    "read_web_file": 0.1,
    # Four megabytes, for callers that take nothing packed.
    "read_docs_script": 4,
    # A race is folded for its card.
    "read_game_page": 2,
    "read_embedded_page": 2,
    # A board is drawn point by point.
    "read_game_picture": 60,
    # Two proofs, with tiles of the tree hashed.
    "read_proof": 2,
    # Up to 64 boards, each folded and shown.
    "read_boards": 15,
    "read_chronicle": 10,
    # Five hundred lines, packed.
    "read_events": 3,
    # A shuffle, a course and a first board.
    "open_game": 10,
    "open_rematch": 10,
    "open_tournament": 10,
    # Work of seconds on another core.
    "read_audit": 20,
    "read_tournament_bundle": 20,
    "read_bundle": 5,
    "export_tournament": 5,
    # A course is drawn, and driven past its obstacles.
    "check_course": 40,
    "keep_course": 40,
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
# Files of the pages are answered from memory, and cost that before their route is known.
FILES_PATH = "/web/"
# Rows of a list, those included that its caller may not see: 20 microseconds each, ten times as many where one is new.
ROWS_A_UNIT = 25
# Options of a game. The largest is a course of one's own, which is drawn and driven: of 7 KB it takes some 35 units.
OPTION_BYTES_A_UNIT = 200
# In a request's scope: units that its network has paid, and units for work that was known only when it was done.
_PAID, _OWED = "spina.paid", "spina.owed"


def find_cost(handler: Any) -> float:
    """Return the price of a route's request; of a request without a route as well, which is refused."""
    if isinstance(handler, WebsocketRouteHandler):
        return SOCKET_COST
    return COSTS.get(str(handler.operation_id), PLAIN) if isinstance(handler, HTTPRouteHandler) else PLAIN


def begin_paying(scope: Any) -> float:
    """Return the units to pay before the route is known."""
    paid = float(COSTS["read_web_file"] if scope["path"].startswith(FILES_PATH) else PLAIN)
    scope[_PAID] = paid
    return paid


def find_unpaid(scope: Any) -> float:
    """Return the units to pay once the route is known, and note them as paid."""
    cost, paid = find_cost(scope.get("route_handler")), float(scope.get(_PAID, 0))
    scope[_PAID] = max(cost, paid)
    return cost - paid


def owe(scope: Any, units: float) -> None:
    """Note work that was known only when it was done."""
    scope[_OWED] = scope.get(_OWED, 0) + units


def owe_options(scope: Any, options: Mapping[str, Any]) -> None:
    """Note the work for the options of a game; also of a request that is refused afterwards."""
    owe(scope, len(encode(options)) / OPTION_BYTES_A_UNIT)


def find_debt(scope: Any) -> float:
    """Return the units to pay after the answer: of a route that does not ask for its caller, and owed ones."""
    return max(0.0, find_unpaid(scope)) + float(scope.get(_OWED, 0))
