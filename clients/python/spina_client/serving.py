"""A bot that waits for rivals: takes each seat that is offered to its account, and plays it."""

import asyncio
import logging
from collections.abc import Callable
from functools import partial

from spina_client.bot import ChooseJson, play
from spina_client.challenge import wait_for_rivals
from spina_client.client import Client
from spina_client.following import follow_account
from spina_client.ids import GameId, Seat
from spina_client.kept_seats import KeptSeats
from spina_client.problems import ServerUnreachable, SpinaError
from spina_client.seat import SeatAt
from spina_client.seat_secrets import LINKS_COUNT, SeatSecrets, build_seat_secrets
from spina_client.seen import GameSeen, OwnOffer

_log = logging.getLogger(__name__)

GAMES_MAX = 4
GOING_ON = {"open", "running"}

Accepts = Callable[[OwnOffer], bool]
OnEnded = Callable[[GameSeen], None]


def accept_all(_offer: OwnOffer) -> bool:
    """Accept every offer."""
    return True


def ignore(_ended: GameSeen) -> None:
    """Do nothing with a game that ended."""


async def serve_challenges(
    client: Client,
    choose: ChooseJson,
    *,
    accepts: Accepts = accept_all,
    games_max: int = GAMES_MAX,
    kept: KeptSeats | None = None,
    on_ended: OnEnded = ignore,
) -> None:
    """Take each seat that is offered to the account, and play it by `choose(board, choices)`, until cancelled.

    An offer that is not accepted is declined; one beyond `games_max` games waits. Games that go on from an earlier run
    are played on, those with links, own custody or signatures where `kept` has their secrets. A fault of one game is
    logged, and leaves the others alone.

    Raises Refused where the token is refused, ServerUnreachable, AnswerUnreadable.
    """
    served = _Served(client, choose, accepts, games_max, kept, on_ended)
    try:
        async with asyncio.TaskGroup() as tasks:
            # What happens from here on is an event; what is so already is read after it.
            tasks.create_task(served.listen(after=(await client.read_own_games()).after))
            await served.serve(tasks)
    except ExceptionGroup as faults:
        # The first one ended the others.
        raise faults.exceptions[0] from None


class _Served:
    def __init__(
        self,
        client: Client,
        choose: ChooseJson,
        accepts: Accepts,
        games_max: int,
        kept: KeptSeats | None,
        on_ended: OnEnded,
    ) -> None:
        self._client = client
        self._choose = choose
        self._accepts = accepts
        self._games_max = games_max
        self._kept = kept
        self._on_ended = on_ended
        self._changed = asyncio.Event()
        self._playing: set[GameId] = set()
        # After a fault the same game would fail again.
        self._left_alone: set[GameId] = set()

    async def listen(self, *, after: int) -> None:
        async for _ in follow_account(self._client, after=after):
            self._changed.set()

    async def serve(self, tasks: asyncio.TaskGroup) -> None:
        while True:
            own = await self._client.read_own_games()
            for game in own.items:
                if game.status in GOING_ON and game.tournament is None and not game.is_offered:
                    self._begin(tasks, game.game, game.seat)
            for offer in own.offers:
                if self._accepts(offer):
                    self._begin(tasks, offer.game, offer.seat)
                else:
                    await self._client.decline(game=offer.game)
            await self._changed.wait()
            self._changed.clear()

    def _begin(self, tasks: asyncio.TaskGroup, game: GameId, seat: Seat) -> None:
        if game in self._playing | self._left_alone or len(self._playing) >= self._games_max:
            return
        self._playing.add(game)
        tasks.create_task(self._play(game, seat))

    async def _play(self, game: GameId, seat: Seat) -> None:
        try:
            self._on_ended(await self._play_to_end(game, seat))
        except ServerUnreachable:
            raise
        except SpinaError as fault:
            _log.warning("%s is left alone: %s", game, fault)
            self._left_alone.add(game)
        except Exception:  # noqa: BLE001  a bug of `choose` in one game must not end all the others
            _log.exception("%s is left alone", game)
            self._left_alone.add(game)
        self._playing.discard(game)
        self._changed.set()

    async def _play_to_end(self, game: GameId, seat: Seat) -> GameSeen:
        seen = await self._client.read_game(game)
        keep = None if self._kept is None else partial(self._kept.keep, game)
        at = SeatAt(self._client, game, seat, self._find_secrets(seen), keep=keep)
        if seen.your_seat is None:
            await at.take()
        seen = await wait_for_rivals(at)
        if seen.status == "open" and not seen.seats[seat].is_ready:
            await at.ready()
        ended = await play(at, self._choose)
        if self._kept is not None:
            self._kept.forget(game)
        return ended

    def _find_secrets(self, seen: GameSeen) -> SeatSecrets:
        """Return the kept secrets of a game, or new ones: without a demand a seat needs none, and none are lost."""
        demands = seen.terms.demands
        found = None if self._kept is None else self._kept.read(seen.id)
        if found is not None:
            return found
        return build_seat_secrets(is_signing="signed" in demands, links_count=LINKS_COUNT if "links" in demands else 0)
