"""The API's own description: OpenAPI 3.1, and pages over it that need no network."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields
from typing import Any

from litestar.handlers import HTTPRouteHandler
from litestar.openapi.config import OpenAPIConfig
from litestar.openapi.plugins import JsonRenderPlugin
from litestar.openapi.spec import Components, OpenAPI, SecurityScheme
from msgspec import Struct

from infra.version import VERSION
from services.api.documented import TOKEN_SCHEME, TOKEN_TAKEN, Described
from services.api.openapi_document import Document
from services.api.socket_guide import SOCKET_GUIDE

DESCRIPTION = """\
A game server whose every result can be proven.

Public reads need no token. A command carries an id of the client's choosing; the same command sent again,
after a lost answer, gets the first answer again. A refusal is an RFC 9457 problem, whose `type` is stable.

To play: make an account, open a game or find one, take a seat, get ready. Then read the game with your token, and
where `owed` says that your seat is waited for, answer by one of the choices in the `board`. `RulesetBoard` and
`RulesetAction` lead to the schemas of each ruleset; the `hint` among the `words` of `GET /v1/rulesets` is an answer
that is always legal.
"""


@dataclass
class Description(OpenAPIConfig):
    """The settings of the description; `bodies` are of all requests."""

    bodies: Sequence[type[Struct]] = ()

    def to_openapi_schema(self) -> OpenAPI:
        plain = super().to_openapi_schema()
        document = Document(**{each.name: getattr(plain, each.name) for each in fields(plain)})
        document.bodies = self.bodies
        return document


def build_description(routes: Iterable[Any]) -> OpenAPIConfig:
    """Build the description of these routes."""
    classes = [route.operation_class for route in routes if isinstance(route, HTTPRouteHandler)]
    bodies = [body for each in classes if issubclass(each, Described) for body in each.bodies]
    return Description(
        title="Spina",
        version=VERSION,
        description=f"{DESCRIPTION}\n{SOCKET_GUIDE}",
        path="/v1/openapi.json",
        render_plugins=[JsonRenderPlugin(path="/")],
        components=Components(
            security_schemes={
                TOKEN_SCHEME: SecurityScheme(
                    type="http", scheme="bearer", description="Given once, by `POST /v1/players`."
                )
            }
        ),
        security=TOKEN_TAKEN,
        bodies=list(dict.fromkeys(bodies)),
    )
