"""A real browser and a real server for the tests of the pages: `page` is a fresh tab, `served` where to send it."""

import os
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio
from playwright.async_api import Browser, Page, async_playwright

from tests.absence import give_up
from tests.database import Database, database_of_its_own
from tests.servers import ServersForTests
from tests.services.listening import listening
from tests.services.web.axe import read_axe
from tests.services.web.chromium import NoChromium, find_chromium
from tests.services.web.game_server import CHARIOTEER, Stage, staged
from tests.services.web.tournament_server import CupStage, staged_round

# Two cores are shared by all tests of a run; a wait for an event that never comes ends after this.
WAIT_MS = 20_000

# This machine, by a name for which a browser takes it for another: its pages are plain http from elsewhere.
ANOTHER_MACHINE = "another-machine.test"


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Run every user of a browser in the loop of the session, as the browser lives there."""
    for item in items:
        if isinstance(item, pytest.Function) and "browser" in item.fixturenames:
            item.add_marker(pytest.mark.asyncio(loop_scope="session"), append=False)


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def chromium() -> AsyncIterator[Browser]:
    """One for all tests of a worker: to start it takes half a second, as much as many a test."""
    async with async_playwright() as playwright:
        try:
            found = find_chromium(Path(playwright.chromium.executable_path))
        except NoChromium as error:
            give_up(str(error))
        browser = await playwright.chromium.launch(
            executable_path=found.executable,
            env={**os.environ, **found.environment},
            args=[f"--host-resolver-rules=MAP {ANOTHER_MACHINE} 127.0.0.1"],
        )
        yield browser
        await browser.close()


@pytest_asyncio.fixture(loop_scope="session")
async def browser(chromium: Browser) -> AsyncIterator[Browser]:
    """A browser in which nothing is left by another test: every tab has a profile of its own, and is closed."""
    yield chromium
    for context in chromium.contexts:
        await context.close()


@pytest.fixture
def complaints() -> list[str]:
    """All that the tab's console calls an error, the policy's refusals included; a test that wants one clears it."""
    return []


@pytest_asyncio.fixture(loop_scope="session")
async def page(browser: Browser, complaints: list[str]) -> AsyncIterator[Page]:
    """Open a tab in which nothing may go wrong unseen."""
    page = await browser.new_page()
    page.set_default_timeout(WAIT_MS)
    page.on("console", lambda said: complaints.append(said.text) if said.type == "error" else None)
    page.on("pageerror", lambda error: complaints.append(str(error)))
    yield page
    assert complaints == []


@pytest_asyncio.fixture(loop_scope="session")
async def served(database: Database) -> AsyncIterator[str]:
    """Where a server of the test's own listens. Ask for it before `page`: an open page asks on."""
    async with listening(database) as url:
        yield url


@pytest.fixture
def elsewhere(served: str) -> str:
    """Where the same server is for a browser on another machine of the house."""
    return served.replace("127.0.0.1", ANOTHER_MACHINE)


@pytest_asyncio.fixture(loop_scope="session")
async def stage(request: pytest.FixtureRequest, database: Database) -> AsyncIterator[Stage]:
    """A golden game on a server, `CHARIOTEER` where none is named. Ask for it before `page`: it ends after that.

    A parameter is a golden game's name, or a name and how many lines there are to begin with.
    """
    asked = getattr(request, "param", CHARIOTEER)
    name, upto = (asked, None) if isinstance(asked, str) else asked
    async with staged(database, name, upto=upto) as found:
        yield found


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def cup(servers_for_tests: ServersForTests) -> AsyncIterator[CupStage]:
    """A tournament in its first round, for all tests of a worker: they read of it, and rule, and nothing else."""
    template = servers_for_tests.template
    async with database_of_its_own(servers_for_tests.urls, template=template) as own, staged_round(own) as cup:
        yield cup


@pytest.fixture(scope="session")
def axe() -> str:
    return read_axe()
