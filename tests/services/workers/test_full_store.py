"""A store that answers and stores nothing, as on a full disk: the time in which no answer is stored is an absence."""

import pytest

from infra.event_store import Append
from infra.store_faults import StoreUnavailable
from simulate.stores.clock_book import MemoryClockBook
from simulate.stores.event_store import MemoryEventStore
from tests.services.workers.timekeeper_harness import SECOND, Hall, no_bank


class FullStore(MemoryEventStore):
    """Stores nothing while it is full."""

    is_full = False

    async def append(self, append: Append) -> None:
        if self.is_full:
            raise StoreUnavailable("no space left")
        await super().append(append)


async def test_time_in_which_no_answer_could_be_stored_is_an_absence() -> None:
    store = FullStore()
    hall = Hall(store, MemoryClockBook(store))
    game = await hall.open(clock=no_bank())
    await hall.work(40)

    store.is_full = True
    with pytest.raises(StoreUnavailable):
        await hall.entrust(game, 0)
    await hall.work(100)
    store.is_full = False
    await hall.open()
    await hall.work(19)

    assert await hall.expiries(game) == []
    (extension,) = await hall.lines(game, "clock_extended")
    assert extension.data["ms"] in range(100 * SECOND, 101 * SECOND + 1)
    await hall.work(3)
    assert len(await hall.expiries(game)) == 2
