"""A live game in a real browser: it is followed to its end, through lost connections and a server that comes back."""

import re
from typing import Any, Literal

import pytest
from playwright.async_api import Browser, Page, expect

from domain.rulesets.released import KITS
from services.live.steps import drop_nulls
from tests.database import Database
from tests.domain.game.game_harness import NOON
from tests.services.api.player import GAME, Player
from tests.services.api.player import expect as expect_status
from tests.services.api.server import Clock
from tests.services.live.node import Node, pace, running_node
from tests.services.web.game_server import CHARIOT_RACE, CHARIOTEER, CHARIOTMASTER, OFTEN_S, Stage, staged
from tests.services.web.watching import (
    AT_ONCE,
    COUNT_LINES,
    KEEP_SHOWN,
    WAIT_MS,
    hurried_context,
    open_game,
    wait_for_state,
    wait_for_version,
)

# A whole game is followed with at most so many looks at it.
STOPS = 8
# In the middle of any game.
EARLY, SOON, MIDDLE, LATE = 60, 85, 120, 180
READ_PRESENT = """
() => {
  const game = document.querySelector("spina-game");
  return game.boards.find(game.playhead.newest);
}
"""
DELAY_S = 60


async def read_present(page: Page) -> dict[str, Any]:
    """Read the game as the frames made it."""
    shown: dict[str, Any] = await page.evaluate(READ_PRESENT)
    return shown


async def read_from(node: Node) -> Any:
    return drop_nulls((await node.client.get(f"/v1/games/{GAME}")).json())


