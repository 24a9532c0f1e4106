"""Unexpected errors at the command line: one redacted sentence, and the frames in the log without their values."""

import json
from collections.abc import Iterator

import pytest
import typer

from services.terminal.printing import PlainGroup
from services.terminal.refusal import BUG_EXIT_CODE, bugs_told_in_a_sentence, told_in_a_sentence
from tests.own_logging import own_logging
from tests.services.cli.program import run

# Stands in everything that must not be seen.
HUNTER = "hunter2"
DATABASE = f"postgresql://ada:{HUNTER}@db.example/spina"


@pytest.fixture(autouse=True)
def logging_as_it_was() -> Iterator[None]:
    with own_logging():
        yield


def fail(*, local_value: str) -> None:
    raise RuntimeError(f"cannot reach {DATABASE} {len(local_value)}")


def test_a_bug_is_a_redacted_sentence_after_its_frames(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended, bugs_told_in_a_sentence():
        fail(local_value=f"local-{HUNTER}")

    written = capsys.readouterr().err
    logged, sentence = written.splitlines()
    entry = json.loads(logged)
    assert ended.value.code == BUG_EXIT_CODE
    assert HUNTER not in written
    assert "RuntimeError: cannot reach postgresql://[redacted]@db.example/spina 13" in sentence
    assert (entry["event"], entry["exception"][0]["type"]) == ("program_crashed", "RuntimeError")
    assert entry["exception"][0]["frames"][-1].endswith(" fail")


def test_the_program_tells_a_bug_like_that() -> None:
    # A folder cannot be written as a file, which the command does not expect.
    ended = run("bench", "fold", "--quick", "--json", "/")

    assert ended.returncode == BUG_EXIT_CODE
    assert "Traceback" not in ended.stderr
    assert "spina: a mistake of the program" in ended.stderr.splitlines()[-1]


def test_a_command_that_ends_by_itself_is_left_alone() -> None:
    with pytest.raises(SystemExit) as ended, bugs_told_in_a_sentence():
        raise SystemExit(3)

    assert ended.value.code == 3


def test_a_group_of_errors_reaches_its_caller_as_it_is() -> None:
    app = typer.Typer(cls=PlainGroup)

    @app.command()
    def fail_twice() -> None:
        raise ExceptionGroup("two tasks", [OSError("one"), OSError("two")])

    app.command(name="other")(lambda: None)

    with pytest.raises(ExceptionGroup, match="two tasks"):
        app(["fail-twice"], standalone_mode=False)


def test_a_file_that_the_system_refuses_is_named_in_a_sentence(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(typer.Exit), told_in_a_sentence(OSError):
        raise PermissionError(13, "Permission denied", "/srv/archive/game.zip")

    assert capsys.readouterr().err == "spina: expected access to /srv/archive/game.zip, found: Permission denied\n"
