"""What all routes that command a game share: whether the game exists for the caller, and what every command carries."""

from typing import Any

import msgspec

from domain.ids import GameId, GameIdField
from services.api.authentication import require_actor
from services.api.bodies import Body
from services.api.parts import Parts
from services.commands.arena import NoSuchGame
from services.reading.access import Caller, require_game

# What a message repeats of a path: enough to recognise it, too little to flood a log.
SHOWN_CHARS_MAX = 60


def read_game_id(text: str) -> GameId:
    """Return a path's game id; what cannot be one names no game."""
    try:
        return msgspec.convert(text, GameIdField)
    except msgspec.ValidationError:
        raise NoSuchGame(expected="the id of a game", found=ascii(text)[:SHOWN_CHARS_MAX]) from None


async def build_envelope(
    asked: Body, game: str, caller: Caller, parts: Parts, *, invitation: str | None = None
) -> dict[str, Any]:
    """Return the fields that every command of an existing game has, for its constructor.

    Whoever may not see a game is told that there is none before anything else of it is looked at.
    """
    at_ms = parts.now_ms()
    actor = require_actor(caller)
    found = read_game_id(game)
    await require_game(parts.arena, found, caller, invitation=invitation)
    return {"id": asked.command, "game": found, "at_ms": at_ms, "actor": actor, "sig": asked.sig}
