"""`spina verify` as a reader of bundles uses it: exit codes, words, JSON and a page."""

import json
from pathlib import Path

import pytest

from domain.audit.bundle import Bundle
from domain.ledger.note_key import format_note_key
from domain.ledger.policy_file import format_policy
from tests.domain.audit.memory_ledger import TRUSTED
from tests.domain.ledger.signing import LOG, STRANGER
from tests.services.audits.files import cut, race, with_another_die, write
from tests.services.cli.program import run

KEY = format_note_key(LOG.key)


@pytest.mark.parametrize(
    ("bundle", "key", "code", "told"),
    [
        (race(), KEY, 0, "its own ledger has signed for it, but no witness has."),
        (with_another_die(), KEY, 1, "Do not believe this file: it was changed at line 7."),
        (race(), format_note_key(STRANGER.key), 1, "no ledger that you trust has signed for it."),
        (race(), None, 3, "you gave no key"),
        (cut(50), KEY, 3, "cannot be told yet: some checks need the end of the game."),
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
    assert ended.stdout.startswith("No verdict: ")


def test_a_folder_is_summed_up_with_what_does_not_hold(tmp_path: Path) -> None:
    policy = tmp_path / "club.policy"
    policy.write_bytes(format_policy(TRUSTED))
    write(tmp_path, "good", race())
    write(tmp_path, "bad", with_another_die())

    ended = run("verify", str(tmp_path), "--policy", str(policy), "--html", str(tmp_path / "audit.html"))

    assert ended.returncode == 1
    assert "0 of 2 bundles hold in everything." in ended.stdout
    assert ended.stdout.count("Contradicted by ") == 2
    assert "Every face follows" in ended.stdout
    assert "No two bundles tell different" in ended.stdout
    assert "0 of 2 bundles" in (tmp_path / "audit.html").read_text()


def test_programs_get_one_object(tmp_path: Path) -> None:
    path = write(tmp_path, "race", with_another_die())

    ended = run("verify", str(path), "--key", KEY, "--json")

    told = json.loads(ended.stdout)
    results = {finding["check"]: finding["result"] for finding in told["files"][0]["report"]["findings"]}
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
