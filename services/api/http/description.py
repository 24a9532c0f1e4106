"""The API's own description: OpenAPI 3.1, with the socket in words, and schemas as client generators know them.

The words of the socket must agree with `services/live/messages.py`; a test reads every example as its reader would.
"""

import asyncio
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields
from typing import Any, get_args

import msgspec
from litestar import Litestar, Response, Router
from litestar.handlers import HTTPRouteHandler
from litestar.openapi.config import OpenAPIConfig
from litestar.openapi.plugins import JsonRenderPlugin
from litestar.openapi.spec import Components, OpenAPI, SecurityScheme
from msgspec import Struct

from infra.version import VERSION
from services.api.http.answering import PUBLIC, AnyRequest
from services.api.http.costs import COSTS, PLAIN
from services.api.http.documented import JSON, TOKEN_SCHEME, TOKEN_TAKEN, Described
from services.api.http.field_words import describe_structs, read_general_table
from services.api.http.ready import Ready, answer_ready, build_ready
from services.api.http.ruleset_schemas import HELD, PREFIX, describe_rulesets
from services.api.http.simple_schemas import add_times, discriminate, simplify
from services.live.messages import CLOSE_CODES, Deed

MEDIA_TYPE = "application/vnd.oai.openapi+json"
MEANINGS = {
    "over": "nothing more can happen in this game",
    "restarting": "come again in a moment, with the last version you have",
    "too-many": "come again later, or to another server",
    "failed": "our fault; come again",
    "refused": "the message is no command",
    "revoked": "your token has ended",
    "not-found": "no such game, or not for you any more",
    "slow": "too far behind; come again, and read on from the last version you have",
}
SOCKET_GUIDE = f"""\
## The socket

`/v1/games/{{game}}/socket` is a WebSocket over which a game is followed and played: text messages, one JSON object
each. `?after=57` goes on after a version. A token goes into the header as ever; a browser brings `?ticket=` instead,
once, from `POST /v1/tickets`. The server sends the frames of `…/live` (the first has the whole board, each further one
a merge patch), and beside them messages with a `type`:

```
{{"version":57,"line":{{"type":"lap_completed"}},"board":{{"board":{{"lap":2}}}}}}
{{"type":"heartbeat","version":57}}
{{"type":"presence","readers":12}}
{{"type":"seat_changed","seat":1}}
{{"type":"answer","request":1,"answer":{{"last_version":58}}}}
{{"type":"problem","request":2,"problem":{{"type":"urn:spina:problem:not-your-seat","status":403}}}}
{{"type":"end","reason":"over"}}
```

After `seat_changed` the next frame has the whole board. A client sends the body of a `POST` to
`/v1/games/{{game}}/{{do}}`, with a number that comes back with the answer; the next one is read when that one is
answered:

```
{{"request":1,"do":"resign","body":{{"command":"00000000-0000-4000-8000-000000000001","seat":0}}}}
```

`do` is one of {", ".join(f"`{deed}`" for deed in get_args(Deed))} or `previews`. A close says why:

| code | reason | |
|---|---|---|
{"".join(f"| {code} | `{reason}` | {MEANINGS[reason]} |{chr(10)}" for reason, code in CLOSE_CODES.items())}
A reader that is refused gets a `problem` and then 4000 plus its status, or 1013 where it may come again; 1009 is for a
message longer than any command.
"""
DESCRIPTION = """\
A game server whose every result can be proven.

Public reads need no token. A command carries an id of the client's choosing; the same command sent again,
after a lost answer, gets the first answer again. A refusal is an RFC 9457 problem, whose `type` is stable; its `link`
leads to an entry of `GET /v1/problems`, with the meaning and the next step.

A request costs the units of its operation's `x-cost`. `ratelimit-policy` has the limits of an account and of a network,
as `q` units within `w` seconds; `ratelimit` has the `r` units that the network has left, and after how many seconds `t`
it has all of them again.

To play: make an account, open a game or find one, take a seat, get ready. Then read the game with your token, and
answer each decision in `choices`, which has all its legal answers. `RulesetBoard`, `RulesetChoices` and
`RulesetAction` lead to the schemas of each ruleset; the `hint` among the `words` of `GET /v1/rulesets` is an answer
that is always legal.
"""


