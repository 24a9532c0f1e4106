"""The appends that a batch takes from the queue, and the length of the queue."""

import pytest

from infra.event_store import Append
from infra.postgres.appender import BATCH_APPENDS_MAX, BATCH_BYTES_MAX, QUEUE_APPENDS_MAX, AppendQueue
from infra.store_faults import StoreBusy
from tests.appends import following, new_game, opening

LINE = "x" * 60_000


def take(queue: AppendQueue) -> list[Append]:
    return [waiting.append for waiting in queue.take_batch()]


async def test_a_batch_is_what_has_come_in_that_order() -> None:
    queue = AppendQueue()
    appends = [opening(new_game()) for _ in range(3)]
    for append in appends:
        queue.put(append)

    assert take(queue) == appends
    assert take(queue) == []


async def test_a_second_append_of_a_stream_waits_for_the_next_batch() -> None:
    queue = AppendQueue()
    first, other = opening(new_game()), opening(new_game())
    second = following(first)
    third = following(second)
    for append in (first, second, third, other):
        queue.put(append)

    assert take(queue) == [first, other]
    assert take(queue) == [second]
    assert take(queue) == [third]


async def test_a_batch_has_a_greatest_count() -> None:
    queue = AppendQueue()
    for _ in range(BATCH_APPENDS_MAX + 1):
        queue.put(opening(new_game()))

    assert len(take(queue)) == BATCH_APPENDS_MAX
    assert len(take(queue)) == 1


async def test_a_batch_has_a_greatest_size_unless_one_append_is_larger() -> None:
    queue = AppendQueue()
    large = opening(new_game(), BATCH_BYTES_MAX // len(LINE) + 1, said=LINE)
    small = opening(new_game())
    for append in (large, small):
        queue.put(append)

    assert take(queue) == [large]
    assert take(queue) == [small]


async def test_a_full_queue_takes_no_more_until_a_batch_is_taken() -> None:
    queue = AppendQueue()
    append = opening(new_game())
    for _ in range(QUEUE_APPENDS_MAX):
        queue.put(append)

    with pytest.raises(StoreBusy):
        queue.put(append)
    queue.take_batch()

    queue.put(append)


async def test_a_queue_is_full_in_bytes_too() -> None:
    queue = AppendQueue()
    large = opening(new_game(), 1000, said=LINE)
    queue.put(large)
    queue.put(large)

    with pytest.raises(StoreBusy):
        queue.put(large)


async def test_whoever_has_left_is_not_sent() -> None:
    queue = AppendQueue()
    queue.put(opening(new_game())).outcome.cancel()
    staying = opening(new_game())
    queue.put(staying)

    assert take(queue) == [staying]
