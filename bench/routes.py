"""The processor time of an answer of each route, beside its price: a price that is too low fails the measurement.

The routes are those of the app, so that a new one joins by itself. Strangers, players and organisers ask, of whom the
dearest counts. The request's own steps are measured: the database and audits have processors of their own.
"""

import json
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from litestar import Litestar
from litestar.handlers import HTTPRouteHandler
from litestar.types import ASGIApp
from msgspec import Struct
from msgspec.structs import replace

from bench.asking import Answered, ask
from bench.figures import Asked, Figures, Row
from bench.mover import Driver
from bench.route_values import ROUTE_VALUES
from domain.ids import GameId, StreamId
from infra.settings import Settings
from infra.uuid7 import build_uuid7
from services.api.http.costs import PLAIN, UNIT_PLAINEST, find_cost
from services.api.http.parts import PARTS_STATE, Parts
from services.api.tournaments.tournament_examples import OPEN_EXAMPLE
from services.node.accounts import made_by_owner
from services.node.serving import built
from services.node.steady_clock import read_clock_ms

CPU, PRICE, PER_UNIT, STATUS, SIZE = "ms", "price", "times a unit", "status", "kB"
# The measure of a unit: the answer to this request, in the same run on the same machine.
PLAINEST = "no such path"
# The least of so many rounds, on a machine with other work.
ROUNDS = 3
# Hidden from outsiders for longer than the measurement takes.
DELAY_S = 300
DELAYED_GAMES = 60
# A caller chooses whether an answer is packed.
ENCODINGS: Sequence[Mapping[str, str]] = ({"accept-encoding": "gzip"}, {})
# OPTIONS is answered alike everywhere: by one route of these for all.
OPTIONS_PATH = "/v1/games"


class Request(Struct, frozen=True, kw_only=True):
    method: str
    path: str
    price: float = PLAIN
    heads: Mapping[str, str] = {}
    bodies: Sequence[Mapping[str, Any]] = ()


# Requests that meet no route, or no answer; heads at their bounds.
ODD = {
    "no such path": Request(method="GET", path="/nothing/here"),
    "no such path, for a browser": Request(method="GET", path="/nothing", heads={"accept": "text/html"}),
    "no such path, a long accept": Request(method="GET", path="/nothing", heads={"accept": "a/b;q=0.5," * 102}),
    "a longer accept": Request(method="GET", path="/nothing", heads={"accept": "a/b;q=0.5," * 2_000}),
    "a long path": Request(method="GET", path="/a" * 510),
    "a long query": Request(method="GET", path="/v1/games?" + "&".join(f"x{place}=1" for place in range(580))),
    "many cookies": Request(
        method="GET", path="/v1/account", heads={"cookie": "a=b; " * 1_600, "authorization": "Session player"}
    ),
    "many fields": Request(method="GET", path="/v1/games", heads={f"x-{place}": "1" for place in range(90)}),
    "no such method": Request(method="POST", path="/v1/rulesets"),
    "a value that is not allowed": Request(method="GET", path="/v1/games?limit=none"),
    "a page of one": Request(method="GET", path="/v1/games?status=finished&limit=1"),
}


class Stage(Struct, frozen=True, kw_only=True):
    """A server with games and a tournament, and the values of the parameters of its routes."""

    app: ASGIApp
    routes: Litestar
    organiser: str
    values: Mapping[str, str] = {}

    async def register(self) -> str:
        made = await ask(self.app, "POST", "/v1/players", body=b'{"name":"Ada"}')
        return str(json.loads(made.body)["token"])

    async def read(self, path: str, token: str = "") -> Any:
        return json.loads((await ask(self.app, "GET", path, heads=_bearer(token))).body)

    async def post(self, token: str, path: str, body: Mapping[str, Any]) -> Answered:
        content = json.dumps({"command": build_uuid7(read_clock_ms()), **body}).encode()
        return await ask(self.app, "POST", path, body=content, heads=_bearer(token))


async def measure(asked: Asked) -> list[Figures]:
    with tempfile.TemporaryDirectory(prefix="spina-bench-") as folder:
        settings = Settings(data=Path(folder), rate_per_s=0, exhibition="off")
        async with built(settings) as server:
            parts: Parts = server.app.state[PARTS_STATE]
            made = await made_by_owner(settings, name="Organiser", role="organiser", by="spina bench")
            stage = Stage(app=server.served, routes=server.app, organiser=made.token)
            stage = await _furnish(stage, parts, moves=asked.size(400, 40))
            return [await measure_routes(stage, times=asked.size(10, 2))]