class Document(OpenAPI):
    """An OpenAPI document, with the bodies of all requests."""

    bodies: Sequence[type[Struct]] = ()
    # The types of all answers.
    answers: Sequence[Any] = ()

    def to_schema(self) -> dict[str, Any]:
        written = super().to_schema()
        _, bodies = msgspec.json.schema_components(self.bodies, ref_template=f"{PREFIX}{{name}}")
        rulesets = describe_rulesets()
        schemas = written["components"]["schemas"] | bodies
        assert not schemas.keys() & rulesets.keys(), schemas.keys() & rulesets.keys()
        for holder, field, schema in HELD:
            assert field in schemas[holder]["properties"], f"{holder} has no {field}"
            schemas[holder]["properties"][field] = schema
        schemas = describe_structs(schemas, (*self.bodies, *self.answers), [read_general_table()])
        named = {name: _name(name, add_times(each)) for name, each in (schemas | rulesets).items()}
        written["components"]["schemas"] = named
        for path in written["paths"].values():
            for operation in path.values():
                _describe_body(operation, named)
                operation["x-cost"] = COSTS.get(operation["operationId"], PLAIN)
        simple = simplify(written)
        discriminated: dict[str, Any] = discriminate(simple, simple["components"]["schemas"])
        return discriminated


def _name(name: str, schema: dict[str, Any]) -> dict[str, Any]:
    """Give a component the title by which generators name a class, as unique as its own name."""
    return {**schema, "title": name}


def _describe_body(operation: dict[str, Any], schemas: dict[str, Any]) -> None:
    """Give a body without words of its own those of its operation."""
    schema = operation.get("requestBody", {}).get("content", {}).get(JSON, {}).get("schema", {})
    body = schemas.get(schema.get("$ref", "").removeprefix(PREFIX), {})
    body.setdefault("description", f"The body of `{operation['operationId']}`: {operation['summary'].lower()}.")


@dataclass
class Description(OpenAPIConfig):
    """The settings of the description; `bodies` are of all requests, `answers` of all responses."""

    bodies: Sequence[type[Struct]] = ()
    answers: Sequence[Any] = ()

    def to_openapi_schema(self) -> OpenAPI:
        plain = super().to_openapi_schema()
        document = Document(**{field.name: getattr(plain, field.name) for field in fields(plain)})
        document.bodies, document.answers = self.bodies, self.answers
        return document


class ReadyDescription:
    """The description as an answer: built when it is first asked for, and then kept encoded and packed."""

    def __init__(self) -> None:
        self._ready: Ready | None = None
        self._turn = asyncio.Lock()

    async def answer(self, request: AnyRequest) -> Response[Any]:
        async with self._turn:
            # It takes a second of a processor, in which the loop has other callers.
            if self._ready is None:
                self._ready = await asyncio.to_thread(_build_ready, request.app)
        return answer_ready(request, self._ready, {"cache-control": PUBLIC})


def _build_ready(app: Litestar) -> Ready:
    return build_ready(msgspec.json.encode(app.openapi_schema.to_schema()), MEDIA_TYPE)


def build_description(routes: Iterable[Any]) -> OpenAPIConfig:
    """Build the description of these routes."""
    handlers = [route for route in routes if isinstance(route, HTTPRouteHandler)]
    classes = [handler.operation_class for handler in handlers]
    bodies = [body for cls in classes if issubclass(cls, Described) for body in cls.bodies]
    return Description(
        # Generators name a package after it, and `spina_client` is ours.
        title="Spina API",
        version=VERSION,
        description=f"{DESCRIPTION}\n{SOCKET_GUIDE}",
        render_plugins=[JsonRenderPlugin(path=("/", "/openapi.json"))],
        # Its answer stands for that of the framework, which would build it on the loop.
        openapi_router=Router(
            "/v1/openapi.json", route_handlers=[], include_in_schema=False, before_request=ReadyDescription().answer
        ),
        components=Components(
            security_schemes={
                TOKEN_SCHEME: SecurityScheme(
                    type="http", scheme="bearer", description="Given once, by `POST /v1/players`."
                )
            }
        ),
        security=TOKEN_TAKEN,
        bodies=list(dict.fromkeys(bodies)),
        answers=[
            response.data_container
            for handler in handlers
            for response in (handler.responses or {}).values()
            if response.data_container is not None
        ],
    )
