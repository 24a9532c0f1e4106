"""`spina verify`, `replay` and `export` as a reader of a bundle uses them: exit codes, words, JSON and a page."""

import json
from pathlib import Path

import pytest

from domain.audit.bundle import Bundle, bundle_name, parse_bundle
from domain.ledger.note_key import format_note_key
from domain.ledger.policy_file import format_policy
from infra.postgres.event_store import open_event_store
from tests.database import Database
from tests.domain.audit.notary import TRUSTED
from tests.domain.game.table import GAME
from tests.domain.ledger.signing import LOG, STRANGER
from tests.services.audits.files import cut, race, with_another_die, write
from tests.services.audits.test_export import store_race
from tests.services.cli.program import one_sentence, run

KEY = format_note_key(LOG.key)


@pytest.mark.parametrize(
    ("bundle", "key", "code", "told"),
    [
        (race(), KEY, 0, "Everything holds."),
        (with_another_die(), KEY, 1, "findings do not hold, the first at line"),
        (race(), format_note_key(STRANGER.key), 1, "1 finding does not hold."),
        (race(), None, 3, "something cannot be checked yet"),
        (cut(50), KEY, 3, "something cannot be checked yet"),
    ],
)
def test_the_exit_code_says_what_came_of_it(
    tmp_path: Path, bundle: Bundle, key: str | None, code: int, told: str
) -> None:
    path = write(tmp_path, "race", bundle)

    ended = run("verify", str(path), *(("--key", key) if key else ()))

    assert ended.returncode == code, ended.stderr
    assert told in ended.stdout


def test_a_file_that_is_no_bundle_ends_with_two(tmp_path: Path) -> None:
    path = tmp_path / "a.spina.zip"
    path.write_bytes(b"none")

    ended = run("verify", str(path))

    assert ended.returncode == 2
    assert "cannot be read as a bundle" in ended.stdout


def test_a_folder_is_summed_up_with_what_does_not_hold(tmp_path: Path) -> None:
    policy = tmp_path / "club.policy"
    policy.write_bytes(format_policy(TRUSTED))
    write(tmp_path, "good", race())
    write(tmp_path, "bad", with_another_die())

    ended = run("verify", str(tmp_path), "--policy", str(policy), "--html", str(tmp_path / "audit.html"))

    assert ended.returncode == 1
    assert "1 of 2 bundles hold in everything." in ended.stdout
    assert "Every face follows" in ended.stdout
    assert "No two bundles tell different" in ended.stdout
    assert "1 of 2 bundles" in (tmp_path / "audit.html").read_text()


def test_programs_get_one_object(tmp_path: Path) -> None:
    path = write(tmp_path, "race", with_another_die())

    ended = run("verify", str(path), "--key", KEY, "--json")

    told = json.loads(ended.stdout)
    results = {each["check"]: each["result"] for each in told["files"][0]["report"]["findings"]}
    assert told["exit_code"] == ended.returncode == 1
    assert results["dice-faces"]["verdict"] == "did_not_hold"
    assert results["seals"]["verdict"] == "held"
    assert isinstance(results["dice-faces"]["version"], int)


@pytest.mark.parametrize("arguments", [("--key", "x"), ("--policy", "x", "--key", KEY)])
def test_a_key_that_is_none_is_refused_before_anything_is_read(tmp_path: Path, arguments: tuple[str, ...]) -> None:
    path = write(tmp_path, "race", race())

    ended = run("verify", str(path), *arguments)

    assert ended.returncode == 2
    assert "expected" in ended.stderr


def test_the_story_is_told_with_the_board_after_it(tmp_path: Path) -> None:
    path = write(tmp_path, "race", race())

    ended = run("replay", str(path), "--at", "40")

    assert ended.returncode == 0, ended.stderr
    assert "   40  12:00:00" in ended.stdout
    assert "   41  " not in ended.stdout
    assert "after line 40, as the public saw it" in ended.stdout


def test_frames_are_told_one_a_line(tmp_path: Path) -> None:
    path = write(tmp_path, "race", race())

    frames = [json.loads(line) for line in run("replay", str(path), "--json").stdout.splitlines()]

    assert [frame["version"] for frame in frames] == list(range(1, len(frames) + 1))
    assert [frame["line"] for frame in frames] == [json.loads(line) for line in race().log.splitlines()]
    assert frames[0]["board"] is None
    assert frames[-1]["board"]["ended"]


def test_a_seats_own_view_is_shown_once_the_secret_is_known(tmp_path: Path) -> None:
    over, going_on = write(tmp_path, "over", race()), write(tmp_path, "cut", cut(50))

    shown = run("replay", str(over), "--seat", "1", "--json", "--at", "30")
    refused = run("replay", str(going_on), "--seat", "1")

    assert json.loads(shown.stdout)["version"] == 30
    assert "once the secret is disclosed" in one_sentence(refused)


@pytest.mark.parametrize("arguments", [("--at", "9999"), ("--seat", "7")])
def test_what_is_not_in_the_game_cannot_be_told(tmp_path: Path, arguments: tuple[str, ...]) -> None:
    ended = run("replay", str(write(tmp_path, "race", race())), *arguments)

    assert one_sentence(ended).startswith("line ")


async def test_a_stored_game_is_exported_as_one_file_that_holds(tmp_path: Path, database: Database) -> None:
    async with open_event_store(database.app_url) as store:
        await store_race(store)

    ended = run("export", GAME, "--to", str(tmp_path), "--database", database.app_url)
    verified = run("verify", ended.stdout.strip(), "--key", KEY)

    exported = parse_bundle((tmp_path / bundle_name(GAME)).read_bytes())
    assert exported.log == race().log
    # There is no ledger yet that has it.
    assert verified.returncode == 3


def test_a_game_that_is_not_stored_is_told(tmp_path: Path, database: Database) -> None:
    ended = run("export", GAME, "--to", str(tmp_path), SPINA_DATABASE_URL=database.app_url)
    misspelt = run("export", "none", "--to", str(tmp_path), SPINA_DATABASE_URL=database.app_url)

    assert GAME in one_sentence(ended)
    assert "expected the id of a game" in one_sentence(misspelt)
    assert list(tmp_path.iterdir()) == []


def test_without_a_database_an_export_tells_what_is_missing(tmp_path: Path) -> None:
    ended = run("export", GAME, "--to", str(tmp_path), SPINA_DATA=str(tmp_path))

    assert one_sentence(ended) == f"expected a server that was started with its data in {tmp_path}, found none"
