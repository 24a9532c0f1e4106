"""The attack suite for some seconds: attackers from one address, and honest players who lose nothing by them."""

import asyncio
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from simulate.attack.running import HEADER, NONE, AttackDidNotBegin, Row, attacked, list_faults, run
from simulate.attack.strangers import ATTACKS
from simulate.attack.wire import Target, write_request

ROOT = Path(__file__).parents[3]
SECONDS = 4.0
QUIET = Row(
    attack=NONE,
    strength=1,
    has_proxy=False,
    commands=100,
    p99_ms=30.0,
    expired=0,
    gave_up=0,
    checked_in=8,
    health="20/20",
    memory_mb=150,
)


@pytest.mark.parametrize("name", ["refused_commands", "half_bodies", "offered_seats"])
async def test_honest_players_lose_nothing_under_attack(name: str) -> None:
    row = await run(name, 1, SECONDS)

    assert row.commands
    assert row.losses == []


async def test_an_attack_on_a_server_that_refuses_every_request_is_none() -> None:
    async def refuse(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(b"HTTP/1.1 403 Forbidden\r\ncontent-length: 0\r\n\r\n")
        await writer.drain()
        writer.close()

    async with await asyncio.start_server(refuse, "127.0.0.1", 0) as server:
        port = server.sockets[0].getsockname()[1]
        target = Target(host="127.0.0.1", port=port, game="", tournament="", player="", strength=1, seconds=SECONDS)
        with pytest.raises(AttackDidNotBegin, match="half_bodies to begin"):
            async with attacked("half_bodies", target):
                pass


@pytest.mark.parametrize(
    ("changed", "faults"),
    [
        ({}, []),
        ({"p99_ms": 91.0}, ["p99 3.0 times the quiet one"]),
        ({"memory_mb": 201}, ["more than 200 MB"]),
        (
            {"expired": 1, "gave_up": 2, "checked_in": 5},
            ["1 clocks expired", "2 players gave up", "3 entrants were not checked in"],
        ),
    ],
)
def test_each_limit_that_an_attack_breaks_is_named(changed: dict[str, Any], faults: list[str]) -> None:
    row = replace(QUIET, **changed)

    assert list_faults(row, QUIET) == faults
    assert row.format(faults).endswith("fails: " + ", ".join(faults) if faults else "holds")
    assert len(row.format([])) == len(HEADER) + len("holds")


def test_the_documents_name_every_attack() -> None:
    told = (ROOT / "docs" / "security.md").read_text()

    assert [name for name in ATTACKS if f"`{name}`" not in told] == []


def test_a_request_is_written_as_it_travels() -> None:
    written = write_request("POST", "/v1/players", {"name": "Eve"}, token="secret")

    assert written == (
        b"POST /v1/players HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: Bearer secret\r\n"
        b'content-type: application/json\r\ncontent-length: 15\r\n\r\n{"name": "Eve"}'
    )
