"""`spina export`: from the database that is given, set or running, to one file that can be verified."""

from pathlib import Path

from domain.audit.bundle import bundle_name, parse_bundle
from infra.postgres.event_store import open_event_store
from tests.database import Database
from tests.domain.game.game_harness import GAME
from tests.services.audits.files import race
from tests.services.audits.test_bundles import store_race
from tests.services.cli.program import one_sentence, run


async def test_a_stored_game_is_exported_as_one_file_that_holds(tmp_path: Path, database: Database) -> None:
    async with open_event_store(database.app_url) as store:
        await store_race(store)

    ended = run("export", GAME, "--to", str(tmp_path), "--database", database.app_url)
    verified = run("verify", ended.stdout.strip())

    exported = parse_bundle((tmp_path / bundle_name(GAME)).read_bytes())
    assert exported.log == race().log
    # There is no ledger yet that has it.
    assert verified.returncode == 3


async def test_a_race_is_the_same_page_from_the_database_and_from_its_file(tmp_path: Path, database: Database) -> None:
    async with open_event_store(database.app_url) as store:
        await store_race(store)
    given = ("--to", str(tmp_path), "--database", database.app_url)

    bundle = run("export", GAME, *given).stdout.strip()
    page = run("export", GAME, "--html", *given).stdout.strip()
    told = run("replay", bundle, "--html", str(tmp_path / "told.html"))

    exported = (tmp_path / f"{GAME}.html").read_bytes()
    assert page == str(tmp_path / f"{GAME}.html")
    assert told.returncode == 0, told.stderr
    assert exported == (tmp_path / "told.html").read_bytes()
    assert race().log in exported


def test_a_game_that_is_not_stored_is_told(tmp_path: Path, database: Database) -> None:
    ended = run("export", GAME, "--to", str(tmp_path), SPINA_DATABASE_URL=database.app_url)
    misspelt = run("export", "none", "--to", str(tmp_path), SPINA_DATABASE_URL=database.app_url)

    assert GAME in one_sentence(ended)
    assert "expected the id of a game" in one_sentence(misspelt)
    assert list(tmp_path.iterdir()) == []


def test_an_archive_tells_how_much_of_it_there_is(tmp_path: Path, database: Database) -> None:
    archived = run("export", "--all", "--to", str(tmp_path), SPINA_DATABASE_URL=database.app_url)
    both = run("export", GAME, "--all", SPINA_DATABASE_URL=database.app_url)

    assert archived.stdout == "0 written, 0 were there, 0 wait for their proof.\n"
    assert both.returncode == 2


def test_without_a_database_an_export_tells_what_is_missing(tmp_path: Path) -> None:
    ended = run("export", GAME, "--to", str(tmp_path), SPINA_DATA=str(tmp_path))

    assert one_sentence(ended).startswith(
        f"expected a running server with its data in {tmp_path}, found none; start it"
    )
