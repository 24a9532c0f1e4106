"""Deliveries: each notice at least once and in order, failing ways at a growing distance, dead ones no more."""

import asyncio
from functools import partial
from typing import Any

import pytest

from infra.postgres.notices import notice_book
from services.node.workers import build_notifier_sources
from services.workers.notifier import FAILING_MAX_MS, build_notifier
from tests.database import Database
from tests.services.api.player import GAME, Player, expect, register, seat_two
from tests.services.api.server import Api
from tests.services.api.test_leaks import BID
from tests.services.notices.receiver import PATIENCE_S, Receiver, add_way, notifier_at_work

MINUTE_MS = 60_000
WAITING = "select count(*) from spina.notice"
# Lines that were not read, and notices that were not sent.
UNTOLD = """
select (select count(*) from spina.event where position > (select position from spina.notifier))
     + (select count(*) from spina.notice)
"""
FAILURES = "select failures from spina.notice_way"
ADD_NOTICE = """
insert into spina.notice (way, id, kind, stream, version, position, at_ms) values ($1, $2, 'ruling', $3, 1, 0, 0)
"""
DUE = "select due_ms from spina.notice_way"
ENDED = "select count(*) from spina.notice_way where end_reason is not null"


async def wait_for(database: Database, statement: str, value: Any) -> None:
    """Return when a statement gives this value."""
    async with database.owned() as owner, asyncio.timeout(PATIENCE_S):
        while await owner.fetchval(statement) != value:
            pass


async def start(ada: Player, bob: Player) -> None:
    await expect(ada.open(), 201)
    await seat(ada, bob)


async def seat(ada: Player, bob: Player) -> None:
    for place, player in enumerate((ada, bob)):
        await expect(player.take(place), 200)
    for player in (ada, bob):
        await expect(player.ready(), 200)


async def ask_for_tests(player: Player, way: Any) -> Any:
    return await expect(player.post("/account/ways/tests", {"way": way["id"]}), 201)


async def read_way(player: Player) -> Any:
    headers = player.headers
    (way,) = (await player.api.client.get("/v1/account/ways", headers=headers)).json()["items"]
    return way


async def test_a_message_that_was_refused_comes_again_with_its_id_before_the_next(
    api: Api, database: Database, receiver: Receiver
) -> None:
    ada = await register(api, "Ada")
    way = await add_way(ada, receiver.url)
    refused = ["500 Error", "429 Wait\r\nretry-after: 30"]
    receiver.answer = lambda _: refused[len(receiver.received)] if len(receiver.received) < 2 else "200 OK"

    async with notifier_at_work(api, database):
        await ask_for_tests(ada, way)
        for failures in (1, 2):
            await wait_for(database, FAILURES, failures)
            failing = await read_way(ada)
            api.clock.now_ms += MINUTE_MS
        await wait_for(database, WAITING, 0)

    assert len(receiver.received) == 3
    assert len({notice.headers["webhook-id"] for notice in receiver.received}) == 1
    assert failing["failing_since"] == "2026-11-18T12:00:00.000Z"
    assert failing["failing_reason"] == "the address answered 429"
    working = await read_way(ada)
    assert (working["failing_since"], working["failing_reason"]) == (None, None)


async def test_a_way_rests_longer_after_each_failure_and_ends_after_days_of_them(
    api: Api, database: Database, receiver: Receiver
) -> None:
    ada = await register(api, "Ada")
    way = await add_way(ada, receiver.url)
    receiver.answer = lambda _: "500 Error"
    rests = []

    async with notifier_at_work(api, database), database.owned() as owner:
        await ask_for_tests(ada, way)
        for failures in (1, 2, 3):
            await wait_for(database, FAILURES, failures)
            rests.append(await owner.fetchval(DUE) - api.clock.now_ms)
            api.clock.now_ms += rests[-1]
        api.clock.now_ms += FAILING_MAX_MS
        await wait_for(database, ENDED, 1)

    assert rests == [5_000, 10_000, 20_000]
    assert await read_way(ada) | {"created_at": None} == {
        "id": way["id"],
        "kind": "webhook",
        "name": "Bot",
        "address": None,
        "quiet": None,
        "created_at": None,
        "kinds": (await read_way(ada))["kinds"],
        "failing_since": "2026-11-18T12:00:00.000Z",
        "failing_reason": "the address answered 500",
        "is_proven": True,
        "end_reason": "the address answered 500, for days",
    }


