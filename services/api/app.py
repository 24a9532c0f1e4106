"""The composition root of the API: takes what was built and puts the routes over it. Builds no connection itself."""

from litestar import Litestar
from litestar.datastructures import State
from litestar.exceptions import HTTPException
from litestar.openapi.config import OpenAPIConfig
from litestar.openapi.plugins import JsonRenderPlugin

from services.api.health import PROBES_STATE, Probes, get_health
from services.api.problems import REQUEST_BYTES_MAX, on_http_exception, on_recursion, on_unexpected_exception
from services.version import VERSION


def build_app(*, probes: Probes) -> Litestar:
    return Litestar(
        route_handlers=[get_health],
        state=State({PROBES_STATE: probes}),
        exception_handlers={
            HTTPException: on_http_exception,
            RecursionError: on_recursion,
            Exception: on_unexpected_exception,
        },
        request_max_body_size=REQUEST_BYTES_MAX,
        openapi_config=OpenAPIConfig(
            title="Spina",
            version=VERSION,
            description="A game server whose every result can be proven.",
            path="/v1/openapi.json",
            render_plugins=[JsonRenderPlugin(path="/")],
        ),
        # The program configures logging once, for everything that runs in it.
        logging_config=None,
    )
