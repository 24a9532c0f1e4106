"""The API's own description: OpenAPI 3.1, with the socket in words, and schemas as client generators know them.

The words of the socket must agree with `services/live/messages.py`; a test reads every example as its reader would.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields
from inspect import getdoc
from typing import Any, get_args

import msgspec
from litestar import Response
from litestar.handlers import HTTPRouteHandler
from litestar.openapi.config import OpenAPIConfig
from litestar.openapi.plugins import JsonRenderPlugin
from litestar.openapi.spec import Components, OpenAPI, SecurityScheme
from msgspec import Struct

from infra.version import VERSION
from services.api.http.answering import PUBLIC, AnyRequest
from services.api.http.documented import TOKEN_SCHEME, TOKEN_TAKEN, Described
from services.api.http.ready import Ready, answer_ready, build_ready
from services.api.http.ruleset_schemas import HELD, PREFIX, describe_rulesets
from services.live.messages import CLOSE_CODES, Deed
from services.reading.shown import GameShown, OwedShown

# Answers whose members need words that no example gives.
WORDED: Sequence[type[Struct]] = (GameShown, OwedShown)
# In Python `$` also matches before a last newline, which our patterns refuse; in JSON Schema it does not.
BEFORE_NEWLINE = r"(?!\n)"

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
after a lost answer, gets the first answer again. A refusal is an RFC 9457 problem, whose `type` is stable.

To play: make an account, open a game or find one, take a seat, get ready. Then read the game with your token, and
answer each decision in `choices`, which has all its legal answers. `RulesetBoard`, `RulesetChoices` and
`RulesetAction` lead to the schemas of each ruleset; the `hint` among the `words` of `GET /v1/rulesets` is an answer
that is always legal.
"""


class Document(OpenAPI):
    """An OpenAPI document, with the bodies of all requests."""

    bodies: Sequence[type[Struct]] = ()

    def to_schema(self) -> dict[str, Any]:
        written = super().to_schema()
        _, bodies = msgspec.json.schema_components(self.bodies, ref_template=f"{PREFIX}{{name}}")
        rulesets = describe_rulesets()
        schemas = written["components"]["schemas"] | bodies
        assert not schemas.keys() & rulesets.keys(), schemas.keys() & rulesets.keys()
        for holder, field, schema in HELD:
            assert field in schemas[holder]["properties"], f"{holder} has no {field}"
            schemas[holder]["properties"][field] = schema
        for kind in WORDED:
            schemas[kind.__name__]["description"] = getdoc(kind)
        written["components"]["schemas"] = {name: _name(name, each) for name, each in (schemas | rulesets).items()}
        simple: dict[str, Any] = _simplify(written)
        return simple


def _name(name: str, schema: dict[str, Any]) -> dict[str, Any]:
    """Give a component the title by which generators name a class, as unique as its own name."""
    return {**schema, "title": name}


def _simplify(found: Any) -> Any:
    """Return a part of a document without the words of JSON Schema that most generators do not read."""
    if isinstance(found, list):
        return [_simplify(finding) for finding in found]
    if not isinstance(found, dict):
        return found
    simple = {word: _simplify(each) for word, each in found.items()}
    if simple.get("in") in {"query", "header"}:
        simple["schema"] = _without_null(simple["schema"])
    places = simple.get("prefixItems")
    if isinstance(places, list):
        del simple["prefixItems"]
        kinds = [place for number, place in enumerate(places) if place not in places[:number]]
        simple["items"] = kinds[0] if len(kinds) == 1 else {"anyOf": kinds}
    if isinstance(simple.get("pattern"), str):
        simple["pattern"] = simple["pattern"].removesuffix(BEFORE_NEWLINE)
    # A default with fields, beside the kind that has them.
    if "anyOf" in simple and isinstance(simple.get("default"), dict):
        del simple["default"]
    if isinstance(simple.get("enum"), list) and len(simple["enum"]) == 1:
        (simple["const"],) = simple.pop("enum")
    return simple


def _without_null(schema: dict[str, Any]) -> dict[str, Any]:
    """Return the schema of a parameter, which may be left out and is never null."""
    for word in ("oneOf", "anyOf"):
        kinds = [each for each in schema.get(word, ()) if each != {"type": "null"}]
        if len(kinds) == 1:
            rest = {name: each for name, each in schema.items() if name not in {word, "default"}}
            return {**kinds[0], **rest}
    if isinstance(schema.get("type"), list):
        (kind,) = (each for each in schema["type"] if each != "null")
        return {**schema, "type": kind, "enum": [each for each in schema["enum"] if each is not None]}
    return schema


@dataclass
class Description(OpenAPIConfig):
    """The settings of the description; `bodies` are of all requests."""

    bodies: Sequence[type[Struct]] = ()

    def to_openapi_schema(self) -> OpenAPI:
        plain = super().to_openapi_schema()
        document = Document(**{field.name: getattr(plain, field.name) for field in fields(plain)})
        document.bodies = self.bodies
        return document


class ReadyDescription(JsonRenderPlugin):
    """The description as an answer: encoded and packed once."""

    _ready: Ready | None = None

    def render(self, request: AnyRequest, openapi_schema: dict[str, Any]) -> Response[Any]:  # type: ignore[override]  # the framework takes an answer as well as bytes
        self._ready = self._ready or build_ready(self.render_json(request, openapi_schema), self.media_type)
        return answer_ready(request, self._ready, {"cache-control": PUBLIC})


def build_description(routes: Iterable[Any]) -> OpenAPIConfig:
    """Build the description of these routes."""
    classes = [route.operation_class for route in routes if isinstance(route, HTTPRouteHandler)]
    bodies = [body for cls in classes if issubclass(cls, Described) for body in cls.bodies]
    return Description(
        # Generators name a package after it, and `spina_client` is ours.
        title="Spina API",
        version=VERSION,
        description=f"{DESCRIPTION}\n{SOCKET_GUIDE}",
        path="/v1/openapi.json",
        render_plugins=[ReadyDescription(path=("/", "/openapi.json"))],
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
