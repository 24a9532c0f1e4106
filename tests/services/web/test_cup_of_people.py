"""A small tournament of people in real browsers, and of programs: entered, checked in, played, and verified."""

import asyncio
from collections.abc import AsyncIterator
from random import Random

import httpx2
import pytest_asyncio
from playwright.async_api import Browser, Page, expect

from domain.audit.bundle import parse_bundle
from domain.audit.case import NO_TRUST
from domain.audit.findings import Broken
from domain.audit.played_games import verify_member
from domain.audit.tournament import verify_tournament
from domain.audit.tournament_bundle import parse_tournament_bundle
from domain.audit.verify import verify
from domain.rulesets.charioteer.kit.kit import KIT as CHARIOTEER
from domain.rulesets.released import Rebuilder
from spina_client.bot import Bot
from spina_client.client import Client, register
from spina_client.entrant import Habits, play_tournament
from spina_client.formats import Json
from spina_client.seat_secrets import build_seat_secrets
from spina_client.tournament import TournamentAt
from spina_players.bots.player import read_bot
from tests.services.web.axe import find_serious
from tests.services.web.tournament_server import CupStage
from tests.services.web.watching import WAIT_MS, hurried_context

PEOPLE, PROGRAMS = ("Aelia", "Felix"), ("Gutta", "Zenobia")
CHOOSE = read_bot(CHARIOTEER, CHARIOTEER.favourites[0])
DUELS: dict[str, Json] = {
    "format": {"kind": "score", "rounds": 1},
    "tables": {"min": 2, "max": 2, "preferred": 2},
    "options": {"laps": 1},
}
DEMANDS = ["links", "own_custody", "signed"]
ORDINALS = ("1st", "2nd", "3rd", "4th")


@pytest_asyncio.fixture(loop_scope="session")
async def ludi(cup: CupStage) -> AsyncIterator[CupStage]:
    """A tournament that two programs have entered, which play until it is over."""
    ludi = await cup.open_another(name="Ludi Romani", demands=[*DEMANDS], **DUELS)
    connection, playing = cup.cup.client.connection, []
    for name in PROGRAMS:
        client = Client(connection, await register(connection, name))
        at = TournamentAt(client, ludi.cup.tournament, build_seat_secrets(is_signing=True))
        numbers = Random(name)  # noqa: S311  the same choices in every run
        bot = Bot(choose=CHOOSE, numbers=numbers, custody="own")
        playing.append(asyncio.create_task(play_tournament(at, bot, Habits())))
    yield ludi
    for task in playing:
        task.cancel()
    await asyncio.gather(*playing, return_exceptions=True)


async def test_people_and_programs_play_from_entering_to_the_verified_bundle(
    ludi: CupStage, browser: Browser, axe: str
) -> None:
    pages = dict(zip(PEOPLE, await asyncio.gather(*(_enter(browser, ludi, name) for name in PEOPLE)), strict=True))
    seen = await ludi.cup.read()
    while seen.entries < len(PEOPLE + PROGRAMS):
        seen = await ludi.cup.wait_on(seen.version)
    await ludi.cup.call_round(1)
    await asyncio.gather(*map(_check_in, pages.values()))
    await asyncio.gather(*map(_make_first_move, pages.values()))
    tables = await ludi.tables()
    seated = [[pages[seat.name] for seat in table.seats if seat.name in pages] for table in tables]
    await asyncio.gather(*(_resign(people[-1]) for people in seated if people))
    # Programs that sit at a table of their own play their whole game.
    while seen.round_status != "closed":
        seen = await ludi.cup.wait_on(seen.version)
    for page in pages.values():
        await expect(page.get_by_role("heading", name="Round 1 is over", exact=True)).to_be_visible()

    await ludi.cup.close()

    for standing in (await ludi.cup.read_standings()).items:
        if standing.name not in pages:
            continue
        own = pages[standing.name].get_by_role("region", name="Your part")
        await expect(own).to_contain_text(f"You came in {ORDINALS[standing.place - 1]} of 4")
    assert await find_serious(pages[PEOPLE[0]], axe) == []
    async with httpx2.AsyncClient(base_url=ludi.url) as client:
        raw = (await client.get(f"{ludi.cup.path}/bundle")).content
    bundle, rebuilder = parse_tournament_bundle(raw), Rebuilder()
    games = {game.game: verify_member(game, rebuilder=rebuilder, trust=NO_TRUST) for game in bundle.games}
    report = verify_tournament(bundle, games, rebuilder=rebuilder)
    assert [finding.check for finding in report.findings if isinstance(finding.result, Broken)] == []
    reports = [verify(parse_bundle(game.raw), rebuilder=rebuilder).report for game in bundle.games]
    kept = [{assurance.name for assurance in report.assurances if assurance.is_kept} for report in reports]
    assert [name & set(DEMANDS) for name in kept] == [set(DEMANDS)] * len(tables)


async def _enter(browser: Browser, cup: CupStage, name: str) -> Page:
    page = await (await hurried_context(browser)).new_page()
    page.set_default_timeout(WAIT_MS)
    await page.goto(f"{cup.url}/tournaments")
    await page.locator(f'a[href="/tournaments/{cup.cup.tournament}"]').click()
    await page.get_by_label("Your name").fill(name)
    await page.get_by_role("button", name="Enter", exact=True).click()
    await page.get_by_role("heading", name="You have entered").wait_for(timeout=WAIT_MS)
    return page


async def _check_in(page: Page) -> None:
    await expect(page).to_have_title("● Ludi Romani · Spina", timeout=WAIT_MS)
    await page.get_by_role("button", name="I am here").click()


async def _make_first_move(page: Page) -> None:
    await page.get_by_role("button", name="Sit down").click()
    await page.get_by_label("Whole moves").select_option(index=1)
    await page.get_by_role("button", name="Seal: ").click()
    await expect(page.locator(".seat-state")).to_contain_text("Sealed, and kept by the server", timeout=WAIT_MS)


async def _resign(page: Page) -> None:
    await page.get_by_text("Your seat", exact=True).click()
    await page.get_by_role("button", name="Resign …").click()
    await page.get_by_role("button", name="Resign", exact=True).click()
