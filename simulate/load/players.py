"""Players who play one timed game after the other through every outage, and note each acknowledged command."""

import asyncio
import time
from collections.abc import Callable, Sequence
from random import Random
from typing import Any

from msgspec import Struct

from domain.ruleset.kit import Kit
from domain.rulesets.released import find_kit
from simulate.load.journal import Acked, Entry, GaveUp
from spina_client.bot import Bot, GameStandsStill, play_seat
from spina_client.client import Client, ClockTerms, Terms, register
from spina_client.connection import Connection, Request
from spina_client.formats import encode
from spina_client.ids import CommandId, GameId, Seat
from spina_client.problems import AnswerUnreadable, Refused, ServerUnreachable
from spina_client.seat import SeatAt
from spina_client.seat_secrets import build_seat_secrets
from spina_client.seen import Accepted, Account
from spina_players.bots.player import read_bot

SEATS = 2
# Before a player who gave up tries again.
AGAIN_S = 0.5
GIVEN_UP = (Refused, ServerUnreachable, AnswerUnreadable, GameStandsStill)

Note = Callable[[Entry], None]


class Pace(Struct, frozen=True, kw_only=True):
    """The ruleset of a table, and how fast its players play it."""

    ruleset: str
    think_s: float
    # Bots answer within a second: no clock expires unless an outage is charged to a player.
    per_decision_ms: int


class NotingClient(Client):
    """A client that notes each answer to a command."""

    def __init__(self, connection: Connection, account: Account, note: Note) -> None:
        super().__init__(connection, account)
        self._note = note

    async def post(self, path: str, fields: dict[str, Any], *, command: CommandId | None = None) -> Accepted:
        command, begun_s = command or self.new_id(), time.monotonic()
        answer = await super().post(path, fields, command=command)
        content = encode({"command": command, **fields})
        self._note(
            Acked(
                request=Request(method="POST", path=path, token=self.account.token, content=content),
                command=command,
                seat=fields.get("seat"),
                answer=answer,
                at_s=time.time(),
                took_s=time.monotonic() - begun_s,
            )
        )
        return answer


async def play_on(
    connection: Connection, pace: Pace, note: Note, on_opened: Callable[[GameId], object] = lambda _: None
) -> None:
    """Play one game after the other, for ever."""
    kit = find_kit(pace.ruleset)
    assert kit is not None, "a released ruleset"
    clients: list[Client] = []
    while True:
        try:
            while len(clients) < SEATS:
                account = await register(connection, f"Player {len(clients)}")
                clients.append(NotingClient(connection, account, note))
            seats = await _seat(clients, kit, pace)
        except GIVEN_UP as refused:
            note(GaveUp(reason=str(refused)))
            await asyncio.sleep(AGAIN_S)
            continue
        on_opened(seats[0].game)
        await asyncio.gather(*(_play(at, kit, pace, note) for at in seats))


async def _seat(clients: Sequence[Client], kit: Kit, pace: Pace) -> list[SeatAt]:
    """Open a timed game that is short to watch, and seat the players, who are ready."""
    clock = ClockTerms(per_decision_ms=pace.per_decision_ms, bank_ms=0)
    terms = Terms(ruleset=kit.reference, seats=SEATS, options=dict(kit.short), clock=clock)
    opened = await clients[0].open_game(terms)
    seats = [SeatAt(client, opened.game, Seat(place), build_seat_secrets()) for place, client in enumerate(clients)]
    for at in seats:
        await at.take()
    for at in seats:
        await at.ready()
    return seats


async def _play(at: SeatAt, kit: Kit, pace: Pace, note: Note) -> None:
    """Play the seat to the end of its game; a player who gave up comes again."""

    async def think() -> None:
        await asyncio.sleep(pace.think_s)

    whims = Random(int(at.seat))  # noqa: S311  bots have whims, chance comes from the server
    bot = Bot(choose=read_bot(kit, kit.favourites[0]), numbers=whims, think=think)
    while True:
        try:
            await play_seat(at, bot)
        except GIVEN_UP as refused:
            note(GaveUp(game=at.game, seat=int(at.seat), reason=str(refused)))
            await asyncio.sleep(AGAIN_S)
        else:
            return
