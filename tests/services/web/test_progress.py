"""How far a race is, in words: no lap is named beyond the race's end."""

from typing import Any

import pytest

from tests.services.web.node import run

TELL = """
const { tellLap, tellProgress } = await import("./parts/words.js");
console.log(JSON.stringify(given.driver ? tellLap(...given.driver) : tellProgress(given.game)));
"""


@pytest.mark.parametrize(
    ("laps", "told"),
    [((0, 3), "lap 1"), ((2, 3), "lap 3"), ((3, 3), "every lap run"), ((1, 1), "every lap run")],
)
def test_a_driver_who_has_run_every_lap_is_in_no_further_one(laps: tuple[int, int], told: str) -> None:
    assert run(TELL, {"driver": laps}) == told


@pytest.mark.parametrize(
    ("game", "told"),
    [
        ({"status": "open", "version": 1}, "1 event"),
        ({"status": "running", "version": 90, "turn": 3}, "turn 3"),
        ({"status": "running", "version": 400, "turn": 16, "laps": 1}, "turn 16, 1 lap run"),
        ({"status": "running", "version": 400, "turn": 16, "laps": 2, "delay_s": 9}, "turn 16, 2 laps run, shown late"),
        ({"status": "finished", "version": 461, "turn": 17, "laps": 1, "delay_s": 9}, "17 turns"),
    ],
)
def test_a_game_in_the_lobby_says_which_laps_were_run(game: dict[str, Any], told: str) -> None:
    assert run(TELL, {"game": game}) == told
