"""Each write of the append path broken in both ways: not done, and done with the reply lost."""

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine

import pytest
from msgspec import Struct
from msgspec.structs import replace

from domain.ids import LogPosition, StreamVersion
from infra.event_store import Append, HeldOpening, StoredCommand
from infra.postgres.appender import Appender
from infra.postgres.event_store import PostgresEventStore, open_event_store
from infra.store_faults import CommandSeen, StoreUnavailable, VersionConflict
from tests.appends import following, new_command, new_game, opening
from tests.database import Database
from tests.fault_proxy import FaultProxy, fault_proxy

MARK = "the one that is broken"
HELD = HeldOpening(version=StreamVersion(3), sealed_box=b"opening")
PATIENCE_S = 0.2


class Setting(Struct, frozen=True):
    """A store whose connections can be broken, and another that looks at the same log from the side."""

    proxy: FaultProxy
    store: PostgresEventStore
    witness: PostgresEventStore


@pytest.fixture
async def setting(database: Database) -> AsyncIterator[Setting]:
    async with (
        open_event_store(database.app_url) as witness,
        fault_proxy(database.app_url) as proxy,
        open_event_store(proxy.url) as store,
    ):
        yield Setting(proxy, store, witness)


def new_game_with_secret(_: Append) -> Append:
    return replace(opening(new_game(), 2, said=MARK, command=new_command()), secret_box=b"secret")


def lines_of_a_command(first: Append) -> Append:
    return following(first, 3, said=MARK, command=new_command())


def lines_nobody_sends_again(first: Append) -> Append:
    return following(first, 1, said=MARK)


def line_with_a_held_opening(first: Append) -> Append:
    return replace(following(first, 2, said=MARK, command=new_command()), held=(HELD,))


WRITES = (new_game_with_secret, lines_of_a_command, lines_nobody_sends_again, line_with_a_held_opening)
BREAKS = (FaultProxy.lose_request, FaultProxy.lose_reply)


@pytest.mark.parametrize("write", WRITES)
@pytest.mark.parametrize("lose", BREAKS)
async def test_a_broken_append_is_stored_once_and_told_once(
    setting: Setting, write: Callable[[Append], Append], lose: Callable[[FaultProxy, bytes], None]
) -> None:
    first = opening(new_game())
    await setting.store.append(first)
    append = write(first)
    lose(setting.proxy, MARK.encode())

    await setting.store.append(append)

    assert setting.proxy.cut.is_set()
    await check_stored_once(setting.witness, append)


@pytest.mark.parametrize("lose", BREAKS)
async def test_a_whole_broken_batch_is_stored_once(setting: Setting, lose: Callable[[FaultProxy, bytes], None]) -> None:
    appends = [opening(new_game(), 2, said=MARK, command=new_command()) for _ in range(50)]
    lose(setting.proxy, MARK.encode())

    await asyncio.gather(*(setting.store.append(append) for append in appends))

    for append in appends:
        await check_stored_once(setting.witness, append)
    assert await count_lines(setting.witness) == 100


@pytest.mark.parametrize("command", [None, new_command()])
async def test_an_append_whose_reply_was_lost_is_done_even_when_the_game_has_gone_on(
    setting: Setting, command: StoredCommand | None
) -> None:
    first = opening(new_game())
    await setting.store.append(first)
    second = following(first, said=MARK, command=command)
    setting.proxy.lose_reply(MARK.encode())
    setting.proxy.hold()

    async with asyncio.TaskGroup() as tasks:
        broken = tasks.create_task(setting.store.append(second))
        await setting.proxy.cut.wait()
        await setting.witness.append(following(second))
        setting.proxy.release()

    assert broken.result() is None
    assert await count_lines(setting.witness) == 3


async def test_an_append_whose_request_was_lost_may_lose_its_race_meanwhile(setting: Setting) -> None:
    first = opening(new_game())
    await setting.store.append(first)
    setting.proxy.lose_request(MARK.encode())
    setting.proxy.hold()

    async with asyncio.TaskGroup() as tasks:
        broken = tasks.create_task(tell(setting.store.append(following(first, said=MARK))))
        await setting.proxy.cut.wait()
        await setting.witness.append(following(first, said="quicker"))
        setting.proxy.release()

    assert isinstance(broken.result(), VersionConflict)
    assert await count_lines(setting.witness) == 2


async def test_a_command_id_taken_elsewhere_meanwhile_is_told(setting: Setting) -> None:
    first = opening(new_game())
    await setting.store.append(first)
    command = new_command()
    setting.proxy.lose_request(MARK.encode())
    setting.proxy.hold()

    async with asyncio.TaskGroup() as tasks:
        broken = tasks.create_task(tell(setting.store.append(following(first, said=MARK, command=command))))
        await setting.proxy.cut.wait()
        await setting.witness.append(following(first, 2, said="the same on another node", command=command))
        setting.proxy.release()

    told = broken.result()
    assert isinstance(told, CommandSeen)
    assert told.answer.last_version == 3


@pytest.mark.parametrize(("lose", "lines"), [(FaultProxy.lose_request, 0), (FaultProxy.lose_reply, 2)])
async def test_whoever_is_given_up_is_told_that_it_may_have_been_done(
    setting: Setting, lose: Callable[[FaultProxy, bytes], None], lines: int
) -> None:
    append = opening(new_game(), 2, said=MARK)
    async with Appender(setting.proxy.url, patience_s=PATIENCE_S) as appender:
        await appender.append(opening(new_game()))
        lose(setting.proxy, MARK.encode())
        setting.proxy.hold()

        told = await tell(appender.append(append))
        setting.proxy.release()

    assert isinstance(told, StoreUnavailable)
    assert told.may_have_committed
    assert len(await setting.witness.read_stream(append.stream, after=StreamVersion(0), limit=100)) == lines


async def test_what_waits_behind_a_batch_that_is_given_up_is_told_with_it(setting: Setting) -> None:
    first = opening(new_game(), said=MARK)
    async with Appender(setting.proxy.url, patience_s=PATIENCE_S) as appender:
        await appender.append(opening(new_game()))
        setting.proxy.lose_reply(MARK.encode())
        setting.proxy.hold()

        tasks = [asyncio.ensure_future(tell(appender.append(append))) for append in (first, following(first))]
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        await asyncio.sleep(0)
        told = [task.result() for task in tasks]
        setting.proxy.release()

    assert [isinstance(one, StoreUnavailable) and one.may_have_committed for one in told] == [True, False]
    assert await count_lines(setting.witness) == 2


async def test_the_next_append_after_an_outage_is_done(setting: Setting) -> None:
    async with Appender(setting.proxy.url, patience_s=PATIENCE_S) as appender:
        setting.proxy.hold()
        told = await tell(appender.append(opening(new_game())))
        setting.proxy.release()

        await appender.append(opening(new_game()))

    assert isinstance(told, StoreUnavailable)
    assert not told.may_have_committed
    assert await count_lines(setting.witness) == 1


async def check_stored_once(witness: PostgresEventStore, append: Append) -> None:
    game = await witness.load_stream(append.stream)
    assert game.lines[append.expected_version :] == append.lines
    assert game.held == append.held
    assert game.secret_box == append.secret_box
    if append.command is not None:
        assert await witness.find_command(append.stream, append.command.id) is not None


async def count_lines(witness: PostgresEventStore) -> int:
    return len(await witness.read_log(after=LogPosition(0), limit=1000))


async def tell(appending: Coroutine[None, None, None]) -> BaseException | None:
    """The result of an append, so that a test can go on while it waits."""
    (outcome,) = await asyncio.gather(appending, return_exceptions=True)
    return outcome
