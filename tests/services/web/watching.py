"""Questions of a test to a game's page, and readings of its drawing."""

import re
from typing import Any

from playwright.async_api import Browser, BrowserContext, Page, expect

# A machine that does much else takes its time.
WAIT_MS = 20_000

# The pace of a reader who wants to see the present at once.
AT_ONCE = "if (location.protocol.startsWith('http')) localStorage.setItem('spina-pace', 'once')"
# From now on, each version that the page shows, and by how many versions its story was ahead then.
KEEP_SHOWN = """
() => {
  document.shown = [];
  document.ahead = [];
  document.addEventListener("shown", ({ detail }) => {
    document.shown.push(detail);
    document.ahead.push(Math.max(0, Number([...document.querySelectorAll(".told")].at(-1).dataset.version) - detail));
  });
}
"""
COUNT_LINES = "document.querySelector('spina-game').log.between(0, Infinity).length"
# Everything that is drawn, version by version from the first to the last. A chariot is where its middle lies on the
# picture: in the spaces whose outlines hold that point.
READ_DRAWN = """
async ({ last, step }) => {
  const game = document.querySelector("spina-game");
  const board = game.page.board;
  const text = (found) => [...found].map((each) => each.textContent);
  const texts = (selector) => text(game.querySelectorAll(selector));
  const spaces = () => [...board.querySelectorAll("polygon.space")];
  const headOf = (each) => each.closest("[data-head]").dataset.head;
  const found = new Map();
  const findSpaces = (at) => {
    const [x, y] = at.split(",").map(Number);
    const point = Object.assign(board.picture.createSVGPoint(), { x, y });
    if (!found.has(at)) found.set(at, spaces().filter((space) => space.isPointInFill(point)).map(headOf));
    return found.get(at);
  };
  const readChariot = ({ dataset }) => [dataset.chariot, dataset.said, findSpaces(dataset.at)];
  // Where the middle of each part of a base lies, in the picture's own units, by whose part it is.
  const readParts = (each) => [...each.querySelectorAll(".part")].map((part) => {
    const box = part.getBBox();
    const middle = new DOMPoint(box.x + box.width / 2, box.y + box.height / 2);
    const { x, y } = middle.matrixTransform(board.picture.getScreenCTM().inverse().multiply(part.getScreenCTM()));
    return [`${each.dataset.chariot.split(":")[0]} ${part.getAttribute("class").split("-")[1]}`, x, y];
  });
  const readFacts = (display) => [...display.querySelectorAll("dl > div")].map((pair) => text(pair.children));
  const drawn = [];
  for (let version = 1; version <= last; version += step) {
    game.playhead.seek(version);
    await game.settled(version);
    drawn.push({
      version,
      infield: text(board.querySelectorAll(".infield text")),
      // A board that is hidden, before the start, has nothing that is seen, and lies nowhere.
      chariots: board.hidden ? [] : [...board.querySelectorAll(".chariots > g")].map(readChariot),
      parts: [...board.querySelectorAll(".base")].flatMap(readParts),
      caption: texts(".caption")[0] ?? "",
      caltrops: [...board.querySelectorAll(".caltrop")].map(headOf),
      displays: [...game.querySelectorAll(".display")].map((each) => [
        each.querySelector(".display-name")?.textContent ?? "",
        Object.fromEntries(readFacts(each)),
      ]),
      dice: texts(".dice .die-piece"),
      crowd: texts(".slots .card"),
      banner: game.querySelector(".banner").hidden ? "" : texts(".banner")[0],
    });
  }
  return drawn;
}
"""


async def hurried_context(browser: Browser, **options: Any) -> BrowserContext:
    """Make a browser of its own for a reader whom no movement and no pace keeps waiting."""
    context = await browser.new_context(reduced_motion="reduce", **options)
    await context.add_init_script(AT_ONCE)
    return context


async def open_game(page: Page, url: str) -> None:
    """Open a game and wait until its whole log is there, and the names of its drivers."""
    await page.goto(url)
    await page.wait_for_selector('spina-game[data-log="whole"][data-names="asked"]')


async def wait_for_version(page: Page, version: int) -> None:
    # The policy of the pages forbids evaluating text, in a test that waits in them too.
    await expect(page.locator(".where")).to_have_text(re.compile(rf"^Event {version} of "), timeout=WAIT_MS)


async def wait_for_state(page: Page, said: str) -> None:
    await expect(page.locator(".live-state")).to_have_text(said, timeout=WAIT_MS)


async def read_drawn(page: Page, last: int, *, step: int = 1) -> list[dict[str, Any]]:
    """Read the page's drawing of each version, or of every so manieth."""
    drawn: list[dict[str, Any]] = await page.evaluate(READ_DRAWN, {"last": last, "step": step})
    return drawn
