"""`spina replay`: the story with a board after it, frames for programs, and each viewer's own view."""

import json
from pathlib import Path

import msgspec
import pytest

from tests.services.audits.files import cut, race, write
from tests.services.cli.program import one_sentence, run


def test_the_story_is_told_with_the_board_after_it(tmp_path: Path) -> None:
    path = write(tmp_path, "race", race())

    ended = run("replay", str(path), "--at", "40")

    assert ended.returncode == 0, ended.stderr
    assert "   40  12:00:00" in ended.stdout
    assert "   41  " not in ended.stdout
    assert "after line 40, as the public saw it" in ended.stdout


def test_a_log_whose_chain_is_broken_is_told_with_a_warning(tmp_path: Path) -> None:
    lines = race().log.splitlines(keepends=True)
    forged = msgspec.structs.replace(race(), log=b"".join([*lines[:39], _later(lines[39]), *lines[40:]]))

    whole = run("replay", str(write(tmp_path, "race", race())))
    told = run("replay", str(write(tmp_path, "forged", forged)), "--json")

    assert whole.stderr == ""
    assert (whole.returncode, told.returncode) == (0, 1)
    assert len(told.stdout.splitlines()) == len(lines)
    assert told.stderr.startswith("spina: this log does not hold, ")
    assert "spina verify" in told.stderr


def _later(line: bytes) -> bytes:
    """Move a line by a millisecond, as whoever edits a log would."""
    at = msgspec.json.decode(line)["at"]
    return line.replace(at.encode(), f"{at[:-4]}{(int(at[-4:-1]) + 1) % 1000:03d}Z".encode())


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


def test_a_file_that_is_no_bundle_cannot_be_told(tmp_path: Path) -> None:
    path = tmp_path / "a.spina.zip"
    path.write_bytes(b"none")

    ended = run("replay", str(path))

    assert ended.returncode == 2
    assert ended.stderr.startswith("spina: expected")
