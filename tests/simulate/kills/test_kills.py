"""Servers that are killed under load: a short run, and faults that the checks must find in what a run has seen."""

from hashlib import sha256
from pathlib import Path
from uuid import UUID

import msgspec
import pytest

from domain.log.record import parse_line
from simulate.kills.checking import Checked, check_seen, check_stored
from simulate.kills.load import Acknowledged
from simulate.kills.running import Asked, Row, run
from spina_client.connection import Request
from spina_client.ids import GameId
from spina_client.seen import Accepted

ROOT = Path(__file__).parents[3]
GOLDEN = min((ROOT / "tests/domain/rulesets/chariot_race/golden").glob("*.ndjson"))
LOG = GOLDEN.read_bytes().splitlines()
OPENING = parse_line(LOG[0])
GAME = GameId(OPENING.stream)
HASHES = [sha256(line).hexdigest() for line in LOG]


async def test_servers_that_are_killed_lose_nothing(tmp_path: Path) -> None:
    told: list[int] = []

    row = await run(Asked(kills=3, servers=2, tables=1, seed=1), tmp_path, told.append)

    assert told == [1, 2, 3]
    # A busy machine finishes no game in the time; that is a shortfall and no violation.
    assert min(row.acknowledged, row.streams, row.checkpoints) > 0, row.told
    assert row.violations == ()


@pytest.mark.parametrize(
    ("finished", "gave_up", "shortfalls"),
    [
        (1, 3, ()),
        (0, 3, ("expected a finished game, found none",)),
        (1, 4, ("expected a player who stayed, found none",)),
    ],
)
def test_a_run_without_a_finished_game_or_a_player_shows_nothing(
    finished: int, gave_up: int, shortfalls: tuple[str, ...]
) -> None:
    checked = Checked(lines=9, finished=finished, expired=0, violations=())
    row = Row(
        kills=3,
        seconds=1.0,
        acknowledged=9,
        played=4,
        gave_up=gave_up,
        streams=2,
        checkpoints=2,
        checked=checked,
        violations=(),
    )

    assert row.shortfalls == shortfalls


def acknowledge(command: str, version: int) -> Acknowledged:
    """Build a command that opened the game, by the word of a server."""
    answer = {"game": GAME, "first_version": version, "last_version": version, "head": HASHES[0]}
    request = Request(method="POST", path="/v1/games", token="a", content=msgspec.json.encode({"command": command}))
    return Acknowledged(request=request, answer=msgspec.json.encode(msgspec.convert(answer, Accepted)))


def test_a_command_that_is_where_its_answer_says_is_no_fault() -> None:
    assert list(check_stored([acknowledge(str(OPENING.command), 1)], {GAME: LOG})) == []


@pytest.mark.parametrize(("command", "version"), [(str(UUID(int=1)), 1), (str(OPENING.command), 2)])
def test_a_lost_command_is_found(command: str, version: int) -> None:
    (found,) = check_stored([acknowledge(command, version)], {GAME: LOG})

    assert "found it lost" in found


def test_a_command_that_stands_twice_is_found() -> None:
    (found,) = check_stored([], {GAME: LOG, GameId(str(UUID(int=2))): LOG[:1]})

    assert found == f"{OPENING.command}: expected one line, found 2"


@pytest.mark.parametrize("hashes", [HASHES, HASHES[:5], []])
def test_a_stream_that_showed_the_beginning_of_the_log_is_no_fault(hashes: list[str]) -> None:
    assert list(check_seen({GAME: hashes}, {GAME: LOG})) == []


@pytest.mark.parametrize("hashes", [[*HASHES[:5], HASHES[6]], [*HASHES, HASHES[0]]])
def test_a_stream_that_showed_a_line_which_the_log_has_not_is_found(hashes: list[str]) -> None:
    (found,) = check_seen({GAME: hashes}, {GAME: LOG})

    assert "found others in the log" in found
