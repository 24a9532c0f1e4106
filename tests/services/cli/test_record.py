"""`spina record`: the acts of operators shown by account, and as a file that is verified offline."""

import json
from pathlib import Path

import pytest

from domain.derived_ids import derive_record
from infra.postgres.event_store import open_event_store
from infra.settings import Settings
from tests.database import Database
from tests.domain.game.game_harness import GAME
from tests.services.audits.files import cut
from tests.services.audits.test_bundles import store_race
from tests.services.cli.program import one_sentence, run
from tests.services.node.test_records import private

pytestmark = pytest.mark.usefixtures("record")


def ask(database: Database, *asked: str) -> str:
    ended = run(*asked, SPINA_DATABASE_URL=database.owner_url)
    assert ended.returncode == 0, ended.stderr
    return ended.stdout


def test_an_act_is_shown_by_its_account_and_stands_in_a_file_that_holds(tmp_path: Path, database: Database) -> None:
    made = json.loads(
        ask(database, "account", "create", "--role", "operator", "--name", "Bob", "--json", "--by", "Grace")
    )
    ask(database, "account", "renew", made["id"], "--by", "Grace")

    told, _ = ask(database, "record", "show", made["id"]).splitlines()
    path = ask(database, "record", "export", "--to", str(tmp_path)).strip()
    verified = json.loads(run("verify", path, "--json").stdout)["files"][0]

    assert told.split(" ", 2)[2] == f"account_made account {made['id']} role operator by Grace"
    assert verified["verdict"].startswith("The operators' record of localhost/spina has 3 lines, the last of ")
    assert verified["report"]["record"] == derive_record(Settings().origin)
    assert (verified["exit_code"], verified["report"]["game"]) == (3, None)


async def test_a_view_that_cannot_be_put_on_record_shows_nothing(tmp_path: Path, database: Database) -> None:
    async with open_event_store(database.app_url) as store:
        await store_race(store, private(cut(40)))

    # The login of the server may read the game, and not write in the record.
    exported = run("export", GAME, "--to", str(tmp_path), SPINA_DATABASE_URL=database.app_url)
    audited = run("audit", "--all", SPINA_DATABASE_URL=database.app_url)

    assert "permission denied" in one_sentence(exported)
    assert "permission denied" in one_sentence(audited)
    assert exported.stdout == audited.stdout == ""


def test_an_audit_of_all_games_is_on_record_by_its_operator(database: Database) -> None:
    ask(database, "audit", "--all", "--by", "Grace", "--reason", "before an upgrade")

    _, told = ask(database, "record", "show").splitlines()

    after = "00000000-0000-0000-0000-000000000000"
    assert told.split(" ", 2)[2] == f"streams_audited after {after} by Grace: before an upgrade"
