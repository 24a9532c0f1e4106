"""`spina export --all`: what is over becomes a file once, and the folder is verified without a server."""

from collections.abc import AsyncIterator
from pathlib import Path

import asyncpg
import pytest

from domain.audit.bundle import bundle_name, format_bundle, parse_bundle
from domain.audit.tournament_bundle import parse_tournament_bundle, tournament_bundle_name
from domain.audit.verify import verify
from domain.ids import GameId
from domain.ruleset.catalogue import hash_components
from domain.rulesets.released import KITS, Rebuilder
from domain.tournament.events import TournamentAborted
from infra.settings import Settings
from services.audits.bundles import ends_finished
from services.node.archive import Archived, archive_ended
from services.node.export import Asked, export_game
from tests.appends import new_game
from tests.database import Database
from tests.domain.game.game_harness import GAME
from tests.domain.tournament.tournament_harness import CUP, ORGANISER, PAIRS, RULES
from tests.services.api.player import expect, seat_two, seat_two_in_private
from tests.services.api.server import Api, running_api
from tests.services.api.test_bundles import notarise, read_trust
from tests.services.ledger.ledger_harness import Rig, open_rig
from tests.services.node.test_records import RECORD
from tests.services.workers.steward_harness import Estate


@pytest.fixture
async def rig(database: Database, tmp_path: Path) -> AsyncIterator[Rig]:
    async with open_rig(database, tmp_path / "ledger") as rig:
        yield rig


@pytest.fixture
async def api(database: Database) -> AsyncIterator[Api]:
    """Replace the server of made-up rules by one whose games can be verified."""
    async with running_api(database, kits=KITS) as api:
        yield api


async def archive(database: Database, folder: Path) -> Archived:
    return await archive_ended(Settings(), folder, by="Grace", database_url=database.app_url)


def list_files(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}


async def test_each_game_that_is_over_is_written_once_and_holds(
    api: Api, rig: Rig, database: Database, tmp_path: Path
) -> None:
    ada, _ = await seat_two(api, ruleset="charioteer@1")
    await seat_two(api, ruleset="charioteer@1", game=GameId(new_game()))
    await expect(ada.resign(), 200)
    await notarise(rig, api)

    first, again = await archive(database, tmp_path), await archive(database, tmp_path)

    assert (first, again) == (Archived(written=1), Archived(there=1))
    files = list_files(tmp_path)
    assert list(files) == [bundle_name(GAME)]
    trust = await read_trust(api)
    report = verify(parse_bundle(files[bundle_name(GAME)]), rebuilder=Rebuilder(), trust=trust).report
    assert report.broken == ()


async def test_a_tournament_that_is_over_is_written_once(
    api: Api, rig: Rig, database: Database, tmp_path: Path
) -> None:
    store = api.parts.log
    await store.save_components(hash_components(RULES), ruleset="torches", version=1, body=RULES.components)
    estate = Estate(store)
    await estate.open(4, tables=PAIRS)
    await estate.order(TournamentAborted, ORGANISER, reason="rain")
    await notarise(rig, api)

    first, again = await archive(database, tmp_path), await archive(database, tmp_path)

    assert (first, again) == (Archived(written=1), Archived(there=1))
    bundle = parse_tournament_bundle(list_files(tmp_path)[tournament_bundle_name(CUP)])
    assert bundle.last_proof is not None


@pytest.mark.usefixtures("record")
async def test_an_archive_with_private_games_makes_one_line(
    api: Api, rig: Rig, database: Database, tmp_path: Path
) -> None:
    for game in (GAME, GameId(new_game())):
        ada, _ = await seat_two_in_private(api, ruleset="charioteer@1", game=game)
        await expect(ada.resign(), 200)
    await notarise(rig, api)

    with pytest.raises(asyncpg.InsufficientPrivilegeError):
        await archive(database, tmp_path)
    refused = list_files(tmp_path)
    archived = await archive_ended(Settings(), tmp_path, by="Grace", database_url=database.owner_url)

    assert (refused, archived) == ({}, Archived(written=2))
    async with database.owned() as owner:
        types = await owner.fetch("select type from spina.event where stream = $1 order by version", RECORD)
    assert [type_["type"] for type_ in types] == ["record_opened", "streams_archived"]


async def test_a_game_whose_end_is_not_proven_yet_waits(api: Api, database: Database, tmp_path: Path) -> None:
    ada, _ = await seat_two(api, ruleset="charioteer@1")
    await expect(ada.resign(), 200)

    archived = await archive(database, tmp_path)

    assert (archived, list_files(tmp_path)) == (Archived(waiting=1), {})


async def test_a_tournament_waits_for_the_last_of_its_games(
    api: Api, rig: Rig, database: Database, tmp_path: Path
) -> None:
    store = api.parts.log
    await store.save_components(hash_components(RULES), ruleset="torches", version=1, body=RULES.components)
    estate = Estate(store)
    await estate.open(4, tables=PAIRS)
    await estate.draw()
    for table in (await estate.round()).tables:
        await estate.sit(table, *table.entrants)
    await estate.order(TournamentAborted, ORGANISER, reason="rain")
    await notarise(rig, api)

    archived = await archive(database, tmp_path)

    assert (archived, list_files(tmp_path)) == (Archived(waiting=1), {})


async def test_a_file_of_a_game_that_went_on_is_written_anew(
    api: Api, rig: Rig, database: Database, tmp_path: Path
) -> None:
    ada, _ = await seat_two(api, ruleset="charioteer@1")
    exported = await export_game(Settings(), Asked(game=GAME, by="Grace", database_url=database.app_url), wait_s=0)
    path = tmp_path / bundle_name(GAME)
    path.write_bytes(format_bundle(exported.bundle))
    await expect(ada.resign(), 200)
    await notarise(rig, api)

    archived = await archive(database, tmp_path)

    assert archived == Archived(written=1)
    assert ends_finished(parse_bundle(path.read_bytes()).log)


async def test_a_stream_of_which_no_file_can_be_made_holds_up_no_other(
    api: Api, rig: Rig, database: Database, tmp_path: Path
) -> None:
    estate = Estate(api.parts.log)
    await estate.open(4, tables=PAIRS)
    await estate.order(TournamentAborted, ORGANISER, reason="rain")
    ada, _ = await seat_two(api, ruleset="charioteer@1", game=GameId(new_game()))
    await expect(ada.resign(), 200)
    await notarise(rig, api)

    archived = await archive(database, tmp_path)

    assert archived.written == 1
    assert [name.partition(":")[0] for name in archived.damaged] == [CUP]
