"""`spina keys turn`: a new master key while a server runs, which a restart needs; no game is lost by it."""

from pathlib import Path

import pytest

from infra.keys import MasterKey, create_key_file, read_key_file
from infra.postgres.master_key_check import check_master_key, find_expected_key_id
from infra.settings import read_settings
from services.node.key_turning import turn_key
from tests.database import Database
from tests.services.api.player import GAME, Player, expect, seat_two
from tests.services.api.server import Api, running_api
from tests.services.cli.program import one_sentence, run


async def bind(database: Database, path: Path) -> MasterKey:
    """Make a key file, and bind the database to it as a first start does."""
    key = create_key_file(path)
    async with database.owned() as owner:
        await check_master_key(owner, key)
    return key


@pytest.mark.usefixtures("record")
async def test_a_server_that_runs_and_one_that_is_started_play_one_game(database: Database, tmp_path: Path) -> None:
    path = tmp_path / "master.key"
    first = await bind(database, path)
    async with running_api(database, key=first) as before:
        ada, bob = await seat_two(before)

        ended = run("keys", "turn", SPINA_DATABASE_URL=database.owner_url, SPINA_MASTER_KEY_FILE=str(path))

        second = read_key_file(path)
        async with database.owned() as owner:
            root = await check_master_key(owner, second)
        async with running_api(database, key=root) as after:
            await expect(ada.entrust("r1/bid/0", {"card": 0, "drop": None, "kind": "bid"}), 200)
            await expect(move_to(after, bob).entrust("r1/bid/1", {"card": 3, "drop": None, "kind": "bid"}), 200)
            owed = (await expect(ada.get(), 200))["owed"]

    assert ended.returncode == 0, ended.stderr
    assert f"The master key is {second.key_id} now" in ended.stdout
    assert read_key_file(tmp_path / f"master.key.former-{first.key_id}") == first == root != second
    # Both sealed actions were opened, so the next decision is owed.
    assert [each["decision"] for each in owed] != ["r1/bid/0", "r1/bid/1"]


def move_to(api: Api, player: Player) -> Player:
    """Return the player as it plays on over another process."""
    moved = Player(api, None, number=8, game=GAME)
    moved.headers, moved.id, moved.seat, moved.links = player.headers, player.id, player.seat, player.links
    return moved


@pytest.mark.parametrize("stopped", ["before the database", "after the database"])
@pytest.mark.usefixtures("record")
async def test_a_turn_that_was_interrupted_goes_on(database: Database, tmp_path: Path, stopped: str) -> None:
    path = tmp_path / "master.key"
    first = await bind(database, path)
    given = {"SPINA_DATABASE_URL": database.owner_url, "SPINA_MASTER_KEY_FILE": str(path)}
    if stopped == "after the database":
        await turn_key(read_settings(given), by="Grace", reason=None)
        (tmp_path / "master.key").rename(tmp_path / "master.key.new")
        (tmp_path / f"master.key.former-{first.key_id}").rename(path)
        second = read_key_file(tmp_path / "master.key.new")
    else:
        second = create_key_file(tmp_path / "master.key.new")

    turned = await turn_key(read_settings(given), by="Grace", reason=None)

    async with database.owned() as owner:
        assert await find_expected_key_id(owner) == second.key_id
    assert (turned.former, turned.new) == (first.key_id, second.key_id)
    assert list_names(tmp_path) == ["master.key", f"master.key.former-{first.key_id}"]


@pytest.mark.usefixtures("record")
async def test_a_second_turn_keeps_the_first_key_too(database: Database, tmp_path: Path) -> None:
    path = tmp_path / "master.key"
    first = await bind(database, path)
    settings = read_settings({"SPINA_DATABASE_URL": database.owner_url, "SPINA_MASTER_KEY_FILE": str(path)})

    turned = [await turn_key(settings, by="Grace", reason=None) for _ in range(2)]

    assert [read_key_file(Path(key.kept)).key_id for key in turned] == [first.key_id, turned[0].new]


def list_names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_a_key_in_a_variable_is_not_turned() -> None:
    text = "spina-master-1:" + "0" * 64 + ":00000000"

    ended = run("keys", "turn", SPINA_MASTER_KEY=text, SPINA_DATABASE_URL="postgresql://127.0.0.1:1/x")

    assert one_sentence(ended).startswith("expected the master key in a file")
