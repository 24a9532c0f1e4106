"""Documents stay true and short. Each rule is shown to fail on a made-up page."""

import re
from pathlib import Path

import msgspec
import pytest
import yaml  # type: ignore[import-untyped]  # it comes with Litestar, without types

from infra.settings import Settings, variable_name
from tests.architecture.document_rules import (
    broken_links,
    list_pictured_rooms,
    long_pages,
    missing_modules,
    missing_paths,
    wide_lines,
    words_defined_twice,
)
from tests.architecture.import_rules import ROOMS
from tests.architecture.kept_files import ROOT, kept_files

# Two screens, and one page of prose.
WORDS_MAX = {"README.md": 700, "ARCHITECTURE.md": 1_200}
README_LINES_MAX = 150


def pages() -> list[Path]:
    return [path for path in kept_files() if path.suffix == ".md"]


def test_every_link_leads_somewhere() -> None:
    found = list(broken_links(ROOT, pages()))

    assert found == []


def test_prose_keeps_to_the_width_of_code() -> None:
    # The reference of the client is made from its signatures.
    found = list(wide_lines(ROOT, [page for page in pages() if page.name != "REFERENCE.md"]))

    assert found == []


def test_every_path_that_a_page_names_is_there() -> None:
    found = list(missing_paths(ROOT, pages()))

    assert found == []


def test_every_file_that_a_comment_names_is_there() -> None:
    found = list(missing_modules(ROOT, [path for path in kept_files() if path.suffix in {".py", ".js"}]))

    assert found == []


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.py", '"""Must agree with gone.py."""\n'),
        ("a.py", "def f() -> None:  # see gone.py\n    ...\n"),
        ("a.js", "// Must agree with\n// gone.py.\n"),
    ],
)
def test_a_comment_that_names_a_missing_file_is_found(tmp_path: Path, name: str, text: str) -> None:
    (tmp_path / name).write_text(text)

    assert list(missing_modules(tmp_path, [tmp_path / name])) == [f"{name} names gone.py, which does not exist"]


def test_the_picture_has_every_room_above_those_that_it_imports() -> None:
    pictured = list_pictured_rooms((ROOT / "ARCHITECTURE.md").read_text())

    rows = [next(index for index, row in enumerate(pictured) if room in row) for room in reversed(ROOMS)]

    assert rows == sorted(rows)
    assert set().union(*pictured) == set(ROOMS)


def test_the_first_pages_are_short() -> None:
    found = list(long_pages(ROOT, WORDS_MAX))

    assert found == []
    assert len((ROOT / "README.md").read_text().splitlines()) <= README_LINES_MAX


def test_the_glossary_defines_a_word_once() -> None:
    found = list(words_defined_twice(ROOT / "docs" / "glossary.md"))

    assert found == []


def test_every_setting_is_listed_with_its_default() -> None:
    rows = [line.split("|") for line in (ROOT / "docs" / "settings.md").read_text().splitlines() if "| `SPINA_" in line]

    listed = {row[1].strip(" `"): row[2] for row in rows}

    assert set(listed) == {variable_name(name) for name in Settings.__struct_fields__}
    for field in msgspec.structs.fields(Settings):
        if isinstance(field.default, str | int | Path):
            assert listed[variable_name(field.name)].strip(" `") == str(field.default)


def test_every_hook_runs_from_the_environment_of_make() -> None:
    config = yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text())

    hooks = [hook for repo in config["repos"] for hook in repo["hooks"]]

    assert [repo["repo"] for repo in config["repos"]] == ["local"]
    assert {hook["language"] for hook in hooks} == {"system"}
    assert all(hook["entry"].startswith((".venv/bin/", "bash -c ")) for hook in hooks)


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("See [there](gone.md).", "a.md links to gone.md, which does not exist"),
        ("# One\n\nSee [two](#two).", "a.md links to #two, a heading that does not exist"),
        ("![A board](board.png)", "a.md links to board.png, which does not exist"),
    ],
)
def test_a_broken_link_is_found(tmp_path: Path, text: str, fault: str) -> None:
    page = tmp_path / "a.md"
    page.write_text(text)

    assert list(broken_links(tmp_path, [page])) == [fault]


def test_links_to_pages_headings_and_elsewhere_are_left_alone(tmp_path: Path) -> None:
    page = tmp_path / "a.md"
    page.write_text("# 1. One, *two*\n\n[here](#1-one-two) [itself](a.md) [the web](https://example.org/gone)")

    assert list(broken_links(tmp_path, [page])) == []


@pytest.mark.parametrize("name", ["domain/gone.py", "domain/gone/"])
def test_a_path_that_is_not_there_is_found(tmp_path: Path, name: str) -> None:
    (tmp_path / "domain").mkdir()
    page = tmp_path / "a.md"
    page.write_text(f"It is in `{name}`.")

    assert list(missing_paths(tmp_path, [page])) == [f"a.md names {name}, which does not exist"]


@pytest.mark.parametrize("name", ["domain/", "domain/a.py", "/v1/games.json", "games/ID.json", "a/b.py"])
def test_paths_that_are_there_or_not_ours_are_left_alone(tmp_path: Path, name: str) -> None:
    (tmp_path / "domain").mkdir()
    (tmp_path / "domain" / "a.py").touch()
    page = tmp_path / "a.md"
    page.write_text(f"It is in `{name}`.")

    assert list(missing_paths(tmp_path, [page])) == []


def test_a_page_that_is_too_long_is_found(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("one two three four\n\n```\nfive six\n```\n")

    assert list(long_pages(tmp_path, {"a.md": 3})) == ["a.md has 4 words, more than 3"]


def test_a_wide_line_of_prose_is_found(tmp_path: Path) -> None:
    page = tmp_path / "a.md"
    page.write_text(f"```\n{'code ' * 40}\n```\n| {'cell ' * 40} |\n- `{'span ' * 40}`\n{'word ' * 40}\n")

    assert list(wide_lines(tmp_path, [page])) == ["a.md:6 has 200 columns, more than 120"]


def test_a_word_that_is_defined_twice_is_found(tmp_path: Path) -> None:
    page = tmp_path / "glossary.md"
    page.write_text("| **seat** | a place |\n| **place** | of a **seat** |\n")

    assert list(words_defined_twice(page)) == ["seat is defined 2 times"]


def test_every_test_that_the_page_of_security_names_is_there() -> None:
    missing = []
    for line in (ROOT / "docs" / "security.md").read_text().splitlines():
        folder = ""
        for path in re.findall(r"`((?:tests/|test_)[\w/*.]*)`", line):
            # Beside a whole path, the name alone is in the same folder.
            whole = path if path.startswith("tests/") else f"{folder}/{path}"
            folder = whole.rpartition("/")[0]
            missing += [] if list(ROOT.glob(whole)) else [whole]

    assert missing == []