async def _furnish(stage: Stage, parts: Parts, *, moves: int) -> Stage:
    """Play a race, open delayed games and a tournament."""
    game, tournament = (GameId(StreamId(build_uuid7(read_clock_ms()))) for _ in range(2))
    driver = Driver(parts.games.arena, game)
    await driver.start(parts.games.catalogue)
    for _ in range(moves):
        if (await driver.move()).is_over:
            break
    token = await stage.register()
    for _ in range(DELAYED_GAMES):
        await stage.post(token, "/v1/games", {"ruleset": "chariot-race@1", "seats": 2, "delay_s": DELAY_S})
    await stage.post(stage.organiser, "/v1/tournaments", {**OPEN_EXAMPLE, "command": tournament})
    player = (await stage.read("/v1/account", token))["id"]
    course = (await stage.read("/v1/courses"))["items"][0]["hash"]
    named = {"game": game, "tournament": tournament, "player": player, "stream": game, "course": course}
    return replace(stage, values=ROUTE_VALUES | named)


async def measure_routes(stage: Stage, *, times: int, unit_plainest: float = UNIT_PLAINEST) -> Figures:
    """Measure every route and the odd requests; the dearest for its price comes first."""
    requests = {**dict(await list_requests(stage)), **ODD}
    measured = {name: await _measure(stage, request, times=times) for name, request in requests.items()}
    unit_ms = measured[PLAINEST][CPU] * unit_plainest
    rows = {name: {**row, PER_UNIT: row[CPU] / row[PRICE] / unit_ms} for name, row in measured.items()}
    return Figures(
        title=f"processor time of an answer, at most {unit_ms:.2f} ms for each unit of its price",
        rows=dict(sorted(rows.items(), key=lambda row: -row[1][PER_UNIT])),
        beyond=tuple(name for name, row in rows.items() if row[PER_UNIT] > 1),
    )


async def list_requests(stage: Stage) -> list[tuple[str, Request]]:
    described = (await stage.read("/v1/openapi.json"))["paths"]
    return [
        (
            f"{method} {path}",
            Request(
                method=method,
                path=path.format(**stage.values),
                price=find_cost(handler),
                bodies=_list_bodies(described.get(path, {}).get(method.lower(), {})),
            ),
        )
        for path, handler in _list_handlers(stage.routes)
        for method in sorted(handler.http_methods)
        if method != "OPTIONS" or path == OPTIONS_PATH
    ]


def _list_handlers(app: Litestar) -> Iterator[tuple[str, HTTPRouteHandler]]:
    for route in app.routes:
        for handler in getattr(route, "route_handlers", ()):
            if isinstance(handler, HTTPRouteHandler):
                yield str(route.path_format), handler


def _list_bodies(operation: Mapping[str, Any]) -> list[dict[str, Any]]:
    content = operation.get("requestBody", {}).get("content", {}).get("application/json", {})
    return [example["value"] for example in content.get("examples", {}).values()]


async def _measure(stage: Stage, request: Request, *, times: int) -> Row:
    rows = [
        await _measure_caller(stage, request, {**_bearer(token), **encoding}, times=times)
        for token in ("", await stage.register(), stage.organiser)
        for encoding in ENCODINGS
    ]
    return max(rows, key=lambda row: row[CPU])


async def _measure_caller(stage: Stage, request: Request, heads: Mapping[str, str], *, times: int) -> Row:
    """Measure a caller's answers, once they are warm."""
    heads, least_ms = {**heads, **request.heads}, float("inf")
    answered = await ask(stage.app, request.method, request.path, body=_write(request, 0), heads=heads)
    for _ in range(ROUNDS):
        spent_s = 0.0
        for number in range(times):
            answer = await ask(stage.app, request.method, request.path, body=_write(request, number), heads=heads)
            spent_s += answer.spent_s
        least_ms = min(least_ms, spent_s * 1000 / times)
    size_kb = len(answered.body) / 1000
    return {CPU: least_ms, PRICE: request.price, STATUS: answered.status, SIZE: size_kb}


def _write(request: Request, number: int) -> bytes:
    """Write a body with a command id of its own."""
    if request.method != "POST":
        return b""
    body = request.bodies[number % len(request.bodies)] if request.bodies else {}
    return json.dumps({**body, **({"command": build_uuid7(read_clock_ms())} if "command" in body else {})}).encode()


def _bearer(token: str) -> dict[str, str]:
    return {"authorization": f"Bearer {token}"} if token else {}
