"""The log holds streams that are no games: whoever reads games passes them by, in everything that the server does."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from msgspec import Struct

from domain.ids import GameId, LogPosition
from domain.ledger.proof import parse_proof
from domain.log.record import parse_line
from infra.postgres.connection import build_app_pool
from infra.postgres.kept_proofs import KeptProofs
from infra.postgres.queries import Queries
from infra.settings import Settings
from infra.store_faults import UnknownStream
from projections.folding import fold
from projections.released import PROJECTIONS, AnyProjection
from projections.tournaments import TOURNAMENTS
from services.audits.bundles import build_bundle
from services.commands.arena import NoSuchGame
from services.live.hub import running_hub
from services.live.steps import StepSources
from services.reading.access import ANYONE
from services.workers.archivist import ArchivistSources, look_through
from services.workers.timekeeper import Timekeeper
from simulate.stores.clock_book import MemoryClockBook
from simulate.stores.event_store import MemoryEventStore
from tests.database import Database
from tests.domain.game.game_harness import GAME as OTHER_GAME
from tests.domain.game.game_harness import Table
from tests.services.api.player import expect, register, seat_two
from tests.services.api.server import Api, memory_parts, running_api
from tests.services.ledger.ledger_harness import open_rig
from tests.services.streams import STREAM, build_stream, store_stream
from tests.services.workers.timekeeper_harness import Hall

READS = ("", "/events", "/boards", "/chronicle", "/bundle", "/audit")
OF_GAMES = [projection for projection in PROJECTIONS if projection is not TOURNAMENTS]
COMMANDS = {"seats": {"seat": 0}, "ready": {"seat": 0}, "leave": {"seat": 0}, "resign": {"seat": 0}}


class Scene(Struct, frozen=True):
    api: Api
    database: Database


@pytest.fixture
async def scene(database: Database) -> AsyncIterator[Scene]:
    """A server whose log holds a stream that is no game."""
    async with running_api(database) as api:
        await store_stream(api.parts.store, build_stream())
        yield Scene(api, database)


async def test_whoever_asks_for_it_as_for_a_game_is_told_that_there_is_none() -> None:
    store = MemoryEventStore()
    await store_stream(store, build_stream())
    parts = memory_parts(store)

    with pytest.raises(NoSuchGame):
        await parts.games.arena.load(STREAM)
    with pytest.raises(NoSuchGame):
        await parts.games.histories.read_newest(GameId(STREAM))
    with pytest.raises(UnknownStream):
        await build_bundle(store, GameId(STREAM))
    async with running_hub(
        StepSources(histories=parts.games.histories, store=store), parts.games.hints, now_ms=parts.now_ms
    ) as hub:
        with pytest.raises(NoSuchGame):
            await hub.join(GameId(STREAM), ANYONE)


@pytest.mark.parametrize("path", READS)
async def test_nothing_of_it_is_read_as_a_game_over_http(scene: Scene, path: str) -> None:
    await scene.api.project()

    response = await scene.api.client.get(f"/v1/games/{STREAM}{path}")

    assert response.status_code == 404, response.text


@pytest.mark.parametrize("name", COMMANDS)
async def test_no_command_of_a_game_reaches_it_over_http(scene: Scene, name: str) -> None:
    ada = await register(scene.api, "Ada")
    ada.game = GameId(STREAM)

    response = await ada.command(name, **COMMANDS[name])

    assert response.status_code == 404, response.text


@pytest.mark.parametrize("projection", OF_GAMES, ids=lambda each: each.name)
def test_projections_tell_nothing_of_it_and_everything_of_the_games_beside_it(projection: AnyProjection) -> None:
    lines = [parse_line(raw) for raw in build_stream()]
    game = [parse_line(raw) for raw in Table().start().raws]
    mixed = [line for pair in zip(lines, game, strict=False) for line in pair]

    told = fold(projection, {}, mixed)

    assert list(told.states) == [OTHER_GAME]
    assert told.rows == fold(projection, {}, game[: len(lines)]).rows


async def test_the_games_beside_it_are_listed_and_it_is_not(scene: Scene) -> None:
    await seat_two(scene.api)
    await scene.api.project()

    listed = (await expect(scene.api.client.get("/v1/games"), 200))["items"]

    assert [item["id"] for item in listed] == [str(OTHER_GAME)]


async def test_the_timekeeper_keeps_the_clocks_of_the_games_beside_it() -> None:
    store = MemoryEventStore()
    await store_stream(store, build_stream())
    hall = Hall(store, MemoryClockBook(store))
    await hall.open()

    timekeeper = Timekeeper(hall.book, hall.arena, await hall.book.read_mark(), now_ms=lambda: hall.now_ms)
    await timekeeper.step()

    assert timekeeper.watched_count == 1
    assert timekeeper.position == await store.read_head() > LogPosition(len(build_stream()))


async def test_the_ledger_takes_it_in_and_its_last_line_gets_a_proof_that_stays(scene: Scene, tmp_path: Path) -> None:
    ledger = scene.api.audits.bundles.ledger
    assert ledger is not None
    async with open_rig(scene.database, tmp_path) as rig, build_app_pool(scene.database.app_url) as pool:
        kept = KeptProofs(Queries(pool))
        archive = ArchivistSources(
            kept=kept,
            ledger=ledger,
            command=scene.api.parts.games.arena.handle,
            command_tournament=scene.api.parts.tournaments.write_path.handle,
            now_ms=scene.api.parts.now_ms,
        )

        await rig.notarise(rig.notary_parts(origin=Settings().origin))
        while await look_through(archive):
            pass

        found = await kept.find(GameId(STREAM))
    assert found is not None
    assert found.version == len(build_stream())
    assert parse_proof(found.last_proof).index == len(build_stream()) - 1
    assert found.first_seat_proof is not None
    assert parse_proof(found.first_seat_proof).index == 1
