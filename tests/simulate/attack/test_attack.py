"""The attack suite for some seconds: attackers from one address, and honest players who lose nothing by them."""

from pathlib import Path

import pytest

from simulate.attack.running import run
from simulate.attack.strangers import ATTACKS
from simulate.attack.wire import write_request

ROOT = Path(__file__).parents[3]
SECONDS = 8.0


@pytest.mark.parametrize("name", ["refused_commands", "half_bodies", "offered_seats"])
async def test_honest_players_lose_nothing_under_attack(name: str) -> None:
    row = await run(name, 1, SECONDS)

    assert row.commands
    assert (row.expired, row.gave_up, row.checked_in) == (0, 0, 8), row.told


def test_the_documents_name_every_attack() -> None:
    told = (ROOT / "docs" / "security.md").read_text()

    assert [name for name in ATTACKS if f"`{name}`" not in told] == []


def test_a_request_is_written_as_it_travels() -> None:
    written = write_request("POST", "/v1/players", {"name": "Eve"}, token="secret")

    assert written == (
        b"POST /v1/players HTTP/1.1\r\nhost: spina\r\nauthorization: Bearer secret\r\n"
        b'content-type: application/json\r\ncontent-length: 15\r\n\r\n{"name": "Eve"}'
    )
