"""The costs of operations: a table in the code and the same in the documents, and requests that pay."""

from pathlib import Path

import pytest

from services.api.app import list_all_operations
from services.api.costs import COSTS, SOCKET_COST
from services.api.holds import ACCOUNT_MAX, NETWORK_MAX, Holds
from services.api.rates import BURST_FACTOR, TooManyRequests
from services.reading.access import Caller
from tests.database import Database
from tests.domain.game.game_harness import ADA, BOB
from tests.services.api.server import running_api

ROOT = Path(__file__).parents[3]


def test_every_cost_is_of_an_operation_and_in_the_documents() -> None:
    lines = (ROOT / "docs" / "security.md").read_text().splitlines()

    told = {row[1].strip(" `"): row[2].strip() for row in (line.split("|") for line in lines) if len(row) > 2}

    assert set(COSTS) <= list_all_operations()
    assert {name: told.get(name) for name in COSTS} == {name: str(cost) for name, cost in COSTS.items()}
    assert (told["a socket"], told["every other"]) == (str(SOCKET_COST), "1")


async def test_a_costly_request_counts_as_several(database: Database) -> None:
    async with running_api(database, per_s=COSTS["read_boards"], monotonic_us=lambda: 0) as api:
        answers = [await api.client.get("/v1/games/none/boards") for _ in range(BURST_FACTOR + 1)]

    assert [each.status_code for each in answers] == [404] * BURST_FACTOR + [429]


def test_an_account_waits_for_a_few_versions_and_takes_no_other_account_s_places() -> None:
    holds = Holds()
    ada, bob = Caller(player=ADA), Caller(player=BOB)
    held = [holds.holding(ada) for _ in range(ACCOUNT_MAX)]
    for each in held:
        each.__enter__()

    with pytest.raises(TooManyRequests), holds.holding(ada):
        pass

    with holds.holding(bob):
        held[0].__exit__(None, None, None)
    with holds.holding(ada):
        pass


def test_a_network_waits_for_so_many_versions_with_all_its_accounts() -> None:
    holds = Holds()
    held = [holds.holding(Caller(player=ADA if number % 2 else BOB)) for number in range(2 * ACCOUNT_MAX)]
    held += [holds.holding(Caller()) for _ in range(NETWORK_MAX - len(held))]
    for each in held:
        each.__enter__()

    with pytest.raises(TooManyRequests), holds.holding(Caller()):
        pass
