"""A game as it happens, and the events of an account. Both go on where they broke off, and miss nothing."""

from collections.abc import AsyncGenerator, AsyncIterator, Mapping
from contextlib import aclosing
from typing import Any

import msgspec
from msgspec import Struct

from spina_client.client import Client
from spina_client.formats import Json
from spina_client.ids import GameId, StreamVersion
from spina_client.problems import AnswerUnreadable
from spina_client.seen import OwnGame, OwnOffer
from spina_client.stream_events import OPENED, StreamEvent

FRAME = "message"
# After it the board is whole again: the reader sees the game from another place.
SEAT_CHANGED = "seat_changed"
OVER = "over"
OFFERED, OFFER_ENDED = "seat_offered", "offer_ended"
OF_OFFERS = {OFFERED, OFFER_ENDED}
OF_GAMES = {"your_turn", "game_started", "game_over", "game_changed"}


class Frame(Struct, frozen=True, kw_only=True):
    """A line of the log as it is stored, and the game after it, as `GET /v1/games/{game}` shows that to the account.

    Members that are null are left out of `game`, so a bot answers from `Client.read_game`.
    """

    version: StreamVersion
    line: bytes
    game: Mapping[str, Json]


class AccountEvent(Struct, frozen=True, kw_only=True):
    """What happened to an account: to a game, an offer, or in a tournament. `data` has the state, no history."""

    id: int
    event: str
    data: bytes

    @property
    def game(self) -> OwnGame | None:
        """The game of `your_turn`, `game_started`, `game_over` and `game_changed`."""
        return msgspec.json.decode(self.data, type=OwnGame) if self.event in OF_GAMES else None

    @property
    def offer(self) -> OwnOffer | None:
        """The offer of `seat_offered` and `offer_ended`."""
        return msgspec.json.decode(self.data, type=OwnOffer) if self.event in OF_OFFERS else None


class _FrameSent(Struct, frozen=True, kw_only=True):
    version: StreamVersion
    line: msgspec.Raw
    board: dict[str, Json]


class _End(Struct, frozen=True, kw_only=True):
    reason: str


async def follow_game(client: Client, game: GameId, *, after: StreamVersion | None = None) -> AsyncIterator[Frame]:
    """Yield a frame for each line after a version, or from the present on, until nothing more can come.

    Raises Refused where the game is not shown to the account, ServerUnreachable, AnswerUnreadable.
    """
    shown: dict[str, Json] | None = None
    async with aclosing(_follow(client, f"/v1/games/{game}/live", after)) as events:
        async for event in events:
            if event is OPENED or event.name == SEAT_CHANGED:
                shown = None
            elif event.name == FRAME:
                sent = _read(client, event, _FrameSent)
                shown = sent.board if shown is None else _patch(shown, sent.board)
                yield Frame(version=sent.version, line=bytes(sent.line), game=shown)
            elif event.name == "end" and _read(client, event, _End).reason == OVER:
                return


async def follow_account(client: Client, *, after: int | None = None) -> AsyncIterator[AccountEvent]:
    """Yield the events of the account after an id, for ever. `after` of `Client.read_own_games` misses nothing.

    Raises Refused, ServerUnreachable, AnswerUnreadable.
    """
    async with aclosing(_follow(client, "/v1/account/events", after)) as events:
        async for event in events:
            if event.id is not None:
                yield AccountEvent(id=event.id, event=event.name, data=event.data)


def _follow(client: Client, path: str, after: int | None) -> AsyncGenerator[StreamEvent, None]:
    return client.connection.follow(path, token=client.account.token, after=after)


def _read(client: Client, event: StreamEvent, type_: type[Any]) -> Any:
    try:
        return msgspec.json.decode(event.data, type=type_)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise AnswerUnreadable(url=client.connection.url, reason=str(error)) from None


def _patch(before: dict[str, Json], change: Mapping[str, Json]) -> dict[str, Json]:
    """Return what a merge patch (RFC 7396) makes of this: null takes a member away."""
    after = dict(before)
    for name, value in change.items():
        known = before.get(name)
        if value is None:
            after.pop(name, None)
        elif isinstance(value, Mapping):
            after[name] = _patch(known if isinstance(known, dict) else {}, value)
        else:
            after[name] = value
    return after
