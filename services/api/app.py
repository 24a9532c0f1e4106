"""The composition root of the API: puts the routes over the parts. Builds no connection itself."""

from collections.abc import Iterable, Sequence

from litestar import HttpMethod, Litestar, Response, route
from litestar.config.cors import CORSConfig
from litestar.datastructures import State
from litestar.di import Provide
from litestar.exceptions import NotFoundException
from litestar.handlers import HTTPRouteHandler
from litestar.types import ControllerRouterHandler
from msgspec import Struct

from services.api.accounts.account_events import follow_account
from services.api.accounts.calendar_feed import read_calendar
from services.api.accounts.codes import add_code
from services.api.accounts.declines import DECLINE_ROUTES
from services.api.accounts.kept_links import LINK_ROUTES
from services.api.accounts.mails import MAIL_ROUTES
from services.api.accounts.own_account import export_account, forget_account, rename_player
from services.api.accounts.own_games import read_own_games
from services.api.accounts.passkeys import PASSKEY_ROUTES
from services.api.accounts.player_records import read_player, read_player_games
from services.api.accounts.players import read_account, register_player
from services.api.accounts.sessions import sign_in, sign_out
from services.api.accounts.tokens import add_token, list_tokens, revoke_tokens
from services.api.accounts.ways import WAY_ROUTES
from services.api.games.bundles import AUDITS_STATE, BUNDLE_ROUTES
from services.api.games.courses import COURSE_ROUTES
from services.api.games.events import read_chronicle, read_events
from services.api.games.game_inputs import GAME_COMMAND_ROUTES
from services.api.games.game_page import EMBEDDERS_STATE, GAME_PAGE_ROUTES
from services.api.games.games import open_game, read_boards, read_game
from services.api.games.ledger import LEDGER_ROUTES, LEDGER_STATE
from services.api.games.live import LIVE_ROUTES, LIVE_STATE, Live
from services.api.games.lobby import list_games
from services.api.games.previews import preview_action
from services.api.games.rematch import open_rematch
from services.api.games.rulesets import list_rulesets
from services.api.http.authentication import provide_caller, provide_part
from services.api.http.description import build_description
from services.api.http.guarding import RequireJson, add_security_headers
from services.api.http.health import HEALTH_STATE, Probes, SharedHealth, get_health
from services.api.http.meters import METRICS_STATE, MetricsPage, get_metrics
from services.api.http.parts import PARTS_STATE, PROVIDERS, Parts
from services.api.http.problem_catalogue import PROBLEM_ROUTES
from services.api.http.problems import REQUEST_BYTES_MAX
from services.api.http.refusals import EXCEPTIONS
from services.api.http.wrapping import list_operations
from services.api.pages.pages import read_page, read_script
from services.api.pages.web import PAGE_ROUTES, on_not_found
from services.api.tournaments.ruling_previews import preview_ruling, read_ruling_forms
from services.api.tournaments.tournament_bundles import read_tournament_bundle
from services.api.tournaments.tournament_exports import EXPORT_ROUTES
from services.api.tournaments.tournament_inputs import TOURNAMENT_COMMAND_ROUTES
from services.api.tournaments.tournament_list import list_tournaments
from services.api.tournaments.tournament_opening import open_tournament
from services.api.tournaments.tournaments import READ_ROUTES
from services.audits.own_audits import OwnAudits
from services.ledger.public_ledger import PublicLedger

ROUTES: Sequence[ControllerRouterHandler] = (
    get_health,
    *PROBLEM_ROUTES,
    read_page,
    read_script,
    *PAGE_ROUTES,
    *GAME_PAGE_ROUTES,
    register_player,
    read_account,
    list_tokens,
    add_token,
    revoke_tokens,
    add_code,
    sign_in,
    sign_out,
    rename_player,
    export_account,
    forget_account,
    *WAY_ROUTES,
    *DECLINE_ROUTES,
    *LINK_ROUTES,
    *MAIL_ROUTES,
    read_calendar,
    read_own_games,
    read_player,
    read_player_games,
    list_rulesets,
    *COURSE_ROUTES,
    list_games,
    open_game,
    read_game,
    open_rematch,
    read_boards,
    read_events,
    read_chronicle,
    *GAME_COMMAND_ROUTES,
    preview_action,
    list_tournaments,
    open_tournament,
    *READ_ROUTES,
    *EXPORT_ROUTES,
    *TOURNAMENT_COMMAND_ROUTES,
    preview_ruling,
    read_ruling_forms,
)
ALL_ROUTES: Sequence[ControllerRouterHandler] = (
    *ROUTES,
    *LIVE_ROUTES,
    *PASSKEY_ROUTES,
    follow_account,
    *LEDGER_ROUTES,
    *BUNDLE_ROUTES,
    read_tournament_bundle,
    get_metrics,
)
# Requests and answers open to a page of another origin, where any are.
CORS_REQUEST_HEADERS = ["authorization", "content-type", "if-none-match", "last-event-id"]
CORS_ANSWER_HEADERS = ["etag", "link", "ratelimit", "ratelimit-policy", "retry-after"]
# Browsers keep a permission for two hours at most.
CORS_AGE_S = 7200


