"""The ground of the browser tests: a Chromium is found or fetched, and its absence is never passed over in silence."""

import stat
from pathlib import Path

import pytest
from playwright.async_api import Page

from bench.page import Chromium
from tests.services.web.chromium import NoChromium, first_that_answers
from tests.services.web.npm_packages import AXE, Package, PackageUnavailable, unpack

pytest_plugins = ("pytester",)


def executable(path: Path, script: str) -> Chromium:
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return Chromium(executable=path)


async def test_a_page_of_a_real_server_is_shown_and_may_verify(served: str, page: Page) -> None:
    await page.goto(served)

    assert "Spina" in await page.title()
    assert await page.evaluate("isSecureContext && typeof crypto.subtle") == "object"


async def test_what_the_policy_refuses_is_a_complaint(served: str, page: Page, complaints: list[str]) -> None:
    await page.goto(served)

    await page.evaluate("fetch('data:text/plain,x').catch(() => {})")

    assert any("Content Security Policy" in complaint for complaint in complaints)
    complaints.clear()


def test_one_that_does_not_answer_is_passed_over(tmp_path: Path) -> None:
    missing = Chromium(executable=tmp_path / "missing")
    stand_in = executable(tmp_path / "stand-in", "echo install me; exit 1")
    real = executable(tmp_path / "real", "echo Chromium 1")

    found = first_that_answers([missing, stand_in, real])

    assert found == real


def test_where_none_answers_all_that_was_tried_is_told(tmp_path: Path) -> None:
    with pytest.raises(NoChromium) as caught:
        first_that_answers([Chromium(executable=tmp_path / "one"), Chromium(executable=tmp_path / "two")])

    assert "one" in str(caught.value)
    assert "two" in str(caught.value)
    assert "SPINA_CHROMIUM" in str(caught.value)


def test_another_archive_than_the_pinned_one_is_not_unpacked(tmp_path: Path) -> None:
    package = Package(name="axe-core", version="4.14.0", sha512=AXE.sha512)

    with pytest.raises(PackageUnavailable, match="expected SHA-512"):
        unpack(package, b"another archive", tmp_path / "place")

    assert list(tmp_path.iterdir()) == []


TELLING = """
from tests.absence import tell_absence

def pytest_terminal_summary(terminalreporter):
    tell_absence(terminalreporter)
"""
TESTS = """
from tests.absence import give_up

def test_needing_a_browser():
    give_up("this machine has none", {environment})

def test_needing_none():
    pass
"""


def test_a_run_without_a_browser_ends_by_saying_so(pytester: pytest.Pytester) -> None:
    pytester.makeconftest(TELLING)
    pytester.makepyfile(TESTS.format(environment={}))

    ended = pytester.runpytest_inprocess("-p", "no:asyncio")

    ended.assert_outcomes(passed=1, skipped=1)
    ended.stdout.fnmatch_lines(["*!!! THE BROWSER TESTS WERE NOT RUN (1 of them) !!!*", "this machine has none"])


def test_where_a_change_is_judged_a_run_without_a_browser_is_red(pytester: pytest.Pytester) -> None:
    pytester.makeconftest(TELLING)
    pytester.makepyfile(TESTS.format(environment={"CI": "true"}))

    ended = pytester.runpytest_inprocess("-p", "no:asyncio")

    ended.assert_outcomes(passed=1, failed=1)