@pytest.mark.parametrize("stage", [(CHARIOTEER, EARLY), (CHARIOT_RACE, EARLY), (CHARIOTMASTER, EARLY)], indirect=True)
async def test_a_whole_live_game_is_followed_to_its_end(stage: Stage, page: Page) -> None:
    # Each turn would be played out at reading pace; the next test looks at that.
    await page.add_init_script(AT_ONCE)
    await open_game(page, stage.url)
    await wait_for_state(page, "Live")

    for upto in range(EARLY, stage.golden.version, max(EARLY, stage.golden.version // STOPS)):
        version = await stage.play(upto=upto)
        await wait_for_version(page, version)
        assert await read_present(page) == await read_from(stage.node)
    await stage.play()
    await wait_for_version(page, stage.golden.version)

    await wait_for_state(page, "The end")
    await expect(page.locator(".banner")).to_have_text(re.compile("^Final order: 1. "))
    assert await page.evaluate(COUNT_LINES) == stage.golden.version
    assert await read_present(page) == await read_from(stage.node)


@pytest.mark.parametrize(
    ("motion", "pace", "least", "most"),
    [("no-preference", "brisk", 6, 25), ("reduce", "calm", 6, 25), ("no-preference", "once", 1, 5)],
)
@pytest.mark.parametrize("stage", [(CHARIOTEER, EARLY)], indirect=True)
async def test_a_turn_that_comes_at_once_is_played_out_at_the_pace_that_the_reader_chose(
    stage: Stage, page: Page, motion: Literal["no-preference", "reduce"], pace: str, least: int, most: int
) -> None:
    await page.emulate_media(reduced_motion=motion)
    await page.add_init_script(AT_ONCE.replace("once", pace))
    await open_game(page, stage.url)
    await wait_for_state(page, "Live")
    await page.evaluate(KEEP_SHOWN)

    newest = await stage.play(upto=SOON)
    await wait_for_version(page, newest)

    shown = await page.evaluate("document.shown")
    assert shown[-1] == newest
    assert least <= len(shown) <= most
    assert set(await page.evaluate("document.ahead")) == {0}


@pytest.mark.parametrize("stage", [(CHARIOTEER, MIDDLE)], indirect=True)
async def test_whoever_comes_late_sees_the_present_and_can_go_back(stage: Stage, page: Page) -> None:
    await open_game(page, stage.url)
    await wait_for_version(page, stage.version)
    await expect(page.locator("spina-waiting")).to_have_text("Waiting for Driver 0 0:00, Driver 1 0:00, Driver 2 0:00")

    await page.keyboard.press("Home")
    await wait_for_state(page, "Replay; the game goes on")
    newest = await stage.play(upto=LATE)

    await expect(page.locator(".where")).to_have_text(f"Event 1 of {newest}", timeout=WAIT_MS)
    await page.keyboard.press("End")
    await wait_for_version(page, newest)


@pytest.mark.parametrize("stage", [(CHARIOTEER, EARLY)], indirect=True)
async def test_a_reader_who_was_offline_misses_nothing(stage: Stage, page: Page, complaints: list[str]) -> None:
    await open_game(page, stage.url)
    await wait_for_state(page, "Live")
    await page.context.set_offline(True)
    await wait_for_state(page, "Connection lost, trying again")
    newest = await stage.play(upto=MIDDLE)

    await page.context.set_offline(False)

    await wait_for_state(page, "Live")
    await wait_for_version(page, newest)
    assert await page.evaluate(COUNT_LINES) == newest
    assert await read_present(page) == await read_from(stage.node)
    assert [complaint for complaint in complaints if "ERR_INTERNET_DISCONNECTED" not in complaint] == []
    complaints.clear()


@pytest.mark.parametrize("stage", [(CHARIOTEER, EARLY)], indirect=True)
async def test_a_moment_gone_to_without_a_connection_is_shown_when_it_is_back(
    stage: Stage, page: Page, complaints: list[str]
) -> None:
    await open_game(page, stage.url)
    await wait_for_state(page, "Live")
    await page.context.set_offline(True)
    await page.keyboard.press("Home")
    await expect(page.get_by_role("alert")).to_contain_text("cannot be reached", timeout=WAIT_MS)

    await page.context.set_offline(False)

    await expect(page.locator("spina-waiting")).to_have_text("Waiting for players: 3 seats are free.", timeout=WAIT_MS)
    await expect(page.locator(".problem")).to_have_text("")
    complaints.clear()


async def test_two_viewers_outlast_a_restart_of_the_server(database: Database, browser: Browser) -> None:
    pages = [await (await hurried_context(browser)).new_page() for _ in range(2)]
    async with staged(database, CHARIOTEER, upto=EARLY) as before:
        for page in pages:
            await open_game(page, before.url)
            await wait_for_state(page, "Live")
    for page in pages:
        await wait_for_state(page, "Connection lost, trying again")

    stored, port = before.version, before.port
    async with staged(database, CHARIOTEER, upto=MIDDLE, port=port, stored=stored) as after:
        for page in pages:
            await wait_for_version(page, after.version)
            await wait_for_state(page, "Live")
            assert await read_present(page) == await read_from(after.node)
            assert await page.evaluate(COUNT_LINES) == after.version
        for page in pages:
            await page.close()


@pytest.mark.parametrize("stage", [(CHARIOTEER, EARLY)], indirect=True)
async def test_readers_are_counted_while_they_watch(stage: Stage, page: Page, browser: Browser) -> None:
    await open_game(page, stage.url)
    other = await browser.new_page()
    await open_game(other, stage.url)
    await expect(page.locator(".readers")).to_have_text("2 watching", timeout=WAIT_MS)

    await other.close()

    await expect(page.locator(".readers")).to_have_text("1 watching", timeout=WAIT_MS)


async def test_a_delayed_game_is_shown_late_and_says_so(database: Database, browser: Browser) -> None:
    clock = Clock()
    often = pace(look_s=OFTEN_S, beat_s=OFTEN_S)
    async with running_node(database, None, kits=KITS, now_ms=lambda: clock.now_ms, pace=often) as node:
        ada, bob = [await _register(node, name, number) for number, name in enumerate(("Ada", "Bob"))]
        terms = {"ruleset": "charioteer@1", "delay_s": DELAY_S, "clock": {"per_decision_ms": 90_000, "bank_ms": 30_000}}
        await expect_status(ada.open(**terms), 201)
        clock.now_ms = NOON + 30_000
        for seat, player in enumerate((ada, bob)):
            await expect_status(player.take(seat), 200)
        clock.now_ms = NOON + 1000 * DELAY_S
        page = await browser.new_page()
        await page.goto(f"http://{node.address}/games/{GAME}")
        await wait_for_version(page, 1)
        await expect(page.locator("spina-waiting")).to_have_text("Waiting for players: 2 seats are free.")
        await expect(page.locator(".delay")).to_contain_text("Shown 1 minute after it happens")

        clock.now_ms = NOON + 1000 * DELAY_S + 30_000

        await wait_for_version(page, 3)
        await expect(page.locator("spina-waiting")).to_have_text("Waiting until all players are ready.")
        await page.close()


async def _register(node: Node, name: str, number: int) -> Player:
    made = (await node.client.post("/v1/players", json={"name": name})).json()
    player = Player(node, made["token"], number=number)  # type: ignore[arg-type]  # a node has all that is used of an API
    player.id = made["id"]
    return player
