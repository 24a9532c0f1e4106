"""The cost of a game's page to its viewer: until a replay can be used, its frames, its memory and its bytes.

A real browser follows races while another process plays them, then replays the first of them.
"""

import os
import secrets
import shutil
import statistics
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from bench.child import running_child
from bench.connections import HOST
from bench.figures import VALUE, Asked, Figures, Row
from bench.mover import Moved, MoverOrders, build_orders
from bench.served import new_servers, served_api
from domain.ids import GameId
from services.node.building import Sources

NAMES = ("chromium", "chromium-browser", "google-chrome-stable", "google-chrome")

# Before anything of the page: when the first board was drawn, in milliseconds since the way to the page began.
NOTE_FIRST_BOARD = 'addEventListener("shown", () => (globalThis.boardAt ??= performance.now()))'
# A replay can be used once its board, its scrubber and every line of its story are there.
READ_OPENED = """
(async () => {
  const isWhole = () => document.querySelector('spina-game[data-log="whole"]') !== null;
  while (!isWhole() || globalThis.boardAt === undefined) await new Promise(requestAnimationFrame);
  return { board_ms: globalThis.boardAt, interactive_ms: performance.now() };
})()
"""
# One event a frame: as fast as a hand can pull, and nothing is left out.
SCRUB = """
(async () => {
  const game = document.querySelector("spina-game");
  const last = Math.min(game.playhead.newest, %d);
  const work = [];
  let drawn = 0;
  const onShown = () => (drawn += 1);
  game.addEventListener("shown", onShown);
  const began = await new Promise(requestAnimationFrame);
  let [before, longest] = [began, 0];
  for (let version = 1; version <= last; version += 1) {
    const asked = performance.now();
    game.playhead.seek(version);
    document.body.getBoundingClientRect();
    work.push(performance.now() - asked);
    const at = await new Promise(requestAnimationFrame);
    longest = Math.max(longest, at - before);
    before = at;
  }
  game.removeEventListener("shown", onShown);
  const work_p50_ms = work.sort((one, other) => one - other)[Math.floor(last / 2)];
  const frames_per_s = last / (before - began) * 1000;
  return { "frames a second": frames_per_s, frames: last, drawn, "longest ms": longest, "work p50 ms": work_p50_ms };
})()
"""
UNTIL_OVER = """
(async () => {
  const game = document.querySelector("spina-game");
  while (!game?.isDisclosed || game.playhead.newest !== game.log.last.version) await new Promise(requestAnimationFrame);
  await game.settled(game.playhead.newest);
  return game.playhead.newest;
})()
"""


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


class PageSize(Struct, frozen=True, kw_only=True):
    """How many races are followed, how often a replay is opened, and how many events of it are gone through."""

    games: int
    openings: int
    frames_max: int


class Opened(Struct, frozen=True, kw_only=True):
    board_ms: float
    interactive_ms: float


class Followed(Struct, frozen=True, kw_only=True):
    """A race watched from its start to its end; the page with its scripts, and then every event, have so many bytes."""

    events: int
    page_bytes: int
    events_bytes: int
    heap_bytes: int


async def measure(asked: Asked) -> list[Figures]:
    """Measure the page where there is a browser, or describe why there are no figures."""
    size = asked.size(PageSize(games=10, openings=5, frames_max=1_000), PageSize(games=2, openings=1, frames_max=100))
    try:
        chromium = find_chromium()
    except NoChromium as error:
        return [Figures(title="the page of a game, not measured", rows={str(error): {}})]
    async with new_servers() as urls:
        return await measure_page(chromium, urls.database_url, urls.redis_url, size)


async def measure_page(chromium: Chromium, app_url: str, redis_url: str, size: PageSize) -> list[Figures]:
    """Follow the races in one tab, then open and replay the first again, the second time with all there."""
    key = secrets.token_bytes(32)
    races = [build_orders(app_url, redis_url, key) for _ in range(size.games)]
    async with served_api(app_url, redis_url, key, Sources()) as (_, port), running_tab(chromium) as tab:
        await tab.page.add_init_script(NOTE_FIRST_BOARD)
        followed = [await _follow(tab, race, port) for race in races]
        opened = [await _open(tab, races[0].game, port) for _ in range(size.openings)]
        scrubbed: dict[str, Row] = {
            way: await tab.page.evaluate(SCRUB % size.frames_max) for way in ("first way through", "second")
        }
    figures = {
        "events": followed[0].events,
        "until the board of a replay, ms": statistics.median(each.board_ms for each in opened),
        "until it can be used, ms": statistics.median(each.interactive_ms for each in opened),
        "bytes to open a game": followed[0].page_bytes,
        "bytes to follow it to its end": followed[0].events_bytes,
        "bytes of the tab's heap after one game": followed[0].heap_bytes,
        f"bytes of it after {size.games} games": followed[-1].heap_bytes,
    }
    return [
        Figures(title="the page of a game, in a browser", rows={name: {VALUE: each} for name, each in figures.items()}),
        Figures(title="a replay, an event a frame", rows=scrubbed),
    ]


async def _follow(tab: Tab, orders: MoverOrders, port: int) -> Followed:
    async with running_child("bench.mover", orders) as mover:
        moved = await mover.read(Moved)
        before = tab.received_bytes
        await _open(tab, orders.game, port)
        opened = tab.received_bytes
        while not moved.is_over:
            mover.tell(b"move\n")
            moved = await mover.read(Moved)
    events = await tab.page.evaluate(UNTIL_OVER)
    await tab.session.send("HeapProfiler.collectGarbage")
    heap = await tab.session.send("Runtime.getHeapUsage")
    return Followed(
        events=events,
        page_bytes=opened - before,
        events_bytes=tab.received_bytes - opened,
        heap_bytes=int(heap["usedSize"]),
    )


async def _open(tab: Tab, game: GameId, port: int) -> Opened:
    await tab.page.goto(f"http://{HOST}:{port}/games/{game}", wait_until="commit")
    return msgspec.convert(await tab.page.evaluate(READ_OPENED), Opened)
