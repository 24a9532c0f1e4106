"""Which version of a game a request is about: the newest that the caller may see, or one waited for."""

from functools import partial
from typing import Annotated

import msgspec
from litestar.exceptions import NotAuthorizedException
from litestar.openapi.spec import Example
from litestar.params import QueryParameter
from msgspec import Struct

from domain.ids import GameId, GameIdField, Seat, StreamVersion
from services.api.http.parts import Parts
from services.commands.arena import NoSuchGame
from services.reading.access import Caller, find_viewpoint, find_visible_version
from services.reading.histories import Knowledge
from services.reading.tournaments.looks import has_look
from services.reading.waiting import AHEAD_MAX, WAIT_S_MAX, pauses

# How much of a path a message repeats: enough to recognise it, too little to flood a log.
SHOWN_CHARS_MAX = 60

# Seats are few; the answer to a missing one has their number.
SeatAsked = Annotated[
    int | None,
    QueryParameter(
        name="seat",
        description="As this seat saw it: your own, or any once the game is over.",
        ge=0,
        examples=[Example(value=1)],
    ),
]


def read_game_id(text: str) -> GameId:
    """Return a path's game id; text that cannot be one names no game."""
    try:
        return msgspec.convert(text, GameIdField)
    except msgspec.ValidationError:
        raise NoSuchGame(expected="the id of a game", found=ascii(text)[:SHOWN_CHARS_MAX]) from None


class NoSuchVersion(NoSuchGame):
    """The game has not so many events, or not yet for the caller."""

    code = "no-such-version"


class Sight(Struct, frozen=True, kw_only=True):
    """A game as far as the caller may see it, and from which seat."""

    game: GameId
    version: StreamVersion
    seat: Seat | None

    @property
    def knowledge(self) -> Knowledge:
        return "public" if self.seat is None else "secret"

    @property
    def viewer(self) -> str:
        return "public" if self.seat is None else f"seat-{self.seat}"


async def look(
    parts: Parts, game: str, caller: Caller, *, min_version: int | None = None, seat: int | None = None
) -> Sight:
    """Return the newest version for the caller. Wait for `min_version`; raise NoSuchVersion when it does not come.

    From `seat`, or the caller's own; raises NotYourSeat where that would show hidden values.
    """
    found = read_game_id(game)
    sight = await _look_once(parts, found, caller, seat)
    if min_version is None or sight.version >= min_version:
        return sight
    if min_version > sight.version + AHEAD_MAX:
        raise NoSuchVersion(expected=f"a version from 1 to {sight.version}, or soon after", found=f"{min_version}")
    with parts.holds.holding(caller):
        async for _ in pauses(parts.stopping):
            if caller.token is not None and parts.people.known_tokens.has_ended(caller.token):
                raise NotAuthorizedException(detail="expected a live token, found one that has ended meanwhile")
            sight = await _look_once(parts, found, caller, seat)
            if sight.version >= min_version:
                return sight
    raise NoSuchVersion(expected=f"a version from 1 to {sight.version}, {WAIT_S_MAX:g} s later", found=f"{min_version}")


def require_version(sight: Sight, version: int) -> StreamVersion:
    """Return a version the caller may see, or raise NoSuchVersion."""
    if not 1 <= version <= sight.version:
        raise NoSuchVersion(expected=f"a version from 1 to {sight.version}", found=f"{version}")
    return StreamVersion(version)


async def _look_once(parts: Parts, game: GameId, caller: Caller, seat: int | None) -> Sight:
    looks = partial(has_look, parts.tournaments.histories)
    newest, version = await find_visible_version(
        parts.games.histories, game, caller, now_ms=parts.now_ms(), looks=looks
    )
    return Sight(game=game, version=version, seat=find_viewpoint(newest, caller, seat))
