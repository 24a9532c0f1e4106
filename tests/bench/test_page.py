"""The page measurement on a small scale in a real browser, and its message on a machine without one."""

from pathlib import Path

import pytest
from playwright.async_api import async_playwright

from bench.devtools import Chromium, DevtoolsError, NoChromium, find_chromium, running_tab
from bench.page import PageSize, measure_page
from infra.embedded.servers import ServerUrls
from tests.database import Database
from tests.services.web import chromium as tested
from tests.services.web.absence import give_up

FRAMES = 20


@pytest.fixture
async def chromium() -> Chromium:
    """Find the one that the tests of the pages use."""
    async with async_playwright() as playwright:
        own = Path(playwright.chromium.executable_path)
    try:
        return tested.find_chromium(own)
    except tested.NoChromium as error:
        give_up(str(error))


async def test_a_race_is_followed_to_its_end_and_replayed(
    database: Database, server_urls: ServerUrls, chromium: Chromium
) -> None:
    places = database.app_url, server_urls.redis_url

    figures = await measure_page(chromium, places, PageSize(games=1, openings=1, frames_max=FRAMES))

    assert figures.events > 300
    assert 0 < figures.opened.board_ms <= figures.opened.interactive_ms
    assert [each.frames for each in figures.scrubbed] == [FRAMES, FRAMES]
    assert figures.scrubbed[1].drawn >= FRAMES - 1
    assert figures.page_bytes > 100_000
    assert figures.followed_bytes > 100 * figures.events
    assert figures.heap_bytes_first == figures.heap_bytes_last > 0


async def test_what_the_page_raises_is_told(chromium: Chromium) -> None:
    async with running_tab(chromium) as tab:
        with pytest.raises(DevtoolsError, match="no board today"):
            await tab.evaluate("Promise.reject(new Error('no board today'))", int)

        assert await tab.evaluate("Promise.resolve(7)", int) == 7


def test_a_machine_without_a_browser_is_told_what_was_looked_for(tmp_path: Path) -> None:
    with pytest.raises(NoChromium, match="looked for chromium"):
        find_chromium(str(tmp_path))
