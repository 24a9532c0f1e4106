"""How far workers are behind, as their own rows say."""

from pathlib import Path

from domain.ids import LogPosition
from domain.log.record import parse_at
from infra.clock_book import BookStep
from infra.postgres.clock_book import timekeeper_book
from infra.postgres.connection import build_app_pool
from infra.postgres.event_store import open_event_store
from infra.postgres.ledger_store import notary_desk
from infra.postgres.worker_lag import WorkerLag, read_worker_lag
from tests.appends import AT, following, new_game, opening
from tests.database import Database
from tests.services.ledger.ledger_harness import ORIGIN, drain, open_rig


async def test_in_an_empty_store_nobody_is_behind(database: Database) -> None:
    async with build_app_pool(database.app_url) as pool:
        lags = await read_worker_lag(pool, ORIGIN)

    assert lags == {
        name: WorkerLag(worker=name, behind=0, oldest_ms=None, beat_ms=None) for name in ("notary", "timekeeper")
    }


async def test_a_worker_is_behind_by_what_it_has_not_taken_in(database: Database) -> None:
    first = opening(new_game(), 2)
    async with open_event_store(database.app_url) as store:
        await store.append(first)
        await store.append(following(first, 3))
    async with timekeeper_book(database.app_url) as book:
        assert book is not None
        await book.beat(77, absence_min_ms=1_000)
        await book.follow(BookStep(before=LogPosition(0), after=LogPosition(4), opened={}, ended=()))

    async with build_app_pool(database.app_url) as pool:
        lags = await read_worker_lag(pool, ORIGIN)

    assert lags["notary"] == WorkerLag(worker="notary", behind=5, oldest_ms=parse_at(AT), beat_ms=None)
    assert lags["timekeeper"] == WorkerLag(worker="timekeeper", behind=1, oldest_ms=parse_at(AT), beat_ms=77)


async def test_an_event_is_behind_until_a_checkpoint_covers_its_leaf(database: Database, tmp_path: Path) -> None:
    behind = []
    async with (
        open_rig(database, tmp_path) as rig,
        build_app_pool(database.app_url) as pool,
        notary_desk(database.app_url) as desk,
    ):
        assert desk is not None
        notary = await rig.open_notary(desk)
        await rig.play(games=1, lines=2)
        await notary.grow()
        behind.append((await read_worker_lag(pool, ORIGIN))["notary"].behind)
        await drain(notary)
        behind.append((await read_worker_lag(pool, ORIGIN))["notary"].behind)
        behind.append((await read_worker_lag(pool, "another/name"))["notary"].behind)

    assert behind == [3, 0, 3]
