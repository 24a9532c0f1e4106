"""The databases of a worker, as tests take them."""

import asyncpg
import pytest

from tests.servers import ServersForTests
from tests.stock import open_stock

NAMES = "SELECT datname::text FROM pg_database"
USE = "CREATE TABLE used ()"


async def test_every_case_gets_a_database_that_no_case_has_seen(servers_for_tests: ServersForTests) -> None:
    with open_stock(servers_for_tests) as stock:
        for _ in range(3):
            async with stock.lend() as database, database.owned() as owner:
                await owner.execute(USE)

        async with stock.lend() as one, stock.lend() as other:
            assert one != other


async def test_the_databases_of_a_closed_stock_are_gone(servers_for_tests: ServersForTests) -> None:
    lent = list[str]()
    with open_stock(servers_for_tests) as stock:
        for _ in range(2):
            async with stock.lend() as database, database.owned() as owner:
                lent.append(await owner.fetchval("SELECT current_database()"))

    owner = await asyncpg.connect(servers_for_tests.urls.owner_url)
    names = {row[0] for row in await owner.fetch(NAMES)}

    await owner.close()
    assert names.isdisjoint(lent)


async def test_a_case_without_a_template_is_told_so(servers_for_tests: ServersForTests) -> None:
    no_template = ServersForTests(urls=servers_for_tests.urls, template="no_such_template")

    with pytest.raises(asyncpg.InvalidCatalogNameError), open_stock(no_template) as stock:
        async with stock.lend():
            pass
