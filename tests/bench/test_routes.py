"""The measurement of prices on a small scale: it walks every route by itself, and names an answer above its price."""

from bench.route_values import ROUTE_VALUES
from bench.routes import ODD, Stage, measure_routes
from domain.accounts.account import Account
from domain.ids import OrganiserId
from tests.database import Database
from tests.services.api.server import running_api

ORGANISER = OrganiserId("0199c0de-0000-7000-8000-0000000000f0")


async def test_every_route_is_measured_and_one_above_its_price_is_named(database: Database) -> None:
    async with running_api(database) as api:
        token = await api.create_account(Account(id=ORGANISER, name="Orga", role="organiser"))
        stage = Stage(app=api.app, routes=api.app, organiser=token, values=ROUTE_VALUES)

        figures = await measure_routes(stage, times=1, unit_plainest=0.001)

    paths = {str(route.path_format) for route in api.app.routes}
    assert {name.partition(" ")[2] for name in figures.rows} >= paths
    assert set(ODD) <= set(figures.rows) == set(figures.beyond)
