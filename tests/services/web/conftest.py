"""A real browser and a real server for the tests of the pages: `page` is a fresh tab, `served` where to send it."""

import os
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack
from pathlib import Path

import pytest
import pytest_asyncio
from playwright.async_api import Browser, Page, async_playwright, expect

from tests.absence import give_up
from tests.database import Database, NewDatabase
from tests.servers import MEMORY, temporary_place
from tests.services.listening import listening
from tests.services.web.axe import read_axe
from tests.services.web.chromium import NoChromium, find_chromium
from tests.services.web.game_server import CHARIOTEER, Stage, staged
from tests.services.web.tournament_server import CupStage, staged_round
from tests.services.web.watching import WAIT_MS

# This machine, by a name for which a browser takes it for another: its pages are plain http from elsewhere.
ANOTHER_MACHINE = "another-machine.test"

# Playwright lets Chromium share pictures by files in the place of temporary files, as the memory of many containers is
# small. On a disk these files are a twelfth of the work of a page.
SHARE_BY_FILES = "--disable-dev-shm-usage"

FindStage = Callable[[str], Awaitable[Stage]]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Run every user of a browser in the loop of the session, as the browser lives there."""
    for item in items:
        if isinstance(item, pytest.Function) and "browser" in item.fixturenames:
            item.add_marker(pytest.mark.asyncio(loop_scope="session"), append=False)


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def chromium() -> AsyncIterator[Browser]:
    """One for all tests of a worker: to start it takes half a second, as much as many a test."""
    # Five seconds, the default, are one second of a machine that is five times slower.
    expect.set_options(timeout=WAIT_MS)
    async with async_playwright() as playwright:
        try:
            found = find_chromium(Path(playwright.chromium.executable_path))
        except NoChromium as error:
            give_up(str(error))
        browser = await playwright.chromium.launch(
            executable_path=found.executable,
            env={**os.environ, **found.environment},
            args=[f"--host-resolver-rules=MAP {ANOTHER_MACHINE} 127.0.0.1"],
            ignore_default_args=[SHARE_BY_FILES] if temporary_place() == MEMORY else None,
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
    """Open a tab in which nothing may go wrong unseen, and without motion: a test of motion asks for it."""
    page = await browser.new_page(reduced_motion="reduce")
    page.set_default_timeout(WAIT_MS)
    page.on("console", lambda said: complaints.append(said.text) if said.type == "error" else None)
    page.on("pageerror", lambda error: complaints.append(str(error)))
    yield page
    assert complaints == []


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def module_database(new_database: NewDatabase) -> AsyncIterator[Database]:
    async with new_database() as own:
        yield own


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def served(module_database: Database) -> AsyncIterator[str]:
    """Address of a server for all tests of a module: their guests and games are their own, the lists are not."""
    async with listening(module_database) as url:
        yield url


@pytest.fixture
def elsewhere(served: str) -> str:
    """Where the same server is for a browser on another machine of the house."""
    return served.replace("127.0.0.1", ANOTHER_MACHINE)


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def finished(new_database: NewDatabase) -> AsyncIterator[FindStage]:
    """Golden games that are over, each on one server for all tests of a module: they read of it, and nothing else."""
    stages: dict[str, Stage] = {}
    async with AsyncExitStack() as stack:

        async def find(name: str) -> Stage:
            if name not in stages:
                own = await stack.enter_async_context(new_database())
                stages[name] = await stack.enter_async_context(staged(own, name))
            return stages[name]

        yield find


@pytest_asyncio.fixture(loop_scope="session")
async def stage(request: pytest.FixtureRequest, new_database: NewDatabase, finished: FindStage) -> AsyncIterator[Stage]:
    """A golden game on a server, `CHARIOTEER` where none is named. Ask for it before `page`: it may end after that.

    A parameter is a golden game's name, or a name and how many lines there are to begin with: such a game goes on when
    its test states so, on a server of its own.
    """
    asked = getattr(request, "param", CHARIOTEER)
    if isinstance(asked, str):
        yield await finished(asked)
        return
    name, upto = asked
    async with new_database() as own, staged(own, name, upto=upto) as found:
        yield found


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def cup(new_database: NewDatabase) -> AsyncIterator[CupStage]:
    """A tournament in its first round, for all tests of a worker: they read of it, and rule, and nothing else."""
    async with new_database() as own, staged_round(own) as cup:
        yield cup


@pytest.fixture(scope="session")
def axe() -> str:
    return read_axe()
