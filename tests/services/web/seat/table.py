"""A game with one free seat for a browser, and bots in the others, which play over the API."""

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from random import Random
from typing import Literal

from msgspec import Struct
from playwright.async_api import Locator, Page, expect

from domain.ruleset.kit import Kit
from spina_client.bot import Bot, play_seat
from spina_client.client import Client, ClockTerms, Demand, StandIn, Terms, register
from spina_client.connection import Connection, connected
from spina_client.formats import Json
from spina_client.ids import GameId, Seat
from spina_client.seat import SeatAt
from spina_client.seat_secrets import build_seat_secrets
from spina_players.bots.player import read_bot
from tests.services.web.watching import AT_ONCE, WAIT_MS

SEATS = 2
NO_OPTIONS: Mapping[str, Json] = {}

Custody = Literal["own", "server"]


class SeatTable(Struct, frozen=True, kw_only=True):
    """The game, at its server, the address of its page, and the seats of the bots."""

    kit: Kit
    connection: Connection
    game: GameId
    rivals: tuple[SeatAt, ...]

    @property
    def url(self) -> str:
        return f"{self.connection.url}/games/{self.game}"


@asynccontextmanager
async def laid_table(
    url: str,
    kit: Kit,
    *,
    options: Mapping[str, Json] = NO_OPTIONS,
    demands: tuple[Demand, ...] = (),
    think_s: float = 0,
    **more: ClockTerms | StandIn,
) -> AsyncIterator[SeatTable]:
    """Open a game; seat 0 is free, and the bots of the others play as soon as the browser has taken it."""
    async with connected(url) as connection, asyncio.TaskGroup() as playing:
        clients = [Client(connection, await register(connection, f"Rival {place}")) for place in range(1, SEATS)]
        terms = Terms(
            ruleset=kit.reference,
            seats=SEATS,
            options={**kit.short, **options},
            demands=demands,
            **more,  # type: ignore[arg-type]  # by name, as Terms has them
        )
        game = (await clients[0].open_game(terms)).game
        is_signing = "signed" in demands
        custody: Custody = "own" if "own_custody" in demands else "server"
        rivals = [
            SeatAt(client, game, Seat(place), build_seat_secrets(is_signing=is_signing))
            for place, client in enumerate(clients, start=1)
        ]
        for rival in rivals:
            await rival.take()
        tasks = [playing.create_task(_play(kit, rival, custody, think_s)) for rival in rivals]
        yield SeatTable(kit=kit, connection=connection, game=game, rivals=tuple(rivals))
        for task in tasks:
            task.cancel()


async def _play(kit: Kit, rival: SeatAt, custody: Custody, think_s: float) -> None:
    async def think() -> None:
        await asyncio.sleep(think_s)

    seen = await rival.read()
    while any(seat.status == "vacant" for seat in seen.seats):
        seen = await rival.client.read_next(rival.game, seen.version) or seen
    await rival.ready()
    numbers = Random(int(rival.seat))  # noqa: S311  the same choices in every run
    choose = read_bot(kit, kit.favourites[0])
    await play_seat(rival, Bot(choose=choose, numbers=numbers, custody=custody, think=think))


async def sit_down(page: Page, table: SeatTable) -> None:
    """Take the free seat, with the name that the page suggests; chariots do not keep the test waiting."""
    await page.emulate_media(reduced_motion="reduce")
    await page.add_init_script(AT_ONCE)
    await page.goto(table.url)
    await page.get_by_role("button", name="Take the seat").click()
    await expect(page.get_by_role("heading", name="A seat is free")).to_have_count(0, timeout=WAIT_MS)


async def choose_suggested(page: Page) -> Locator:
    """Choose the answer that the panel suggests, or the first of its buttons; return the control that sends it."""
    whole, suggested = page.get_by_label("Whole moves"), page.locator(".decision .go-button:visible").first
    # In an attack and in a draft no button is more than another.
    equal = page.locator(".attack-panel > .buttons:last-child button:visible, .draft-panel button").first
    await suggested.or_(equal).or_(whole).first.wait_for(timeout=WAIT_MS)
    if await whole.count():
        await whole.select_option(index=1)
        await suggested.or_(equal).first.wait_for(timeout=WAIT_MS)
    return suggested if await suggested.count() else equal