def build_options_routes(routes: Iterable[ControllerRouterHandler]) -> tuple[HTTPRouteHandler, ...]:
    """Build the routes that answer OPTIONS. They stand before the routes that they describe."""
    methods: dict[str, set[str]] = {}
    for each in routes:
        if isinstance(each, HTTPRouteHandler):
            for path in each.paths:
                methods.setdefault(path, {"OPTIONS"}).update(each.http_methods)
    return tuple(_build_route(path, of_path) for path, of_path in methods.items())


def _build_route(path: str, methods: set[str]) -> HTTPRouteHandler:
    # HEAD is answered wherever GET is.
    allow = ", ".join(sorted(methods | ({"HEAD"} if "GET" in methods else set())))

    @route(path, http_method=HttpMethod.OPTIONS, status_code=204, include_in_schema=False)
    async def tell_methods() -> Response[None]:
        return Response(None, status_code=204, headers={"allow": allow})

    return tell_methods


class Offered(Struct, frozen=True, kw_only=True):
    """Services beside games; each part that is left out takes its routes with it."""

    live: Live | None = None
    ledger: PublicLedger | None = None
    audits: OwnAudits | None = None
    metrics: MetricsPage | None = None

    def list_routes(self) -> Sequence[ControllerRouterHandler]:
        return (
            *(() if self.live is None else (*LIVE_ROUTES, *PASSKEY_ROUTES, follow_account)),
            *(() if self.ledger is None else LEDGER_ROUTES),
            *(() if self.audits is None else (*BUNDLE_ROUTES, read_tournament_bundle)),
            *(() if self.metrics is None else (get_metrics,)),
        )


def build_app(
    *, probes: Probes, parts: Parts, offered: Offered | None = None, cors_origins: Sequence[str] = ()
) -> Litestar:
    """Build the app, with games alone unless more is offered."""
    offered = offered or Offered()
    routes = (*ROUTES, *offered.list_routes())
    return Litestar(
        route_handlers=(*build_options_routes(routes), *routes),
        state=build_state(probes=probes, parts=parts, offered=offered, cors_origins=cors_origins),
        dependencies={
            **{name: Provide(provide) for name, provide in PROVIDERS.items()},
            "caller": Provide(provide_caller),
            "ledger": provide_part(LEDGER_STATE),
            "audits": provide_part(AUDITS_STATE),
        },
        exception_handlers={**EXCEPTIONS, NotFoundException: on_not_found},
        middleware=[RequireJson()],
        before_send=[add_security_headers],
        cors_config=_build_cors(cors_origins) if cors_origins else None,
        request_max_body_size=REQUEST_BYTES_MAX,
        openapi_config=build_description(routes),
        # The program configures logging once, for everything that runs in it.
        logging_config=None,
    )


def build_state(*, probes: Probes, parts: Parts, offered: Offered, cors_origins: Sequence[str] = ()) -> State:
    """Build the values that the routes of one app find by their names."""
    return State(
        {
            HEALTH_STATE: SharedHealth(probes),
            PARTS_STATE: parts,
            LIVE_STATE: offered.live,
            LEDGER_STATE: offered.ledger,
            AUDITS_STATE: offered.audits,
            METRICS_STATE: offered.metrics,
            EMBEDDERS_STATE: tuple(cors_origins),
        }
    )


def list_all_operations() -> set[str]:
    """List the operations of an app that offers every service."""
    return list_operations(ALL_ROUTES)


def _build_cors(origins: Sequence[str]) -> CORSConfig:
    return CORSConfig(
        allow_origins=list(origins),
        allow_methods=["GET", "POST"],
        allow_headers=CORS_REQUEST_HEADERS,
        expose_headers=CORS_ANSWER_HEADERS,
        max_age=CORS_AGE_S,
    )
