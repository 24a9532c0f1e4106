"""`spina serve` from a cold start: finished games soon, and a clean end in the middle of the next ones."""

import json
import time
from pathlib import Path
from urllib.request import urlopen

from tests.services.cli.program import PATIENCE_S, serving

# An idle machine needs three seconds and one; this one is shared.
FIRST_GAMES_WITHIN_S = 240.0
STOP_WITHIN_S = 30.0
LOOK_S = 0.25


def test_a_cold_start_shows_a_finished_game_of_each_and_stops_clean_in_the_next(tmp_path: Path) -> None:
    began_s = time.monotonic()
    with serving(tmp_path / "data", SPINA_EXHIBITION="on") as server:
        url = server.until_ready().removesuffix("/v1/health")
        for _ in range(2):
            server.until_logged("exhibition_game_ended")
        while list_finished(url) != {"charioteer@1", "chariot-race@1"}:
            assert time.monotonic() - began_s < FIRST_GAMES_WITHIN_S
            # A list is a little behind its log, and costs more the more is in it.
            time.sleep(LOOK_S)
        shown_s = time.monotonic()

        assert server.stop() == 0
        assert time.monotonic() - shown_s < STOP_WITHIN_S
        assert server.servers_left() == ()


def list_finished(url: str) -> set[str]:
    with urlopen(f"{url}/v1/games?status=finished", timeout=PATIENCE_S) as response:  # noqa: S310  the server under test
        return {item["ruleset"] for item in json.load(response)["items"]}
