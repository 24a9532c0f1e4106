"""Every request costs its network the price of its route, whoever asks and whatever the answer."""

from typing import Any, cast

import pytest
from httpx2 import AsyncClient
from litestar import Litestar
from litestar.handlers import HTTPRouteHandler
from msgspec.structs import replace

from bench.route_values import ROUTE_VALUES
from domain.canonical import encode
from infra.networks import Network
from infra.projection_store import Sought, StoredRow
from projections.lobby import DELAYED, LISTED
from services.api.app import Offered, build_app
from services.api.games.lobby import GAMES_MAX, PASSED_MAX
from services.api.http.costs import COSTS, OPTION_BYTES_A_UNIT, PLAIN, ROWS_A_UNIT, find_cost
from services.api.http.examples import OPEN_EXAMPLE
from services.api.http.guarding import Guard
from services.api.http.head_bounds import FIELD_BYTES_MAX, FIELDS_MAX, PATH_CHARS_MAX, QUERY_BYTES_MAX
from services.api.http.health import HEALTH_PATH
from services.api.http.parts import PARTS_STATE
from services.api.http.rates import Rates, RateTerms
from services.api.http.ready import build_ready
from services.api.tournaments.tournament_examples import OPEN_EXAMPLE as OPEN_TOURNAMENT_EXAMPLE
from simulate.stores.projection_store import MemoryProjections
from tests.services.api.server import PROBES, memory_parts
from tests.services.api.test_guarding import client_of
from tests.services.api.test_problems import problem_of

# Services that fail when they are used: a price is paid before the work, and for a failure as well.
APP = build_app(
    probes=PROBES,
    parts=memory_parts(),
    offered=Offered(live=cast("Any", 1), ledger=cast("Any", 1), audits=cast("Any", 1), metrics=cast("Any", 1)),
)
EDGE = "a" * 10_000


class CountedRates(Rates):
    """A limit that none reaches, and the units that were paid."""

    def __init__(self) -> None:
        super().__init__(RateTerms(per_s=1_000_000), shared=None, now_us=lambda: 0)
        self.units = 0.0

    async def pace(self, _network: Network, *, cost: float = 1) -> None:
        self.units += max(cost, 0)

    def charge(self, _network: Network, *, cost: float) -> None:
        self.units += max(cost, 0)


class HiddenGames(MemoryProjections):
    """A list whose games outsiders may not know of."""

    def __init__(self, count: int) -> None:
        super().__init__()
        self._ranks = [f"2-{number:06d}" for number in range(count, 0, -1)]
        self.reads = 0

    async def list_owners(self, _projection: str, sought: Sought, *, limit: int) -> list[StoredRow]:
        self.reads += 1
        ranks = [rank for rank in self._ranks if sought.before is None or rank < sought.before][:limit]
        return [
            StoredRow(owner=f"0199c0de-0000-7000-8000-{rank[2:]:0>12}", place=b"", labels=(LISTED, DELAYED), from_ms=0,
                      body=b"", rank=rank)
            for rank in ranks
        ]  # fmt: skip


class NoneVisible:
    """The delayed games of outsiders within the delay."""

    async def find(self, *_asked: Any, **_terms: Any) -> None:
        return None


def build_counted(**replaced: Any) -> tuple[Litestar, CountedRates]:
    """Return the one app of these tests, over parts of their own."""
    rates = CountedRates()
    parts = memory_parts()
    games = replace(parts.games, delayed=NoneVisible())
    APP.state[PARTS_STATE] = replace(parts, rates=rates, games=games, **replaced)
    return APP, rates


def list_routes() -> dict[str, tuple[str, str, HTTPRouteHandler]]:
    return {
        f"{method} {route.path_format}": (method, str(route.path_format).format(**ROUTE_VALUES), handler)
        for route in APP.routes
        for handler in getattr(route, "route_handlers", ())
        if isinstance(handler, HTTPRouteHandler)
        for method in sorted(handler.http_methods)
    }


ROUTES = list_routes()


def asking(app: Litestar, rates: CountedRates) -> AsyncClient:
    return client_of(Guard(app, rates))


@pytest.mark.parametrize("name", [name for name in sorted(ROUTES) if HEALTH_PATH not in name])
async def test_a_request_costs_the_price_of_its_route(name: str) -> None:
    app, rates = build_counted()
    method, path, handler = ROUTES[name]

    async with asking(app, rates) as client:
        await client.request(method, path, json={} if method == "POST" else None)

    assert rates.units == pytest.approx(find_cost(handler))


