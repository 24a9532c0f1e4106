"""The pace of the house: a player's beside players, a spectator's while every player is away."""

from typing import Any

import pytest

from domain.house import HOUSE
from domain.ids import Seat, StreamVersion
from projections.lobby import HouseSeat, LobbyGame, Sitting
from services.workers.house import find_pace_s
from tests.domain.game.game_harness import ADA, BOB, GAME, NOON

BOT_OF_SEAT_1 = HouseSeat(seat=Seat(1), bot="steady")
STAND_IN = HouseSeat(seat=Seat(0), bot="steady")


def build_game(*house: HouseSeat, first: Any = ADA, second: Any = HOUSE[1]) -> LobbyGame:
    return LobbyGame(
        id=GAME,
        version=StreamVersion(9),
        ruleset="torches@1",
        status="running",
        visibility="public",
        delay_s=0,
        clock=None,
        seats=2,
        taken=(Sitting(seat=Seat(0), player=first), Sitting(seat=Seat(1), player=second)),
        opened_by=f"player:{ADA}",
        opened_at="",
        last_at="",
        shown_from_ms=NOON,
        house=house,
    )


@pytest.mark.parametrize(
    ("game", "pace_s"),
    [
        pytest.param(build_game(BOT_OF_SEAT_1), 1, id="a player beside a bot"),
        pytest.param(build_game(STAND_IN, BOT_OF_SEAT_1), 20, id="a stand-in beside a bot"),
        pytest.param(build_game(STAND_IN, second=BOB), 1, id="a stand-in beside a player"),
        pytest.param(build_game(STAND_IN, BOT_OF_SEAT_1, second=BOB), 20, id="stand-ins alone"),
        pytest.param(build_game(STAND_IN, BOT_OF_SEAT_1, first=HOUSE[0]), None, id="bots alone"),
    ],
)
def test_the_house_waits_for_players_who_may_come_back(game: LobbyGame, pace_s: int | None) -> None:
    assert find_pace_s(game, played_s=1, watched_s=20) == pace_s
