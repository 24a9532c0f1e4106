"""The cost of a visit to a page over a slow line: requests, bytes and time to the board, the first time and the second.

A real browser, its network slowed down as Chromium's own tools do it.
"""

import asyncio
import secrets
from collections.abc import Mapping
from typing import Any

from bench.child import running_child
from bench.connections import HOST
from bench.figures import Asked, Figures, Row
from bench.mover import Moved, build_orders
from bench.page import Chromium, NoChromium, find_chromium
from bench.served import new_servers, served_api
from services.node.building import Sources

# Latency in milliseconds and bits a second, as emulated.
LINES: Mapping[str, tuple[int, int]] = {"4G": (170, 9_000_000), "slow 3G": (400, 400_000)}
TIMEOUT_MS = 120_000
# A page can be used once its own element has content.
READY: Mapping[str, str] = {
    "front page": "document.querySelector('spina-play button') !== null",
    "game": "document.querySelector('spina-game svg') !== null",
}
UNTIL = """
(async () => {
  while (!(%s)) await new Promise(requestAnimationFrame);
  return performance.now();
})()
"""
# Requests after the board are counted as well; a page that follows a game is never idle.
SETTLE_S = 4.0
MOVES = 40


async def measure(asked: Asked) -> list[Figures]:
    """Measure the pages where there is a browser, or describe why there are no figures."""
    try:
        chromium = find_chromium()
    except NoChromium as error:
        return [Figures(title="visits, not measured", rows={str(error): {}})]
    async with new_servers() as urls:
        rounds = asked.size(3, 1)
        return await measure_visits(chromium, urls.database_url, urls.redis_url, rounds=rounds)


async def measure_visits(chromium: Chromium, app_url: str, redis_url: str, *, rounds: int) -> list[Figures]:
    """Visit each page twice in a fresh browser, for each line; keep the fastest of the rounds."""
    from playwright.async_api import async_playwright

    key = secrets.token_bytes(32)
    orders = build_orders(app_url, redis_url, key)
    async with running_child("bench.mover", orders) as mover:
        await mover.read(Moved)
        for _ in range(MOVES):
            mover.tell(b"move\n")
            await mover.read(Moved)
    rows: dict[str, Row] = {}
    async with served_api(app_url, redis_url, key, Sources()) as (_, port), async_playwright() as playwright:
        pages = {"front page": f"http://{HOST}:{port}/", "game": f"http://{HOST}:{port}/games/{orders.game}"}
        for line, (latency_ms, bits) in LINES.items():
            for name, url in pages.items():
                for _ in range(rounds):
                    browser = await playwright.chromium.launch(executable_path=chromium.executable)
                    try:
                        context = await browser.new_context()
                        for visit in ("first", "second"):
                            row = await _visit(context, url, READY[name], latency_ms=latency_ms, bits=bits)
                            title = f"{name}, {line}, {visit}"
                            rows[title] = min(rows.get(title, row), row, key=lambda visited: visited["ms"])
                    finally:
                        await browser.close()
    return [Figures(title=f"visits, the fastest of {rounds}", rows=rows)]


async def _visit(context: Any, url: str, ready: str, *, latency_ms: int, bits: int) -> Row:
    page = await context.new_page()
    session = await context.new_cdp_session(page)
    counts = {"requests": 0, "bytes": 0}

    def count_request(event: dict[str, Any]) -> None:
        # Answers out of the browser's own cache are no requests.
        counts["requests"] += not event["response"].get("fromDiskCache", False)

    def count_bytes(event: dict[str, Any]) -> None:
        counts["bytes"] += event["encodedDataLength"]

    session.on("Network.responseReceived", count_request)
    session.on("Network.dataReceived", count_bytes)
    await session.send("Network.enable")
    await session.send(
        "Network.emulateNetworkConditions",
        {"offline": False, "latency": latency_ms, "downloadThroughput": bits / 8, "uploadThroughput": bits / 8},
    )
    await page.goto(url, wait_until="commit", timeout=TIMEOUT_MS)
    shown_ms = float(await page.evaluate(UNTIL % ready))
    await asyncio.sleep(SETTLE_S)
    await page.close()
    return {"requests": counts["requests"], "bytes": counts["bytes"], "ms": shown_ms}
