"""The page measurement on a small scale in a real browser, and its message on a machine without one."""

from pathlib import Path

import pytest
from playwright.async_api import async_playwright

from bench.figures import VALUE
from bench.page import Chromium, NoChromium, PageSize, find_chromium, measure_page
from infra.embedded.servers import ServerUrls
from tests.absence import give_up
from tests.database import Database
from tests.services.web import chromium as tested

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
    size = PageSize(games=1, openings=1, frames_max=FRAMES)

    page, replay = await measure_page(chromium, database.app_url, server_urls.redis_url, size)

    events, board_ms, usable_ms, opened, followed, heap, heap_last = (row[VALUE] for row in page.rows.values())
    assert events > 300
    assert 0 < board_ms <= usable_ms
    assert [row["frames"] for row in replay.rows.values()] == [FRAMES, FRAMES]
    assert replay.rows["second"]["drawn"] >= FRAMES - 1
    assert opened > 100_000
    assert followed > 100 * events
    assert heap == heap_last > 0


def test_a_machine_without_a_browser_is_told_what_was_looked_for(tmp_path: Path) -> None:
    with pytest.raises(NoChromium, match="looked for chromium"):
        find_chromium(str(tmp_path))
