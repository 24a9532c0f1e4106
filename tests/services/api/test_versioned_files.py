"""Files under the addresses of their version: every page names them, each once and all of its modules, for ever."""

import re

import pytest
from litestar.testing import TestClient

from services.api.pages.versioned import (
    FOR_EVER,
    JOINED,
    WORKER,
    find_version,
    joined_name,
    list_modules,
    list_scripts,
    split_version,
)
from services.api.pages.web import KEPT, PAGES, read_joined_scripts, read_sources, read_versioned_files, read_web_files
from tests.services.api.described import APP
from tests.services.web.node import find_unread

CLIENT = TestClient(APP)
HTML = sorted(name for name in read_web_files() if name.endswith(".html"))


def read_named(name: str) -> list[str]:
    """Read the addresses of files that a page names."""
    return re.findall(r'(?:src|href)="(/web/[^"]*)"', read_web_files()[name].content.decode())


@pytest.mark.parametrize("name", HTML)
def test_a_page_names_all_of_its_modules_each_once_under_one_version(name: str) -> None:
    named = read_named(name)
    scripts = list_scripts(read_sources()[name])

    versions, files = zip(*(split_version(text.removeprefix("/web/")) for text in named), strict=True)
    graph = {module for script in scripts for module in list_modules(script, read_sources())}
    assert set(versions) == {read_versioned_files().version}
    assert len(set(files)) == len(files)
    modules = {file for file in files if file.endswith(".js")}
    assert modules == ({joined_name(name)} if joined_name(name) in read_joined_scripts() else graph)


def test_the_pages_of_many_visits_ask_for_one_script() -> None:
    joined = {name for name in HTML if joined_name(name) in read_joined_scripts()}

    # Their modules load pictures, a replay or the drawing of a course once they are wanted.
    assert {name for name in HTML if list_scripts(read_sources()[name])} - joined <= {"verify.html", "courses.html"} | {
        name for name in HTML if name.startswith("rules/")
    }


@pytest.mark.parametrize("name", sorted(read_joined_scripts()))
def test_a_joined_script_holds_every_module_of_its_page_and_is_kept_for_ever(name: str) -> None:
    page = name.removeprefix(JOINED).removesuffix(".js") + ".html"
    entries = [WORKER] if name.endswith(WORKER) else list_scripts(read_sources()[page])

    answer = CLIENT.get(f"/web/{read_versioned_files().version}/{name}")

    assert answer.headers["cache-control"] == FOR_EVER
    modules = {module for entry in entries for module in list_modules(entry, read_sources())}
    assert answer.text.count("await (async () => {") >= len(modules)
    assert f'"/web/{WORKER}"' not in answer.text
    assert not find_unread({name: answer.text})


@pytest.mark.parametrize("name", sorted(read_sources()))
def test_a_file_of_this_version_is_kept_for_ever_and_of_another_asked_about_again(name: str) -> None:
    version = read_versioned_files().version

    kept = CLIENT.get(f"/web/{version}/{name}")
    other = CLIENT.get(f"/web/{'0' * 16}/{name}")
    plain = CLIENT.get(f"/web/{name}")

    assert [response.headers["cache-control"] for response in (kept, other, plain)] == [FOR_EVER, KEPT, KEPT]
    assert kept.content == other.content
    if not name.endswith(".html"):
        assert plain.content == read_sources()[name]


def test_a_versioned_module_opens_its_worker_and_icons_by_the_same_version() -> None:
    files = read_versioned_files()

    address = f'"/web/{files.version}/{WORKER}"'.encode()
    opened = [name for name, ready in files.by_name.items() if address in ready.content]
    plain = [name for name, ready in files.by_name.items() if name.endswith(".js") and b'"/web/' in ready.content]

    assert opened == ["verify/open_worker.js"]
    assert all(f'"/web/{files.version}/'.encode() in files.by_name[name].content for name in plain)
    assert set(list_modules(WORKER, read_sources())) <= set(files.by_name)


@pytest.mark.parametrize("path", [path for path in PAGES if "{" not in path])
def test_a_second_visit_asks_for_the_page_alone(path: str) -> None:
    page = CLIENT.get(path)

    named = re.findall(r'(?:src|href)="(/web/[^"]*)"', page.text)
    asked_again = [each for each in named if "immutable" not in CLIENT.get(each).headers["cache-control"]]

    assert named
    assert asked_again == []


def test_one_changed_byte_or_name_is_another_version() -> None:
    files = {"a.js": b"1", "b.js": b"2"}

    versions = {
        find_version(item) for item in (files, {**files, "a.js": b"3"}, {"a.js": b"1", "c.js": b"2"}, {"a.js": b"12"})
    }

    assert len(versions) == 4


@pytest.mark.parametrize("name", ["", "0123456789abcdef", "0123456789abcde/game.js", "game/game.js"])
def test_a_name_without_a_version_is_a_plain_one(name: str) -> None:
    assert split_version(name) == (None, name)
