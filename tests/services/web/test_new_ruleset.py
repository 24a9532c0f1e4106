"""Dash, a ruleset that is one folder and one line: opened, played by bots, described, audited, and drawn as tables."""

from collections.abc import AsyncIterator
from random import Random

import httpx2
import pytest
import pytest_asyncio
from msgspec import Struct
from playwright.async_api import Page, expect

from domain.audit.bundle import parse_bundle
from domain.audit.verify import verify
from domain.ruleset.kit import Kit
from domain.rulesets.released import KITS, Rebuilder
from spina_client.connection import connected
from spina_client.seen import GameSeen
from spina_players.demonstrations.game import Plan, demonstrate
from tests.database import Database
from tests.rulesets.dash.kit import KIT
from tests.services.listening import listening
from tests.services.web.test_pictures import picture
from tests.services.web.watching import open_game, wait_for_state

ALL: tuple[Kit, ...] = (*KITS, KIT)


class Played(Struct, frozen=True, kw_only=True):
    url: str
    game: GameSeen


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def played(module_database: Database) -> AsyncIterator[Played]:
    """A finished game of Dash on a server that plays all rulesets."""
    plan = Plan(kit=KIT, bots=KIT.favourites, seats=2, custody="own", is_signed=True)
    async with listening(module_database, kits=ALL) as url, connected(url) as connection:
        numbers = Random(7)  # noqa: S311  the same choices in every run
        shown = await demonstrate(connection, plan, numbers=numbers, on_version=lambda _: None)
        yield Played(url=url, game=shown.game)


@pytest.mark.asyncio(loop_scope="session")
async def test_its_game_is_played_to_its_end_and_told_in_its_words(played: Played) -> None:
    async with httpx2.AsyncClient(base_url=played.url) as client:
        told = (await client.get(f"/v1/games/{played.game.id}/chronicle")).json()["items"]
        listed = (await client.get("/v1/rulesets")).json()["items"]

    texts = [sentence["text"] for sentence in told]
    assert "Dash 1 begins." in texts
    assert texts[-3].startswith(("Seat 0 is over the line", "Seat 1 is over the line"))
    assert [sentence["weight"] for sentence in told].count("end") == 1
    assert listed[-1]["words"]["title"] == "The Dash"


@pytest.mark.asyncio(loop_scope="session")
async def test_its_bundle_holds_without_the_server(played: Played) -> None:
    async with httpx2.AsyncClient(base_url=played.url) as client:
        raw = (await client.get(f"/v1/games/{played.game.id}/bundle")).content

    verified = verify(parse_bundle(raw), rebuilder=Rebuilder({("dash", 1): KIT.build}))

    assert verified.report.broken == ()
    assert verified.report.ruleset == "dash@1"


@pytest.mark.parametrize("width", [1280, 390])
async def test_its_board_is_drawn_as_tables_beside_its_story(played: Played, page: Page, width: int) -> None:
    await page.set_viewport_size({"width": width, "height": 900})
    await open_game(page, f"{played.url}/games/{played.game.id}")
    await wait_for_state(page, "The end")

    assert (await page.title()).endswith(" · The Dash · Spina")
    await expect(page.locator("plain-board caption")).to_have_text("Runners")
    assert await page.locator("plain-board tbody tr").count() == 2
    await expect(page.locator(".story")).to_contain_text("daring dares and rolls a ")
    assert await page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    await picture(page, f"dash-{width}")