def test_every_listed_price_is_of_a_route() -> None:
    named = {str(handler.operation_id) for _, _, handler in ROUTES.values()}

    assert set(COSTS) <= named


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [("GET", "/nothing", 404), ("POST", "/v1/rulesets", 405), ("GET", "/web/nothing.js", 404), ("GET", "/web", 404)],
)
async def test_a_request_that_meets_no_answer_costs_as_well(method: str, path: str, status: int) -> None:
    app, rates = build_counted()

    async with asking(app, rates) as client:
        answer = await client.request(method, path, json={} if method == "POST" else None)

    assert answer.status_code == status
    assert rates.units == pytest.approx(COSTS["read_web_file"] if path == "/web/nothing.js" else PLAIN)


@pytest.mark.parametrize("limit", [1, GAMES_MAX])
async def test_a_list_costs_by_the_rows_that_were_looked_at_and_reads_many_at_a_time(limit: int) -> None:
    hidden = HiddenGames(3 * GAMES_MAX)
    app, rates = build_counted(projections=hidden)

    async with asking(app, rates) as client:
        page = (await client.get(f"/v1/games?limit={limit}")).json()

    assert page == {"items": [], "next": None}
    assert hidden.reads == 3
    assert rates.units == pytest.approx(PLAIN + 3 * GAMES_MAX / ROWS_A_UNIT)


@pytest.mark.parametrize(
    ("path", "example"), [("/v1/games", OPEN_EXAMPLE), ("/v1/tournaments", OPEN_TOURNAMENT_EXAMPLE)]
)
async def test_an_opening_costs_by_the_size_of_its_options(path: str, example: dict[str, Any]) -> None:
    app, rates = build_counted()
    course = {"course": "x" * 7_000}

    async with asking(app, rates) as client:
        answer = await client.post(path, json={**example, "options": course})

    assert answer.status_code == 401
    assert rates.units == pytest.approx(COSTS["open_game"] + len(encode(course)) / OPTION_BYTES_A_UNIT)


async def test_a_list_of_games_that_may_not_be_seen_ends_and_leads_on() -> None:
    hidden = HiddenGames(2 * PASSED_MAX)
    app, rates = build_counted(projections=hidden)

    async with asking(app, rates) as client:
        page = (await client.get("/v1/games?limit=1")).json()

    assert hidden.reads == PASSED_MAX // GAMES_MAX
    assert page["items"] == []
    assert page["next"] is not None


@pytest.mark.parametrize("field", [name.decode() for name in FIELD_BYTES_MAX])
async def test_a_parsed_field_is_bounded_before_it_is_parsed(field: str) -> None:
    app, rates = build_counted()
    bound = FIELD_BYTES_MAX[field.encode()]

    async with asking(app, rates) as client:
        within = await client.get("/nothing", headers={field: EDGE[:bound]})
        beyond = await client.get("/nothing", headers={field: EDGE[: bound + 1]})

    assert within.status_code == 404
    assert problem_of(beyond) == (431, "head-too-large")
    assert beyond.json()["detail"] == f"expected at most {bound} bytes of {field}, found {bound + 1}"


@pytest.mark.parametrize(
    ("path", "fields"),
    [(f"/{EDGE[:PATH_CHARS_MAX]}", 0), (f"/nothing?{EDGE[: QUERY_BYTES_MAX + 1]}", 0), ("/nothing", FIELDS_MAX)],
)
async def test_paths_queries_and_the_number_of_fields_are_bounded(path: str, fields: int) -> None:
    app, rates = build_counted()

    async with asking(app, rates) as client:
        answer = await client.get(path, headers={f"x-{number}": "" for number in range(fields)})

    assert problem_of(answer) == (431, "head-too-large")


@pytest.mark.parametrize(
    "path",
    ["/v1/docs", "/v1/docs/scalar.js", "/v1/openapi.json", "/v1/openapi.json/openapi.json", "/v1/rulesets", "/sw.js"],
)
async def test_a_ready_answer_has_a_tag_and_a_packed_form(path: str) -> None:
    app, rates = build_counted()

    async with asking(app, rates) as client:
        packed = await client.get(path, headers={"accept-encoding": "gzip"})
        plain = await client.get(path, headers={"accept-encoding": "identity"})
        again = await client.get(path, headers={"if-none-match": packed.headers["etag"]})

    assert (packed.headers["content-encoding"], packed.content) == ("gzip", plain.content)
    assert int(packed.headers["content-length"]) < len(plain.content) == int(plain.headers["content-length"])
    assert (again.status_code, again.content) == (304, b"")


def test_a_given_packed_form_is_not_packed_again() -> None:
    ready = build_ready(b"plain", "text/plain", packed=b"packed")

    assert (ready.content, ready.packed) == (b"plain", b"packed")
