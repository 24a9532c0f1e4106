"""A race that a client plays in a second."""

from typing import Any

from spina_client.bot import play
from spina_client.formats import Json
from spina_client.seat import SeatAt
from spina_client.seen import GameSeen

RACE: dict[str, Any] = {
    "ruleset": "chariotmaster@1",
    "seats": 2,
    "options": {"laps": 1, "equipment": "none", "turns_max": 2},
}


def choose(_board: Any, choices: Any) -> Json:
    """Take the first legal action of a decision."""
    first = choices["candidates"][0]
    action: Json = first.get("action", first)
    return action


async def play_race(at: SeatAt) -> GameSeen:
    return await play(at, choose)
