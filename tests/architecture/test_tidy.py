"""The tree keeps its form: sizes, names, openings, reasons. Each rule is shown to fail on a made-up file."""

from pathlib import Path

import pytest

from infra.postgres.migrations import read_migrations
from tests.architecture.kept_files import ROOT, kept_files
from tests.architecture.tidy_rules import untidy_modules, untidy_texts

OPENING = '"""What this is."""\n'


def test_every_module_is_tidy() -> None:
    found = untidy_modules(ROOT, [path for path in kept_files() if path.suffix == ".py"])

    assert found == []


def test_every_text_can_be_published() -> None:
    found = untidy_texts(ROOT, kept_files())

    assert found == []


def test_migrations_are_numbered_from_one_without_a_hole() -> None:
    numbers = [migration.number for migration in read_migrations()]

    assert numbers == [*range(1, len(numbers) + 1)]


@pytest.mark.parametrize(
    ("name", "text", "what"),
    [
        ("a.py", OPENING + "x = 1\n" * 400, "has 401 lines"),
        ("a.py", OPENING + "def f():\n" + "    x = 1\n" * 60, "f has 61 lines"),
        ("a.py", OPENING + "class C:\n    async def f(self):\n" + "        x = 1\n" * 60, "f has 61 lines"),
        ("__init__.py", "from a import b\n", "is not empty"),
        ("a.py", "x = 1\n", "does not open with what it is"),
        ("a.py", '"""One.\n\nTwo.\nThree.\nFour.\nFive.\n"""\n', "opens with 5 lines"),
        ("game_utils.py", OPENING, "is named utils"),
        ("common/a.py", OPENING, "is named common"),
        ("a.py", OPENING + "x = 1  # no" + "qa\n", "line 2 silences"),
        ("a.py", OPENING + "x = 1  # no" + "qa: S101\n", "line 2 silences"),
        ("a.py", OPENING + "x = 1  # type: ig" + "nore  # the driver has no types\n", "line 2 silences"),
        ("a.py", OPENING + "x = 1  # type: ig" + "nore[arg-type]\n", "line 2 silences"),
    ],
)
def test_an_untidy_module_is_found(tmp_path: Path, name: str, text: str, what: str) -> None:
    path = tmp_path / name
    path.parent.mkdir(exist_ok=True)
    path.write_text(text)

    found = untidy_modules(tmp_path, [path])

    assert len(found) == 1
    assert what in found[0]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("__init__.py", ""),
        ("a.py", OPENING + "x = 1\n" * 399),
        ("a.py", OPENING + "def f():\n" + "    x = 1\n" * 59),
        ("a.py", '"""One.\n\nTwo.\nThree.\nFour.\n"""\n'),
        ("database.py", OPENING),
        ("a.py", OPENING + "x = 1  # no" + "qa: S101, S105 - made up for this test\n"),
        ("a.py", OPENING + "x = 1  # type: ig" + "nore[arg-type]  # the driver has no types\n"),
    ],
)
def test_a_tidy_module_is_left_alone(tmp_path: Path, name: str, text: str) -> None:
    path = tmp_path / name
    path.write_text(text)

    found = untidy_modules(tmp_path, [path])

    assert found == []


@pytest.mark.parametrize(
    "text",
    [
        "# TO" + "DO: later",
        "# FIX" + "ME",
        "see https://py" + "pi.org/simple",
        "--index-url https://files.python" + "hosted.org",
        "image: docker.i" + "o/library/postgres",
        "run /ho" + "me/ada/spina/run",
        "in /ro" + "ot/spina",
        'ROOT = "/wo' + 'rk/main"',
    ],
)
def test_a_text_that_cannot_be_published_is_found(tmp_path: Path, text: str) -> None:
    path = tmp_path / "notes.md"
    path.write_text(f"First line.\n{text}\n")

    found = untidy_texts(tmp_path, [path])

    assert len(found) == 1
    assert found[0].startswith("notes.md:2 ")


def test_what_is_no_text_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "board.png"
    path.write_bytes(b"\x89PNG\r\n\xff\xfe# TO" + b"DO")

    found = untidy_texts(tmp_path, [path])

    assert found == []
