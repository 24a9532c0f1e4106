"""A headless Chromium for a measurement: one tab, and the bytes that came to it."""

import os
import shutil
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from msgspec import Struct

NAMES = ("chromium", "chromium-browser", "google-chrome-stable", "google-chrome")


class NoChromium(Exception):
    """The machine has no Chromium, or no Playwright to drive it, which comes with the development environment."""


class Chromium(Struct, frozen=True, kw_only=True):
    executable: Path
    # Additions to the environment it runs in.
    environment: Mapping[str, str] = {}


def find_chromium(path: str | None = None) -> Chromium:
    """Find a Chromium by name, in the folders of PATH or of another such list. Raises NoChromium."""
    if find_spec("playwright") is None:
        raise NoChromium("no Playwright on this machine, which drives the browser; `make bench` installs it")
    for name in NAMES:
        found = shutil.which(name, path=path)
        if found is not None:
            return Chromium(executable=Path(found))
    raise NoChromium(f"no Chromium on this machine; looked for {', '.join(NAMES)}")


class Tab:
    """A page of Playwright with its DevTools session.

    `received_bytes` are bodies, compressed where the server compresses.
    """

    def __init__(self, page: Any, session: Any) -> None:
        self.page = page
        self.session = session
        self.received_bytes = 0
        session.on("Network.dataReceived", self._count)

    def _count(self, event: dict[str, Any]) -> None:
        self.received_bytes += event["encodedDataLength"]


@asynccontextmanager
async def running_tab(chromium: Chromium) -> AsyncIterator[Tab]:
    """Run the browser while the block runs; give its one tab, which caches nothing."""
    from playwright.async_api import async_playwright

    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(
            executable_path=chromium.executable, env={**os.environ, **chromium.environment}
        )
        try:
            page = await browser.new_page(viewport={"width": 1360, "height": 860})
            tab = Tab(page, await page.context.new_cdp_session(page))
            await tab.session.send("Network.enable")
            await tab.session.send("Network.setCacheDisabled", {"cacheDisabled": True})
            yield tab
        finally:
            await browser.close()
