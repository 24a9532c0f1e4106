"""The signs of workers: their heartbeats, and how far they are behind by their own rows."""

from pathlib import Path

from domain.ids import LogPosition
from domain.log.record import parse_at
from infra.postgres.clock_book import timekeeper_book
from infra.postgres.connection import build_app_pool
from infra.postgres.event_store import open_event_store
from infra.postgres.ledger_store import notary_desk
from infra.postgres.projection_store import projector_desk
from infra.postgres.worker_signs import Signs, WorkerSigns
from infra.projection_store import Advance
from tests.appends import AT, following, new_game, opening
from tests.database import Database
from tests.services.api.server import KEY
from tests.services.ledger.ledger_harness import ORIGIN, drain, open_rig


async def test_in_an_empty_store_no_worker_is_behind(database: Database) -> None:
    async with build_app_pool(database.app_url) as pool:
        signs = await Signs(pool, ORIGIN, KEY).read()

    assert signs == {name: WorkerSigns(behind=0) for name in ("notary", "archivist", "timekeeper", "notifier")}


async def test_a_worker_is_behind_by_its_unread_lines(database: Database) -> None:
    first = opening(new_game(), 2)
    async with open_event_store(database.app_url) as store:
        await store.append(first)
        await store.append(following(first, 3))
    async with timekeeper_book(database.app_url) as book:
        assert book is not None
        await book.follow(LogPosition(0), LogPosition(4))

    async with build_app_pool(database.app_url) as pool:
        signs = await Signs(pool, ORIGIN, KEY).read()

    assert signs["notary"] == WorkerSigns(behind=5, oldest_ms=parse_at(AT))
    assert signs["timekeeper"] == WorkerSigns(behind=1, oldest_ms=parse_at(AT))


async def test_of_a_projection_the_build_that_is_served_is_behind(database: Database) -> None:
    async with open_event_store(database.app_url) as store:
        await store.append(opening(new_game(), 2))
    async with projector_desk(database.app_url) as desk:
        await desk.begin_missing("lobby", 1)
        live = (await desk.list_builds())[0]
        await desk.begin_another("lobby", 2)
        await desk.advance(Advance(build=live, position=LogPosition(1), rows=()))

    async with build_app_pool(database.app_url) as pool:
        signs = await Signs(pool, ORIGIN, KEY).read()

    assert signs["projector.lobby"] == WorkerSigns(behind=1, oldest_ms=parse_at(AT))


async def test_the_last_heartbeat_of_a_worker_is_kept(database: Database) -> None:
    async with build_app_pool(database.app_url) as pool:
        for now_ms in (70, 77):
            await Signs(pool, ORIGIN, KEY).beat("steward", now_ms)
        await Signs(pool, ORIGIN, KEY).beat("notary", 80)
        signs = await Signs(pool, ORIGIN, KEY).read()

    assert signs["steward"] == WorkerSigns(heartbeat_ms=77)
    assert signs["notary"] == WorkerSigns(heartbeat_ms=80, behind=0)


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
        behind.append((await Signs(pool, ORIGIN, KEY).read())["notary"].behind)
        await drain(notary)
        behind.append((await Signs(pool, ORIGIN, KEY).read())["notary"].behind)
        behind.append((await Signs(pool, "another/name", KEY).read())["notary"].behind)

    assert behind == [3, 0, 3]
