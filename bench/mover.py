"""One process that plays a race for the live measurement, a command for each line that it gets.

Run as `python -m bench.mover`; orders on standard input, as URLs hold passwords, then a line for each move.
"""

import asyncio
import secrets
import time
from random import Random

from msgspec import Struct
from msgspec.structs import replace

from bench.child import HiddenOrders, read_orders, say, until_told
from bench.recorded_games import SEATS, build_opening
from domain.chance import Secret
from domain.game.commands import GameCommand
from domain.game.events import ActionPlayed, InputEvent, SeatReadied, SeatTaken
from domain.game.state import Game
from domain.ids import CommandId, GameId, PlayerId, Seat, StreamId
from domain.log.actors import ByPlayer
from domain.log.entry import as_stored
from domain.ruleset.catalogue import Catalogue
from domain.rulesets.chariot_race.kit.kit import KIT
from infra.keys import MasterKey
from infra.postgres.event_store import open_event_store
from infra.redis.announcer import redis_announcer
from infra.uuid7 import build_uuid7
from services.commands.arena import Arena
from services.commands.catalogue import build_catalogue
from services.commands.vault import Vault
from services.node.steady_clock import read_clock_ms

SEED = 7


class MoverOrders(HiddenOrders, frozen=True, kw_only=True):
    database_url: str
    redis_url: str
    master_key: bytes
    game: GameId


class Moved(Struct, frozen=True, kw_only=True):
    """A command is committed since this instant of the monotonic clock; the game is at this version."""

    version: int
    at_ns: int
    is_over: bool = False


def build_orders(app_url: str, redis_url: str, key: bytes) -> MoverOrders:
    """Build the orders for a new race."""
    game = GameId(StreamId(_new_id()))
    return MoverOrders(database_url=app_url, redis_url=redis_url, master_key=key, game=game)


class Driver:
    """Plays every seat of one race, each with a bot of its own."""

    def __init__(self, arena: Arena, game: GameId) -> None:
        self._arena = arena
        self._game = game
        self._players = [PlayerId(_new_id()) for _ in range(SEATS)]
        self._numbers = Random(SEED)  # noqa: S311  the same race in every run

    async def start(self, catalogue: Catalogue) -> Moved:
        rules = catalogue.find_current(name=KIT.name, version=1)
        opening = build_opening(rules, Secret(secrets.token_bytes(32)), {})
        await self._arena.handle(replace(opening, id=CommandId(self._game), stream=self._game, at_ms=read_clock_ms()))
        for place, player in enumerate(self._players):
            taken = SeatTaken(seat=Seat(place), player=player, anchor=None, links=0, key=None)
            await self._arena.handle(self._command(place, taken))
        for place in range(SEATS):
            await self._arena.handle(self._command(place, SeatReadied(seat=Seat(place), nonce=None)))
        return Moved(version=(await self._arena.load(self._game)).version, at_ns=time.monotonic_ns())

    async def move(self) -> Moved:
        """Answer the next owed decision."""
        game = await self._arena.recall(self._game)
        answer = await self._arena.handle(self._choose(game))
        at_ns = time.monotonic_ns()
        return Moved(
            version=answer.last_version, at_ns=at_ns, is_over=(await self._arena.recall(self._game)).status != "running"
        )

    def _choose(self, game: Game) -> GameCommand:
        decision = game.owed[0].decision
        bot = list(KIT.bots.values())[decision.seat % len(KIT.bots)]
        choices = game.ruleset.legal_actions(game.board, decision)
        action = bot(game.ruleset.view(game.board, decision.seat), choices, self._numbers)
        played = ActionPlayed(seat=decision.seat, decision=decision.id, action=as_stored(action), nonce=None)
        return self._command(decision.seat, played)

    def _command(self, seat: int, event: InputEvent) -> GameCommand:
        return GameCommand(
            id=CommandId(_new_id()),
            stream=self._game,
            at_ms=read_clock_ms(),
            actor=ByPlayer(player=self._players[seat]),
            event=event,
        )


def _new_id() -> str:
    return build_uuid7(read_clock_ms())


async def _drive(orders: MoverOrders) -> None:
    """Open and start a race, then move whenever a line comes."""
    async with open_event_store(orders.database_url) as store, redis_announcer(orders.redis_url) as announcer:
        catalogue = await build_catalogue(store)
        vault = Vault(MasterKey(orders.master_key))
        driver = Driver(Arena(store=store, announcer=announcer, catalogue=catalogue, vault=vault), orders.game)
        say(await driver.start(catalogue))
        while await until_told():
            say(await driver.move())


if __name__ == "__main__":
    asyncio.run(_drive(read_orders(MoverOrders)))
