"""`spina account`: the owner of the machine makes, lists and takes back organisers and operators."""

import asyncio
import json
from pathlib import Path

import asyncpg
import pytest

from domain.accounts.token import hash_token
from domain.ids import PlayerId
from infra.postgres.accounts import Accounts
from infra.postgres.connection import build_app_pool
from infra.postgres.tokens import Tokens
from tests.database import Database
from tests.services.cli.program import one_sentence, run, serving

ADA = PlayerId("0199c0de-0000-7000-8000-00000000ada0")


@pytest.mark.parametrize("role", ["organiser", "operator"])
@pytest.mark.usefixtures("record")
async def test_an_account_is_made_with_a_token_shown_once(database: Database, role: str) -> None:
    ended = run("account", "create", "--role", role, "--name", "Ada", "--json", SPINA_DATABASE_URL=database.owner_url)

    made = json.loads(ended.stdout)
    owner = await asyncpg.connect(database.owner_url)
    stored = await owner.fetchrow(
        "select account.id::text, account.name, role, hash from spina.account join spina.token on account = account.id"
    )
    await owner.close()
    assert stored is not None
    assert dict(stored) == {"id": made["id"], "name": "Ada", "role": role, "hash": hash_token(made["token"])}


@pytest.mark.usefixtures("record")
async def test_an_account_is_listed_renewed_and_revoked(database: Database) -> None:
    def ask(*asked: str) -> str:
        ended = run("account", *asked, SPINA_DATABASE_URL=database.owner_url)
        assert ended.returncode == 0, ended.stderr
        return ended.stdout

    made = json.loads(ask("create", "--role", "organiser", "--name", "Ada", "--json"))
    renewed = json.loads(ask("renew", made["id"], "--json"))
    before = ask("list")
    told = ask("revoke", made["id"])
    after = json.loads(ask("list", "--json"))

    assert renewed["token"] != made["token"]
    assert before == f"{made['id']} organiser Ada: 1 live tokens\n"
    assert told == "Ended 1 tokens.\n"
    assert after == [{"id": made["id"], "name": "Ada", "role": "organiser", "tokens": 0}]


@pytest.mark.parametrize(("asked", "named"), [("renew", "0199c0de-0000-7000-8000-0000000000f0"), ("revoke", "Ada")])
@pytest.mark.usefixtures("record")
def test_an_unknown_id_is_refused_in_a_sentence(database: Database, asked: str, named: str) -> None:
    ended = run("account", asked, named, SPINA_DATABASE_URL=database.owner_url)

    assert one_sentence(ended).endswith(f"found {named}")


@pytest.mark.usefixtures("record")
async def test_the_id_of_a_token_renews_no_account_and_ends_no_token(database: Database) -> None:
    run("account", "create", "--role", "organiser", "--name", "Ada", SPINA_DATABASE_URL=database.owner_url)
    async with database.owned() as owner:
        token = str(await owner.fetchval("select id from spina.token"))
        ended = run("account", "renew", token, SPINA_DATABASE_URL=database.owner_url)
        live = await owner.fetchval("select count(*) from spina.token where ends_at is null")

    assert one_sentence(ended).endswith(f"found {token}")
    assert live == 1


def test_the_database_of_a_running_server_is_found_by_its_folder(tmp_path: Path) -> None:
    with serving(tmp_path / "data") as server:
        server.until_ready()

        ended = run("account", "create", "--role", "organiser", "--name", "Ada", SPINA_DATA=str(tmp_path / "data"))

    assert "Made the organiser 0" in ended.stdout
    assert "spina_" in ended.stdout


def test_without_a_server_it_is_told_what_is_missing(tmp_path: Path) -> None:
    ended = run("account", "create", "--role", "organiser", "--name", "Ada", SPINA_DATA=str(tmp_path))

    assert one_sentence(ended).startswith(
        f"expected a running server with its data in {tmp_path}, found none; start it"
    )


def test_a_server_that_was_stopped_is_told_to_be(tmp_path: Path) -> None:
    with serving(tmp_path / "data") as server:
        server.until_ready()
        server.stop()

    ended = [
        run(*command, SPINA_DATA=str(tmp_path / "data"))
        for command in (
            ("account", "create", "--role", "organiser", "--name", "Ada"),
            ("export", "0199c0de-0000-7000-8000-000000000001"),
            ("rebuild", "lobby"),
        )
    ]

    assert [one_sentence(process).partition(";")[0] for process in ended] == [
        f"expected a running server with its data in {tmp_path / 'data'}, found none"
    ] * 3


def test_a_database_that_cannot_be_reached_is_named_by_the_variable_that_names_it() -> None:
    asked = ("account", "create", "--role", "organiser", "--name", "Ada")
    nowhere = "postgresql://ada:hunter2@127.0.0.1:1/spina"

    one = one_sentence(run(*asked, SPINA_DATABASE_URL=nowhere))
    two = one_sentence(run(*asked, SPINA_DATABASE_URL=nowhere, SPINA_OWNER_DATABASE_URL=nowhere))

    assert one.startswith("expected a database at SPINA_DATABASE_URL, found")
    assert two.startswith("expected a database at SPINA_OWNER_DATABASE_URL, found")


def test_a_name_that_cannot_be_shown_is_refused(tmp_path: Path) -> None:
    ended = run("account", "create", "--role", "operator", "--name", "a\nb", SPINA_DATA=str(tmp_path))

    assert one_sentence(ended) == "expected characters that are shown, found U+000A in it"


@pytest.mark.usefixtures("record")
async def test_acts_on_a_players_account_are_done(database: Database) -> None:
    def ask(*asked: str) -> None:
        recorded = ("--by", "Grace", "--reason", f"said {asked[0]}")
        ended = run("account", *asked, *recorded, SPINA_DATABASE_URL=database.owner_url)
        assert ended.returncode == 0, ended.stderr

    async with build_app_pool(database.app_url) as pool:
        accounts, tokens = Accounts(pool), Tokens(pool)
        secret = await accounts.create_player(ADA, "Rude Name")
        key = hash_token(secret)

        await asyncio.to_thread(ask, "rename", ADA, "--name", "Ada")
        renamed = await accounts.find_names([ADA])
        await asyncio.to_thread(ask, "mute", ADA)
        muted, refused = await accounts.find_names([ADA]), await accounts.rename_player(key, "Ruder Name")
        await asyncio.to_thread(ask, "unmute", ADA)
        chosen = await accounts.rename_player(key, "Ada Again")
        await asyncio.to_thread(ask, "close", ADA)
        closed, login = await accounts.find_names([ADA]), await tokens.find(secret)

    assert [each[ADA] for each in (renamed, muted, closed)] == ["Ada", "Player", "Player"]
    assert (refused, chosen, login) == (None, "Ada Again", None)