async def test_a_way_on_which_the_server_fails_rests_and_ends_as_others(
    api: Api, database: Database, receiver: Receiver
) -> None:
    ada = await register(api, "Ada")
    way = await add_way(ada, receiver.url)
    await api.execute("update spina.notice_way set sealed_box = 'damaged'")
    rests = []

    async with notifier_at_work(api, database), database.owned() as owner:
        await ask_for_tests(ada, way)
        for failures in (1, 2):
            await wait_for(database, FAILURES, failures)
            rests.append(await owner.fetchval(DUE) - api.clock.now_ms)
            api.clock.now_ms += rests[-1]
        api.clock.now_ms += FAILING_MAX_MS
        await wait_for(database, ENDED, 1)

    assert rests == [5_000, 10_000]


async def test_a_notice_that_cannot_be_composed_holds_up_no_other(
    api: Api, database: Database, receiver: Receiver
) -> None:
    ada = await register(api, "Ada")
    way = await add_way(ada, receiver.url)
    await api.execute(ADD_NOTICE, way["id"], GAME, GAME)

    async with notifier_at_work(api, database):
        await ask_for_tests(ada, way)
        await wait_for(database, WAITING, 0)

    assert [notice.message["type"] for notice in receiver.received] == ["test"]


@pytest.mark.parametrize(("kind", "status"), [("webhook", "410 Gone"), ("discord", "404 Not Found")])
async def test_an_address_that_is_gone_is_asked_once(
    api: Api, database: Database, receiver: Receiver, kind: str, status: str
) -> None:
    ada = await register(api, "Ada")
    way = await add_way(ada, receiver.url, to={"kind": kind, "url": receiver.url})
    receiver.answer = lambda _: status

    async with notifier_at_work(api, database):
        await ask_for_tests(ada, way)
        await wait_for(database, ENDED, 1)

    assert len(receiver.received) == 1
    assert (await ada.post("/account/ways/tests", {"way": way["id"]})).status_code == 409


async def test_a_notifier_that_acts_again_knows_who_sat_down_meanwhile(
    api: Api, database: Database, receiver: Receiver
) -> None:
    ada, bob = await register(api, "Ada", number=1), await register(api, "Bob", number=2)
    await add_way(bob, receiver.url, kinds=["game_over"])
    first, second = [
        build_notifier(build_notifier_sources(api.parts), partial(notice_book, database.app_url)) for _ in range(2)
    ]

    async with notifier_at_work(api, database, first):
        await expect(ada.open(), 201)
        await wait_for(database, UNTOLD, 0)
    async with notifier_at_work(api, database, second):
        await seat(ada, bob)
        await wait_for(database, UNTOLD, 0)
    async with notifier_at_work(api, database, first):
        await expect(ada.command("resign", seat=0), 200)
        over = await receiver.next_message()

    assert (over["type"], over["account"]) == ("game_over", bob.id)


async def test_notices_of_quiet_hours_wait_for_their_end(api: Api, database: Database, receiver: Receiver) -> None:
    ada = await register(api, "Ada")
    night = {"start": "12:30", "end": "14:15", "zone": "Europe/Rome"}
    way = await add_way(ada, receiver.url, quiet=night)

    async with notifier_at_work(api, database):
        await ask_for_tests(ada, way)
        await wait_for(database, DUE, api.clock.now_ms + 75 * MINUTE_MS)
        received_by_night = len(receiver.received)
        api.clock.now_ms += 75 * MINUTE_MS
        await receiver.next()

    assert received_by_night == 0


