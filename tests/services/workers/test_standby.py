"""Standing by: one session of a worker acts, goes on after each fault, and shows by its heartbeat that it does."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from functools import partial

import asyncpg
import pytest

from infra.postgres.connection import build_app_pool
from infra.postgres.worker_signs import STEWARD_LOCK, Signs, checked_lock
from infra.store_faults import StoreUnavailable
from services.api.http.health import READY, Check, WorkersProbe
from services.node.probes import workers_probe
from services.workers.kinds import STEWARD
from services.workers.standby import Beat, Pace, Step, Worker, locked_step, standing_by
from tests.database import Database
from tests.services.api.server import KEY
from tests.services.ledger.ledger_harness import ORIGIN

QUICK = Pace(look_every_s=0.001, stand_by_s=0.001)
PATIENCE_S = 20.0
BEGUN_MS = 1_795_003_200_000
LATE_MS = BEGUN_MS + STEWARD.late_s * 1_000


class Scene:
    """Counts the steps of sessions. A step that fails raises the next of `faults`."""

    def __init__(self, *faults: Exception) -> None:
        self.faults = list(faults)
        self.events: list[str] = []
        self.beats = asyncio.Event()

    async def step(self) -> int:
        self.events.append("step")
        if self.faults:
            raise self.faults.pop(0)
        return 0

    async def beat(self, worker: str) -> None:
        self.events.append(f"heartbeat of {worker}")
        self.beats.set()

    @asynccontextmanager
    async def open(self) -> AsyncIterator[Step]:
        self.events.append("begun")
        try:
            yield self.step
        finally:
            self.events.append("ended")

    def build(self, **fields: object) -> Worker:
        return Worker(name="steward", open=self.open, **fields)  # type: ignore[arg-type]  # fields by name


async def wait_for_heartbeat(scene: Scene) -> None:
    async with asyncio.timeout(PATIENCE_S):
        await scene.beats.wait()


async def test_a_session_has_its_heartbeat_after_a_step_and_ends_with_the_block() -> None:
    scene = Scene()

    async with standing_by([scene.build()], scene.beat, QUICK):
        await wait_for_heartbeat(scene)

    assert scene.events[:3] == ["begun", "step", "heartbeat of steward"]
    assert scene.events[-1] == "ended"


async def test_after_a_fault_the_next_session_begins_from_the_start() -> None:
    scene = Scene(StoreUnavailable("cut by the test"), OSError("cut by the test"))

    async with standing_by([scene.build()], scene.beat, QUICK):
        await wait_for_heartbeat(scene)

    assert scene.events[:8] == ["begun", "step", "ended"] * 2 + ["begun", "step"]


@pytest.mark.parametrize("fault", [StoreUnavailable("cut by the test"), ValueError("two and two are five")])
async def test_a_worker_whose_session_fails_at_its_end_is_stopped_as_well(fault: Exception) -> None:
    scene = Scene()

    @asynccontextmanager
    async def failing() -> AsyncIterator[Step]:
        async with scene.open() as step:
            try:
                yield step
            finally:
                # The fault of the first session takes the place of the cancellation.
                if scene.events.count("begun") == 1:
                    raise fault

    async with asyncio.timeout(PATIENCE_S):
        async with standing_by([Worker(name="steward", open=failing)], scene.beat, QUICK):
            await wait_for_heartbeat(scene)

    assert scene.events.count("begun") == 1


@pytest.mark.parametrize("refusals", [(), (ValueError,)])
async def test_after_a_bug_or_a_refusal_a_worker_pauses_without_a_heartbeat(
    refusals: tuple[type[Exception], ...],
) -> None:
    failing, other = Scene(ValueError("two and two are five")), Scene()

    async with standing_by([failing.build(refusals=refusals), other.build()], other.beat, QUICK):
        await wait_for_heartbeat(other)

    assert failing.events == ["begun", "step", "ended"]


async def test_a_heartbeat_that_cannot_be_stored_stops_no_work() -> None:
    scene = Scene()
    refused = asyncio.Event()

    async def beat(_worker: str) -> None:
        refused.set()
        raise StoreUnavailable("cut by the test")

    async with asyncio.timeout(PATIENCE_S), standing_by([scene.build()], beat, QUICK):
        await refused.wait()
        count = len(scene.events)
        while len(scene.events) == count:  # noqa: ASYNC110 - it waits for the next step
            await asyncio.sleep(0)

    assert scene.events.count("begun") == 1


async def test_of_two_sessions_one_acts_and_the_other_takes_over(database: Database) -> None:
    first, second = Scene(), Scene()

    def build(scene: Scene) -> Worker:
        return Worker(
            name="steward",
            open=lambda: locked_step(partial(checked_lock, database.app_url, STEWARD_LOCK), lambda: scene.step),
        )

    async with standing_by([build(second)], second.beat, QUICK):
        async with standing_by([build(first)], first.beat, QUICK):
            await asyncio.wait(
                [asyncio.create_task(wait_for_heartbeat(scene)) for scene in (first, second)],
                return_when=asyncio.FIRST_COMPLETED,
            )
            acting = [bool(scene.events) for scene in (first, second)]
        await wait_for_heartbeat(second)

    assert sorted(acting) == [False, True]


async def test_a_step_is_not_taken_once_the_lock_is_gone(database: Database) -> None:
    scene = Scene()
    owner = await asyncpg.connect(database.owner_url)

    async with locked_step(partial(checked_lock, database.app_url, STEWARD_LOCK), lambda: scene.step) as step:
        assert step is not None
        await step()
        await owner.execute(
            "select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory' and granted"
            " and database = (select oid from pg_database where datname = current_database())"
        )
        with pytest.raises(StoreUnavailable):
            await step()
    await owner.close()

    assert scene.events == ["step"]


@asynccontextmanager
async def probed(database: Database, now_ms: Callable[[], int]) -> AsyncIterator[tuple[WorkersProbe, Beat]]:
    async with build_app_pool(database.app_url) as pool:
        signs = Signs(pool, ORIGIN, KEY)
        yield workers_probe(signs.read, now_ms), lambda name: signs.beat(name, now_ms())


async def test_a_steward_that_fails_for_ever_is_not_well(database: Database) -> None:
    now_ms = [BEGUN_MS]
    failing, working = Scene(), Scene()
    failing.faults = [RuntimeError("a bug")] * 100
    async with probed(database, lambda: now_ms[0]) as (probe, store_beat):

        async def beat(name: str) -> None:
            await store_beat(name)
            await working.beat(name)

        now_ms[0] = LATE_MS - 1
        early = (await probe())["steward"]
        now_ms[0] = LATE_MS
        async with standing_by([failing.build()], beat, QUICK):
            late = (await probe())["steward"]
        async with standing_by([working.build()], beat, QUICK):
            await wait_for_heartbeat(working)
        mended = (await probe())["steward"]

    silent = Check(status="unavailable", found=f"no heartbeat for {STEWARD.late_s} s; the logs say why")
    assert (early, late, mended) == (READY, silent, READY)
