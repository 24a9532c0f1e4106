"""Films of a turn and of a race's end, their frames and their memory: for a quiet machine, by `make pictures`."""

import os
import subprocess
import sys
from collections.abc import Iterator
from typing import Any, Literal

import pytest
from playwright.async_api import Browser, Page, ViewportSize

from tests.services.web.game_server import CHARIOT_RACE, CHARIOTEER, CHARIOTMASTER, Stage, read_golden
from tests.services.web.test_pictures import FOLDER, VARIABLE
from tests.services.web.watching import AT_ONCE, WAIT_MS, open_game, wait_for_version

pytestmark = pytest.mark.skipif(not os.environ.get(VARIABLE), reason="a film is looked at: `make pictures` takes it")

SIZES: dict[str, ViewportSize] = {"desk": {"width": 1280, "height": 800}, "phone": {"width": 390, "height": 844}}
SCHEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")
RACES = [CHARIOTEER, CHARIOT_RACE, CHARIOTMASTER]
# A film of a turn at the brisk pace is half as long.
PICTURES_MAX = 120
# The lines that show the end of a race.
END = 12
TICK = "new Promise((go_on) => setTimeout(go_on, 250))"
HAS_COME = "!document.querySelector('spina-game').playhead.isBehind"
# Milliseconds between the frames until the turn has been shown.
READ_FRAMES = """
() => new Promise((resolve) => {
  const frames = [];
  let last = performance.now();
  const { playhead } = document.querySelector("spina-game");
  const step = (now) => {
    frames.push(now - last);
    last = now;
    if (!playhead.isBehind) resolve(frames);
    else requestAnimationFrame(step);
  };
  requestAnimationFrame(step);
})
"""
# Two refreshes of a screen; and what a page may keep of the races shown before.
FRAME_MS = 34
KEPT_BYTES = 2 * 2**20


async def film(page: Page, name: str, until: str) -> None:
    FOLDER.mkdir(parents=True, exist_ok=True)
    for number in range(PICTURES_MAX):
        await page.screenshot(path=FOLDER / f"film-{name}-{number:03}.png")
        if await page.evaluate(until):
            return
        await page.evaluate(TICK)
    raise AssertionError(f"{name} lasts longer than {PICTURES_MAX} pictures")


def keep_figure(name: str, figure: str) -> None:
    FOLDER.mkdir(parents=True, exist_ok=True)
    (FOLDER / f"{name}.txt").write_text(f"{figure}\n")


async def open_at_pace(browser: Browser, stage: Stage, **options: Any) -> Page:
    page = await browser.new_page(**options)
    await page.add_init_script(AT_ONCE.replace("once", "brisk"))
    await open_game(page, stage.url)
    return page


@pytest.fixture
def busy_core() -> Iterator[None]:
    """Another process that never rests."""
    with subprocess.Popen([sys.executable, "-c", "while True: pass"]) as process:
        yield
        process.kill()


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("stage", RACES, indirect=True)
async def test_a_turn_is_shown_once_more_and_rests_at_the_present(
    stage: Stage, browser: Browser, size: str, scheme: Literal["light", "dark"]
) -> None:
    page = await open_at_pace(browser, stage, viewport=SIZES[size], color_scheme=scheme)

    await page.get_by_role("button", name="Show it again").click()

    await film(page, f"turn-{stage.golden.name}-{size}-{scheme}", HAS_COME)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("stage", [(race, read_golden(race).version - END) for race in RACES], indirect=True)
async def test_the_end_comes_before_the_eyes_of_its_readers(stage: Stage, browser: Browser, size: str) -> None:
    page = await open_at_pace(browser, stage, viewport=SIZES[size])

    await stage.play()

    await film(page, f"end-{stage.golden.name}-{size}", "!document.querySelector('spina-podium').hidden")
    await page.locator(".podium-name").wait_for(timeout=WAIT_MS)


@pytest.mark.usefixtures("busy_core")
@pytest.mark.parametrize("stage", RACES, indirect=True)
async def test_a_turn_moves_without_a_stutter_beside_a_busy_core(stage: Stage, browser: Browser) -> None:
    page = await open_at_pace(browser, stage)
    await page.get_by_role("button", name="Show it again").click()

    frames = sorted(await page.evaluate(READ_FRAMES))

    p95 = frames[len(frames) * 95 // 100]
    keep_figure(f"frames-{stage.golden.name}", f"{len(frames)} frames, p95 {p95:.1f} ms, longest {frames[-1]:.1f} ms")
    assert p95 <= FRAME_MS


async def test_ten_races_in_one_tab_keep_no_more_memory_than_one(stage: Stage, browser: Browser) -> None:
    page = await browser.new_page()
    session = await page.context.new_cdp_session(page)
    kept: list[int] = []
    for _ in range(10):
        await open_game(page, stage.url)
        await wait_for_version(page, stage.version)
        await session.send("HeapProfiler.collectGarbage")
        kept.append((await session.send("Runtime.getHeapUsage"))["usedSize"])

    keep_figure("heap", f"{[used // 1024 for used in kept]} kB after each of ten races in one tab")
    assert kept[-1] - kept[0] <= KEPT_BYTES