async def test_a_turn_that_was_answered_before_it_could_be_told_is_not_told(
    api: Api, database: Database, receiver: Receiver
) -> None:
    ada, bob = await register(api, "Ada", number=1), await register(api, "Bob", number=2)
    await add_way(ada, receiver.url, quiet={"start": "12:00", "end": "13:00", "zone": "UTC"})
    await start(ada, bob)

    async with notifier_at_work(api, database):
        await wait_for(database, WAITING, 2)
        await expect(ada.entrust("r1/bid/0", BID), 200)
        api.clock.now_ms += 60 * MINUTE_MS
        await wait_for(database, WAITING, 0)

    assert [notice.message["type"] for notice in receiver.received] == ["game_started"]


async def test_of_turns_that_followed_one_another_unseen_the_open_ones_alone_are_told(
    api: Api, database: Database, receiver: Receiver
) -> None:
    ada, bob = await register(api, "Ada", number=1), await register(api, "Bob", number=2)
    await add_way(bob, receiver.url, kinds=["your_turn"], quiet={"start": "12:00", "end": "13:00", "zone": "UTC"})
    await start(ada, bob)

    async with notifier_at_work(api, database):
        await wait_for(database, WAITING, 1)
        await expect(ada.entrust("r1/bid/0", BID), 200)
        await expect(bob.entrust("r1/bid/1", {**BID, "card": 3, "drop": 4}), 200)
        await wait_for(database, WAITING, 3)
        api.clock.now_ms += 60 * MINUTE_MS
        await wait_for(database, WAITING, 0)

    # Bob won the round: he owes both of its sides.
    assert [notice.message["type"] for notice in receiver.received] == ["your_turn"] * 2


async def test_the_opening_of_an_action_is_told_to_a_player_who_keeps_it_alone(
    api: Api, database: Database, receiver: Receiver
) -> None:
    ada, bob = await register(api, "Ada", number=1), await register(api, "Bob", number=2)
    await start(ada, bob)
    for player in (ada, bob):
        await add_way(player, receiver.url, kinds=["your_turn"])
    await expect(ada.entrust("r1/bid/0", BID), 200)
    await expect(bob.seal("r1/bid/1", BID), 200)

    async with notifier_at_work(api, database):
        await wait_for(database, UNTOLD, 0)

    assert {notice.message["account"] for notice in receiver.received} == {bob.id}


async def test_a_way_that_fails_does_not_work_because_a_notice_holds_no_more(
    api: Api, database: Database, receiver: Receiver
) -> None:
    ada, bob = await register(api, "Ada", number=1), await register(api, "Bob", number=2)
    await add_way(ada, receiver.url, kinds=["your_turn"])
    receiver.answer = lambda _: "500 Error"
    await start(ada, bob)

    async with notifier_at_work(api, database):
        await wait_for(database, FAILURES, 1)
        await expect(ada.entrust("r1/bid/0", BID), 200)
        api.clock.now_ms += MINUTE_MS
        await wait_for(database, WAITING, 0)

    assert (await read_way(ada))["failing_since"] == "2026-11-18T12:00:00.000Z"


async def test_a_way_gets_the_kinds_it_asked_for_from_when_it_was_added(
    api: Api, database: Database, receiver: Receiver
) -> None:
    ada, bob = await seat_two(api)
    way = await add_way(ada, receiver.url, kinds=["game_over"])
    changed = {"way": way["id"], "name": "Ends", "kinds": ["game_over", "ruling"], "quiet": None}
    await expect(ada.post("/account/ways/changes", changed), 201)
    await expect(bob.command("resign", seat=1), 200)

    async with notifier_at_work(api, database):
        await receiver.next()
        await wait_for(database, WAITING, 0)

    assert [notice.message["type"] for notice in receiver.received] == ["game_over"]
    assert (await read_way(ada))["name"] == "Ends"


