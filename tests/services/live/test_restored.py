"""A database that is restored to an older state under a running server, and goes on otherwise than before.

No reader is shown a board that is no fold of the log: readers are asked to come again, and then see the stored one.
"""

from collections.abc import Sequence

from domain.ids import StreamVersion
from infra.hint_source import MemoryHintSource
from services.live.hub import running_hub
from services.live.messages import End, Frame
from services.live.steps import StepSources
from services.reading.access import ANYONE
from simulate.stores.event_store import MemoryEventStore
from tests.domain.game.game_harness import GAME, NOON, SECRET, Table
from tests.services.reading.test_histories import fold, histories_on, store_log


class RestorableStore(MemoryEventStore):
    def restore(self, backup: MemoryEventStore) -> None:
        self.__dict__.update(vars(backup))


def play_twice() -> tuple[Table, Table]:
    """Return a game as it was played on before it was lost, and as it was played on afterwards."""
    lost, found = Table(seats=2).start(), Table(seats=2).start()
    lost.answer_by_default(lost.owed()[0])
    found.resign(0)
    return lost, found


def frames_of(told: Sequence[object]) -> list[Frame]:
    return [sentence for sentence in told if isinstance(sentence, Frame)]


async def test_readers_are_sent_away_and_then_see_the_log_that_is_stored() -> None:
    lost, found = play_twice()
    store = RestorableStore()
    await store_log(lost, store)
    sources = StepSources(histories=histories_on(store), store=store)
    async with running_hub(sources, MemoryHintSource(), now_ms=lambda: NOON) as hub:
        reader = await hub.join(GAME, ANYONE)
        seen = frames_of(await reader.pull())

        store.restore(await store_log(found))
        hub.hear(GAME, StreamVersion(len(found.raws)))
        told = await reader.pull()
        hub.leave(reader)
        again = await hub.join(GAME, ANYONE)
        present = frames_of(await again.pull())

    assert seen[-1].version == len(lost.raws) < len(found.raws)
    assert told == (End(reason="failed"),)
    assert present[-1].version == len(found.raws)
    assert found.raws[-1] in present[-1].body


async def test_any_version_is_read_from_the_log_that_is_stored() -> None:
    lost, found = play_twice()
    store = RestorableStore()
    histories = histories_on(await store_log(lost, store))
    await histories.read_newest(GAME)
    await histories.read_newest(GAME, "secret")

    store.restore(await store_log(found))

    assert await histories.read_newest(GAME) == fold(found, len(found.raws))
    for version in range(1, len(found.raws) + 1):
        assert await histories.read_at(GAME, StreamVersion(version)) == fold(found, version)
        own = await histories.read_at(GAME, StreamVersion(version), "secret")
        assert own == fold(found, version, secret=SECRET)


async def test_a_range_of_versions_is_read_from_the_log_that_is_stored() -> None:
    lost, found = play_twice()
    store = RestorableStore()
    histories = histories_on(await store_log(lost, store))
    begun, last = StreamVersion(len(lost.raws)), StreamVersion(len(found.raws))
    await histories.read_at(GAME, begun)

    store.restore(await store_log(found))
    moments = await histories.read_range(GAME, begun, last)

    assert [moment.state for moment in moments] == [fold(found, version) for version in range(begun, last + 1)]
