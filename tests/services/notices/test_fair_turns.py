"""Ways are served in turn: slow and silent ones, of any number, hold up no others."""

import asyncio

from infra.postgres.notices import WAYS_OF_ACCOUNT_MAX
from services.workers.notifier import WAYS_AT_ONCE_MAX
from tests.database import Database
from tests.services.api.player import GAME, register
from tests.services.api.server import Api
from tests.services.notices.receiver import Receiver, add_way, notifier_at_work
from tests.services.notices.test_deliveries import ADD_NOTICE, WAITING, ask_for_tests, wait_for


async def test_a_way_that_does_not_answer_holds_up_no_other(api: Api, database: Database, receiver: Receiver) -> None:
    ada = await register(api, "Ada")
    asked = asyncio.Event()

    async def be_silent(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        asked.set()
        await reader.read()
        writer.close()

    async with await asyncio.start_server(be_silent, "127.0.0.1", 0) as silent, notifier_at_work(api, database):
        port = silent.sockets[0].getsockname()[1]
        await ask_for_tests(ada, await add_way(ada, f"http://127.0.0.1:{port}/"))
        await asked.wait()
        await ask_for_tests(ada, await add_way(ada, receiver.url))
        message = await receiver.next_message()

    assert message["type"] == "test"


async def test_silent_addresses_in_any_number_hold_up_no_way_that_works(
    api: Api, database: Database, receiver: Receiver
) -> None:
    ada, eve, mal = [await register(api, name, number=number) for number, name in enumerate(("Ada", "Eve", "Mal"), 1)]
    way, asked = await add_way(ada, receiver.url), asyncio.Semaphore(0)

    async def be_silent(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        asked.release()
        await reader.read()
        writer.close()

    async with await asyncio.start_server(be_silent, "127.0.0.1", 0) as silent, notifier_at_work(api, database):
        await ask_for_tests(ada, way)
        await wait_for(database, WAITING, 0)
        port = silent.sockets[0].getsockname()[1]
        for number in range(WAYS_AT_ONCE_MAX["doubtful"] + 2):
            owner = (eve, mal)[number % 2]
            await ask_for_tests(owner, await add_way(owner, f"http://127.0.0.1:{port}/"))
        for _ in range(WAYS_AT_ONCE_MAX["doubtful"]):
            await asked.acquire()
        await ask_for_tests(ada, way)
        await wait_for(database, f"{WAITING} where way = '{way['id']}'", 0)

    assert len(receiver.received) == 2


async def test_a_way_that_was_served_comes_after_those_that_waited_meanwhile(api: Api, receiver: Receiver) -> None:
    ada, outbox = await register(api, "Ada"), api.parts.people.outbox
    first, second = [(await add_way(ada, receiver.url))["id"] for _ in range(2)]
    for way, count in ((first, 2), (second, 1)):
        for number in range(count):
            await api.execute(ADD_NOTICE, way, f"0199c0de-0000-7000-8000-{number:012d}", GAME)
            await api.execute("update spina.notice_way set due_ms = coalesce(due_ms, 1) where id = $1", way)

    await outbox.settle(first, "0199c0de-0000-7000-8000-000000000000", now_ms=2)

    assert await outbox.list_due(2, is_proven=False, without=(), limit=9) == [second, first]


async def test_the_ways_of_one_account_leave_places_for_those_of_others(api: Api, receiver: Receiver) -> None:
    ada, bob = await register(api, "Ada", number=1), await register(api, "Bob", number=2)
    eager = [(await add_way(ada, receiver.url))["id"] for _ in range(WAYS_OF_ACCOUNT_MAX + 2)]
    other = (await add_way(bob, receiver.url))["id"]
    await api.execute("update spina.notice_way set due_ms = 1")

    served = await api.parts.people.outbox.list_due(2, is_proven=False, without=eager[:1], limit=20)

    assert other in served
    assert len(served) == WAYS_OF_ACCOUNT_MAX - 1 + 1