async def test_a_changed_way_that_fails_rests_on_and_gets_no_kind_that_was_given_up(
    api: Api, database: Database, receiver: Receiver
) -> None:
    ada, bob = await seat_two(api)
    way = await add_way(ada, receiver.url)
    changed = {"way": way["id"], "name": "Bot", "kinds": ["ruling"], "quiet": None}
    receiver.answer = lambda _: "500 Error"
    await expect(bob.command("resign", seat=1), 200)

    async with notifier_at_work(api, database), database.owned() as owner:
        await wait_for(database, FAILURES, 1)
        due = await owner.fetchval(DUE)
        api.clock.now_ms += 1_000
        await expect(ada.post("/account/ways/changes", changed), 201)
        left = [await owner.fetchval(DUE), await owner.fetchval(WAITING)]

    assert left == [due, 0]


async def test_a_channel_gets_a_sentence_and_a_link_that_mention_no_person(
    api: Api, database: Database, receiver: Receiver
) -> None:
    ada, bob = await seat_two(api)
    await add_way(ada, receiver.url, to={"kind": "discord", "url": receiver.url})
    await expect(bob.command("resign", seat=1), 200)

    async with notifier_at_work(api, database):
        message = await receiver.next_message()

    assert message == {
        "content": f"Your game of Torches is over. http://spina.test/games/{GAME}",
        "allowed_mentions": {"parse": []},
    }


async def test_a_deleted_account_and_a_removed_way_leave_nothing_that_could_be_sent(
    api: Api, database: Database, receiver: Receiver
) -> None:
    ada, bob = await register(api, "Ada", number=1), await register(api, "Bob", number=2)
    for player in (ada, bob):
        await ask_for_tests(player, await add_way(player, receiver.url))
    await expect(ada.post("/account/forget", {"name": "Ada"}), 201)
    await expect(bob.post("/account/ways/removals", {"way": (await read_way(bob))["id"]}), 201)

    async with database.owned() as owner:
        left = await owner.fetchval(
            "select (select count(*) from spina.notice_way) + (select count(*) from spina.notice)"
        )

    assert left == 0


async def test_a_closed_account_is_told_nothing(api: Api, database: Database, receiver: Receiver) -> None:
    ada = await register(api, "Ada")
    await ask_for_tests(ada, await add_way(ada, receiver.url))
    await api.execute("update spina.token set ends_at = now() where account = $1", ada.id)

    async with notifier_at_work(api, database):
        await wait_for(database, ENDED, 1)

    assert receiver.received == []


async def test_a_way_of_another_account_is_as_if_it_were_none(api: Api, receiver: Receiver) -> None:
    ada, bob = await register(api, "Ada", number=1), await register(api, "Bob", number=2)
    way = (await add_way(ada, receiver.url))["id"]
    changed = {"way": way, "name": "Mine", "kinds": ["ruling"], "quiet": None}

    for path, body in (("changes", changed), ("removals", {"way": way}), ("tests", {"way": way})):
        refused = (await bob.post(f"/account/ways/{path}", body)).json()
        none = (await bob.post(f"/account/ways/{path}", {**body, "way": GAME})).json()
        assert str(refused).replace(way, GAME) == str(none)


async def test_the_export_names_ways_without_their_secrets(api: Api, database: Database, receiver: Receiver) -> None:
    ada = await register(api, "Ada")
    secret = (await add_way(ada, f"{receiver.url}/hidden-path"))["secret"]

    exported = (await api.client.get("/v1/account/export", headers=ada.headers)).text
    async with database.owned() as owner:
        stored = str(await owner.fetch("select * from spina.notice_way"))

    assert '"address":"127.0.0.1"' in exported
    assert "hidden-path" not in exported + stored
    assert secret not in exported + stored
