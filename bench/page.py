"""The cost of a game's page to its viewer: until a replay can be used, its frames, its memory and its bytes.

A real browser follows races while another process plays them, then replays the first of them.
"""

import secrets
import statistics

from msgspec import Raw, Struct

from bench.child import running_child
from bench.devtools import Chromium, Tab, running_tab
from bench.mover import Moved, MoverOrders
from bench.served import HOST, served_api
from domain.ids import GameId, StreamId
from infra.uuid7 import build_uuid7
from services.node.building import Sources, read_clock_ms

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
  return { frames: last, drawn, work_p50_ms, elapsed_ms: before - began, longest_ms: longest };
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


class PageSize(Struct, frozen=True, kw_only=True):
    """How many races are followed, how often a replay is opened, and how many events of it are gone through."""

    games: int
    openings: int
    frames_max: int


class Opened(Struct, frozen=True, kw_only=True):
    board_ms: float
    interactive_ms: float


class Scrubbed(Struct, frozen=True, kw_only=True):
    """A frame for each event, of which so many were drawn in time; `work` is the page's own, without the painting."""

    frames: int
    drawn: int
    work_p50_ms: float
    elapsed_ms: float
    longest_ms: float

    @property
    def frames_per_s(self) -> float:
        return self.frames / self.elapsed_ms * 1000


class Heap(Struct, frozen=True, kw_only=True, rename="camel"):
    used_size: int


class PageFigures(Struct, frozen=True, kw_only=True):
    """`opened` is the median of fresh openings, `scrubbed` the first way through and the second, when all is there."""

    events: int
    opened: Opened
    scrubbed: tuple[Scrubbed, Scrubbed]
    games: int
    heap_bytes_first: int
    heap_bytes_last: int
    # The page with its scripts, and then every event, for a viewer who is there from the first to the last.
    page_bytes: int
    followed_bytes: int


async def measure_page(chromium: Chromium, places: tuple[str, str], size: PageSize) -> PageFigures:
    """Follow the races in one tab, then open and replay the first again. `places` are a database and a Redis."""
    app_url, redis_url = places
    key = secrets.token_bytes(32)
    ids = [GameId(StreamId(build_uuid7(read_clock_ms()))) for _ in range(size.games)]
    orders = [MoverOrders(database_url=app_url, redis_url=redis_url, master_key=key, game=game) for game in ids]
    async with served_api(app_url, redis_url, key, Sources()) as (_, port), running_tab(chromium) as tab:
        await tab.call("Network.setCacheDisabled", {"cacheDisabled": True}, Raw)
        await tab.call("Page.addScriptToEvaluateOnNewDocument", {"source": NOTE_FIRST_BOARD}, Raw)
        followed = [await _follow(tab, order, port) for order in orders]
        opened = [await _open(tab, ids[0], port) for _ in range(size.openings)]
        scrub = SCRUB % size.frames_max
        scrubbed = await tab.evaluate(scrub, Scrubbed), await tab.evaluate(scrub, Scrubbed)
    events, page_bytes, followed_bytes, _ = followed[0]
    return PageFigures(
        events=events,
        opened=Opened(
            board_ms=statistics.median(each.board_ms for each in opened),
            interactive_ms=statistics.median(each.interactive_ms for each in opened),
        ),
        scrubbed=scrubbed,
        games=size.games,
        heap_bytes_first=followed[0][3],
        heap_bytes_last=followed[-1][3],
        page_bytes=page_bytes,
        followed_bytes=followed_bytes,
    )


async def _follow(tab: Tab, orders: MoverOrders, port: int) -> tuple[int, int, int, int]:
    """Watch a race from its start to its end; return its events, the bytes to open and to follow it, and the heap."""
    async with running_child("bench.mover", orders) as mover:
        moved = await mover.read(Moved)
        before = tab.received_bytes
        await _open(tab, orders.game, port)
        opened = tab.received_bytes
        while not moved.is_over:
            mover.tell(b"move\n")
            moved = await mover.read(Moved)
    events = await tab.evaluate(UNTIL_OVER, int)
    await tab.call("HeapProfiler.collectGarbage", {}, Raw)
    heap = await tab.call("Runtime.getHeapUsage", {}, Heap)
    return events, opened - before, tab.received_bytes - opened, heap.used_size


async def _open(tab: Tab, game: GameId, port: int) -> Opened:
    await tab.call("Page.navigate", {"url": f"http://{HOST}:{port}/games/{game}"}, Raw)
    return await tab.evaluate(READ_OPENED, Opened)
