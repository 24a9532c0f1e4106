"""The id of a game in a path."""

import msgspec

from domain.ids import GameId, GameIdField
from services.commands.arena import NoSuchGame

# How much of a path a message repeats: enough to recognise it, too little to flood a log.
SHOWN_CHARS_MAX = 60


def read_game_id(text: str) -> GameId:
    """Return a path's game id; text that cannot be one names no game."""
    try:
        return msgspec.convert(text, GameIdField)
    except msgspec.ValidationError:
        raise NoSuchGame(expected="the id of a game", found=ascii(text)[:SHOWN_CHARS_MAX]) from None
