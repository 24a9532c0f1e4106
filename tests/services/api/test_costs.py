"""The costs of operations: a table in the code and the same in the documents, and requests that pay."""

from contextlib import AbstractContextManager
from pathlib import Path

from infra.networks import Network
from services.api.app import list_all_operations
from services.api.http.costs import COSTS, PLAIN, SOCKET_COST
from services.api.http.holds import Holds, HoldsMax
from services.api.http.rates import BURST_FACTOR, TooManyRequests
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
    assert (told["a socket"], told["every other"]) == (str(SOCKET_COST), str(PLAIN))


async def test_a_costly_request_counts_as_several(database: Database) -> None:
    async with running_api(database, per_s=int(COSTS["read_boards"]), monotonic_us=lambda: 0) as api:
        answers = [await api.client.get("/v1/games/none/boards") for _ in range(BURST_FACTOR + 1)]

    assert [answer.status_code for answer in answers] == [404] * BURST_FACTOR + [429]


def enter(holds: Holds, *callers: Caller) -> list[AbstractContextManager[None]]:
    held: list[AbstractContextManager[None]] = [holds.holding(caller) for caller in callers]
    for manager in held:
        manager.__enter__()
    return held


def is_refused(holds: Holds, caller: Caller) -> bool:
    try:
        with holds.holding(caller):
            return False
    except TooManyRequests:
        return True


def test_an_account_holds_a_few_requests_and_takes_no_other_account_s_places() -> None:
    holds = Holds(HoldsMax(account=3, network=100, process=100))
    ada, bob = Caller(player=ADA), Caller(player=BOB)
    held = enter(holds, ada, ada, ada)

    assert (is_refused(holds, ada), is_refused(holds, bob)) == (True, False)

    held[0].__exit__(None, None, None)
    assert not is_refused(holds, ada)


def test_a_network_holds_so_many_requests_with_all_its_accounts_and_leaves_room_for_others() -> None:
    holds = Holds(HoldsMax(account=2, network=3, process=4))
    other = Network("198.51.100.0")
    held = enter(holds, Caller(player=ADA), Caller(player=BOB), Caller())

    assert (is_refused(holds, Caller()), is_refused(holds, Caller(network=other))) == (True, False)

    held += enter(holds, Caller(network=other))
    assert is_refused(holds, Caller(network=Network("203.0.113.0")))
