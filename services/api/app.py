"""The composition root of the API: takes what was built and puts the routes over it. Builds no connection itself."""

from collections.abc import Sequence

from litestar import Litestar
from litestar.config.cors import CORSConfig
from litestar.datastructures import State
from litestar.di import Provide
from litestar.exceptions import HTTPException
from litestar.types import ControllerRouterHandler, ExceptionHandlersMap

from domain.rejection import Rejection
from infra.store_faults import StoreUnavailable
from services.api.actions import play_action, reveal_action, seal_action
from services.api.authentication import provide_caller
from services.api.boards import read_boards
from services.api.bodies import BodyRefused, FieldRefused
from services.api.description import build_description
from services.api.events import read_events
from services.api.games import open_game, read_game
from services.api.guarding import RequestsUnderWay, add_security_headers, require_json
from services.api.health import PROBES_STATE, Probes, get_health
from services.api.lobby import list_games
from services.api.pages import read_page, read_script
from services.api.parts import PARTS_STATE, Parts, provide_parts
from services.api.players import register_player
from services.api.previews import preview_action
from services.api.problems import REQUEST_BYTES_MAX, on_http_exception, on_recursion, on_unexpected_exception
from services.api.rates import TooManyRequests
from services.api.refusals import (
    on_body_refused,
    on_contended,
    on_field_refused,
    on_rejection,
    on_store_unavailable,
    on_too_many_requests,
    on_too_many_waiting,
)
from services.api.rulesets import list_rulesets
from services.api.rulings import abort_game, rule
from services.api.seats import leave_seat, ready_seat, resign, take_seat
from services.arena import GameContended
from services.game_turns import TooManyWaiting

ROUTES: Sequence[ControllerRouterHandler] = (
    get_health,
    read_page,
    read_script,
    register_player,
    list_rulesets,
    list_games,
    open_game,
    read_game,
    read_boards,
    read_events,
    take_seat,
    ready_seat,
    leave_seat,
    resign,
    play_action,
    seal_action,
    reveal_action,
    preview_action,
    rule,
    abort_game,
)
EXCEPTIONS: ExceptionHandlersMap = {
    HTTPException: on_http_exception,
    Rejection: on_rejection,
    BodyRefused: on_body_refused,
    FieldRefused: on_field_refused,
    StoreUnavailable: on_store_unavailable,
    GameContended: on_contended,
    TooManyWaiting: on_too_many_waiting,
    TooManyRequests: on_too_many_requests,
    RecursionError: on_recursion,
    Exception: on_unexpected_exception,
}
# What a page of another origin may send and read, where it may at all.
CORS_REQUEST_HEADERS = ["authorization", "content-type", "if-none-match", "last-event-id"]
CORS_ANSWER_HEADERS = ["etag", "link", "retry-after"]
# Browsers keep a permission for two hours at most.
CORS_AGE_S = 7200


def build_app(*, probes: Probes, parts: Parts, cors_origins: Sequence[str] = ()) -> Litestar:
    return Litestar(
        route_handlers=ROUTES,
        state=State({PROBES_STATE: probes, PARTS_STATE: parts}),
        dependencies={"parts": Provide(provide_parts), "caller": Provide(provide_caller)},
        exception_handlers=EXCEPTIONS,
        guards=[require_json],
        middleware=[RequestsUnderWay()],
        before_send=[add_security_headers],
        cors_config=_build_cors(cors_origins) if cors_origins else None,
        request_max_body_size=REQUEST_BYTES_MAX,
        openapi_config=build_description(),
        # The program configures logging once, for everything that runs in it.
        logging_config=None,
    )


def _build_cors(origins: Sequence[str]) -> CORSConfig:
    return CORSConfig(
        allow_origins=list(origins),
        allow_methods=["GET", "POST"],
        allow_headers=CORS_REQUEST_HEADERS,
        expose_headers=CORS_ANSWER_HEADERS,
        max_age=CORS_AGE_S,
    )
