"""OPTIONS of every path: all its methods, where the framework would name those of the path's first operation alone."""

from collections.abc import Iterable

from litestar import HttpMethod, Response, route
from litestar.handlers import HTTPRouteHandler
from litestar.types import ControllerRouterHandler


def build_options_routes(routes: Iterable[ControllerRouterHandler]) -> tuple[HTTPRouteHandler, ...]:
    """Build the routes that answer OPTIONS. They stand before the routes that they tell of."""
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
