"""The pages' scripts as a whole: a real engine reads every one, and all their imports are served."""

import re

import pytest

from services.api.pages.web import FOLDER, read_web_files
from tests.services.web.node import find_unread

MODULES = sorted(path.relative_to(FOLDER).as_posix() for path in FOLDER.rglob("*.js"))
LINES_MAX = 400
# Biome breaks code, but neither comments nor texts.
COLUMNS_MAX = 120
# The rooms of the browser's code, each of which imports those before it; entry points alone stand at the root.
ROOMS = (
    "parts", "board", "panel", "rulesets", "verify", "proof", "seat", "tournament", "play", "game", "organiser",
    "account", "courses",
)  # fmt: skip
ROOT = ("embed.js", "lobby.js", "player_page.js", "race_file.js", "rules_page.js", "sw.js", "verify_page.js")
IMPORTED = re.compile(r'(?:from|import) "([^"]+)"')


def test_every_module_is_read_by_the_engine() -> None:
    texts = {name: (FOLDER / name).read_text() for name in MODULES}

    assert find_unread(texts) == set()


@pytest.mark.parametrize("text", ["const x = {;", 'import { a from "./b.js";', "class A { m() { return this.#y; } }"])
def test_a_broken_module_is_found(text: str) -> None:
    assert find_unread({"broken": text, "whole": "export const a = 1;"}) == {"broken"}


@pytest.mark.parametrize("name", MODULES)
def test_every_import_is_a_file_that_is_served(name: str) -> None:
    text = (FOLDER / name).read_text()

    imported = {(FOLDER / name).parent.joinpath(match_).resolve() for match_ in IMPORTED.findall(text)}

    assert {path.relative_to(FOLDER).as_posix() for path in imported} <= set(read_web_files())


@pytest.mark.parametrize("name", MODULES)
def test_every_module_says_what_it_is_and_stays_small(name: str) -> None:
    lines = (FOLDER / name).read_text().splitlines()

    assert lines[0].startswith("// ")
    assert len(lines) <= LINES_MAX
    assert [line for line in lines if len(line) > COLUMNS_MAX] == []


def test_no_module_writes_markup_or_runs_text() -> None:
    texts = {name: (FOLDER / name).read_text() for name in MODULES}

    refused = [
        f"{name}: {word}"
        for name, text in texts.items()
        for word in ("innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "new Function")
        if word in text
    ]

    assert refused == []


@pytest.mark.parametrize("name", [name for name in MODULES if name.startswith("verify/")])
def test_what_verifies_needs_nothing_of_the_pages_that_show(name: str) -> None:
    imported = IMPORTED.findall((FOLDER / name).read_text())

    assert all(module.startswith("./") and "/" not in module[2:] for module in imported)


def find_room(name: str) -> str:
    return name.partition("/")[0] if "/" in name else ""


def test_entry_points_alone_stand_at_the_root() -> None:
    assert {find_room(name) for name in MODULES} == {*ROOMS, ""}
    assert tuple(name for name in MODULES if not find_room(name)) == ROOT


@pytest.mark.parametrize("name", [name for name in MODULES if find_room(name)])
def test_a_room_imports_the_rooms_before_it(name: str) -> None:
    allowed = ROOMS[: ROOMS.index(find_room(name)) + 1]

    imported = [
        (FOLDER / name).parent.joinpath(path).resolve().relative_to(FOLDER).as_posix()
        for path in IMPORTED.findall((FOLDER / name).read_text())
    ]

    assert [path for path in imported if find_room(path) not in allowed] == []
