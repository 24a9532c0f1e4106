"""The house: sits down where its bots are called, and plays their seats over the API, with a player's knowledge alone.

A list names the games and states when one has moved; a bot that has answered all that was due rests until then.
"""

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager

import httpx2
import structlog
from msgspec import Struct

from domain.ids import GameId, Seat
from domain.ruleset.kit import Kit
from infra.house_keys import HouseKeys
from infra.postgres.worker_signs import HOUSE_LOCK, check_session, locked_session
from infra.projection_store import Projections, Sought
from projections.lobby import LISTED, LOBBY, HouseSeat, LobbyGame, has_handed, label_ruleset, label_status
from services.reading.house_games import list_house_games
from services.workers.kinds import HOUSE
from services.workers.standby import Step, Worker
from spina_client import ids
from spina_client.client import Client
from spina_client.connection import Connection, connected
from spina_client.problems import AnswerUnreadable, Refused, ServerUnreachable
from spina_client.seen import Account
from spina_players.bots.called_seat import CalledSeat, Part
from spina_players.bots.pace import Lane

log = structlog.get_logger()

# The mean time before an answer to a person: enough to see what happened, short enough for five bots in a row.
THINK_S = 1.0
# Between two answers to programs that practise, of all games together: half of a core's time, as an answer costs.
AT_ONCE_S = 0.03
# A refusal may pass: an opening is witnessed, a server comes back.
RETRY_S = 5.0
# In process; the URL only has to be one.
URL = "http://house.spina"

SeatKey = tuple[GameId, Seat]


class HouseSources(Struct, frozen=True, kw_only=True):
    """`transport` is the server's own API in this process. `kits` have the bots, by the reference of the ruleset."""

    keys: HouseKeys
    projections: Projections
    kits: Mapping[str, Kit]
    transport: httpx2.AsyncBaseTransport
    think_s: float = THINK_S


def build_house(sources: HouseSources, database_url: str) -> Worker:
    return Worker(name=HOUSE.name, open=lambda: _open_session(sources, database_url))


@asynccontextmanager
async def _open_session(sources: HouseSources, database_url: str) -> AsyncIterator[Step | None]:
    async with locked_session(database_url, HOUSE_LOCK) as lock:
        if lock is None:
            yield None
            return
        async with connected(URL, transport=sources.transport) as connection:
            house = House(sources, connection)

            async def step() -> None:
                await check_session(lock)
                await house.step()

            try:
                yield step
            finally:
                await house.leave()


class House:
    """One session. Seats are played on from the log after any stop."""

    def __init__(self, sources: HouseSources, connection: Connection) -> None:
        self._sources = sources
        self._connection = connection
        self._seats: dict[SeatKey, CalledSeat] = {}
        self._tasks: dict[SeatKey, asyncio.Task[None]] = {}
        # The version of the game at which nothing was due for a seat.
        self._rested: dict[SeatKey, int] = {}
        self._at_once = Lane(AT_ONCE_S)

    async def step(self) -> None:
        """Set to work every bot whose game has moved. Raises StoreUnavailable."""
        games = await list_house_games(self._sources.projections)
        listed = {(game.id, seat.seat) for game in games for seat in game.house}
        self._seats = {key: seat for key, seat in self._seats.items() if key in listed}
        self._rested = {key: version for key, version in self._rested.items() if key in listed}
        for game in games:
            for called in game.house:
                key = game.id, called.seat
                if key not in self._tasks and self._rested.get(key, 0) < game.version:
                    if key not in self._seats:
                        self._seats[key] = self._build_seat(game, called)
                        self._seats[key].pace.set(await self._find_spectators_pace(game))
                    self._set_to_work(key, game.version)
                think_s = find_pace_s(game, played_s=self._sources.think_s, watched_s=self._find_watched_s(game))
                if key in self._seats and think_s is not None:
                    has_lane = called.at_once and has_players(game)
                    self._seats[key].pace.set(think_s, self._at_once if has_lane else None)

    async def leave(self) -> None:
        """Let every bot stop where it is."""
        tasks = list(self._tasks.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def _set_to_work(self, key: SeatKey, version: int) -> None:
        game, seat = key
        task = asyncio.create_task(self._attend(key, version), name=f"house bot in seat {seat} of {game}")
        self._tasks[key] = task
        task.add_done_callback(lambda _: self._tasks.pop(key, None))

    async def _attend(self, key: SeatKey, version: int) -> None:
        """Do what is due for a seat. A bot that breaks gives up its seat, and the others play on."""
        game, seat = key
        called = self._seats[key]
        try:
            self._rested[key] = await called.act()
        except (Refused, ServerUnreachable, AnswerUnreadable) as reason:
            log.info("house_refused", game=game, seat=seat, reason=str(reason))
            await asyncio.sleep(RETRY_S)
        except Exception:
            log.exception("house_bot_broken", game=game, seat=seat)
            await called.give_up()
            self._rested[key] = version

    def _build_seat(self, game: LobbyGame, called: HouseSeat) -> CalledSeat:
        keys = self._sources.keys
        made = keys.accounts[called.seat]
        account = Account(id=ids.PlayerId(made.id), name=made.name, token=made.token)
        part = Part(
            kit=self._sources.kits[game.ruleset],
            bot=called.bot,
            seed=keys.derive_seed(game.id, called.seat),
        )
        client = Client(self._connection, account)
        return CalledSeat(client, ids.GameId(game.id), ids.Seat(called.seat), part)

    async def _find_spectators_pace(self, game: LobbyGame) -> float:
        """Return the pace for spectators, or none for the first game of a ruleset to be watched."""
        labels = (LISTED, label_ruleset(game.ruleset), label_status("finished"))
        sought = Sought(labels=labels, or_labels=labels, before=None, now_ms=0)
        finished = await self._sources.projections.list_owners(LOBBY.name, sought, limit=1)
        return self._find_watched_s(game) if finished else 0.0

    def _find_watched_s(self, game: LobbyGame) -> float:
        return self._sources.kits[game.ruleset].think_ms / 1_000


def has_players(game: LobbyGame) -> bool:
    return len(game.house) < game.seats


def find_pace_s(game: LobbyGame, *, played_s: float, watched_s: float) -> float | None:
    """Return the pace of a game with players; None where bots alone ever played."""
    if has_players(game):
        return played_s
    # Until its player takes the seat back, a race between bots goes no faster than spectators can follow.
    return watched_s if has_handed(game) else None
