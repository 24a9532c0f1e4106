"""The checks of a load: each violation is reported with its game, its seat or reader, and its line."""

import json
from hashlib import sha256

import pytest

from simulate.load.checking import StoredLog, check
from simulate.load.journal import Acked, Entry, Journal, Shown
from spina_client.connection import Request
from spina_client.ids import CommandId, GameId, LineHash, StreamVersion
from spina_client.seen import Accepted

GAME = GameId("0199c0de-0000-7000-8000-000000000001")
OTHER = "0199c0de-0000-7000-8000-000000000002"
COMMANDS = (CommandId("0199c0de-0000-7000-8000-0000000000c1"), CommandId("0199c0de-0000-7000-8000-0000000000c2"))


def line(version: int, *, command: str, type_: str = "action_played") -> bytes:
    told = {"command": command, "data": {"seat": 1}, "kind": "input", "type": type_, "version": version}
    return json.dumps(told).encode()


def stored(*bodies: bytes) -> StoredLog:
    log = StoredLog()
    for version, body in enumerate(bodies, start=1):
        log.add(GAME, version, body)
    return log


def acked(body: bytes, version: int, command: CommandId) -> Acked:
    at = StreamVersion(version)
    return Acked(
        request=Request(method="POST", path=f"/v1/games/{GAME}/actions", token="a"),
        command=command,
        seat=1,
        answer=Accepted(game=GAME, first_version=at, last_version=at, head=LineHash(sha256(body).hexdigest())),
        at_s=0.0,
        took_s=0.0,
    )


def shown(body: bytes, version: int) -> Shown:
    return Shown(game=GAME, reader=0, stream=0, version=version, hash=sha256(body).hexdigest())


def seen(*entries: Entry) -> Journal:
    journal = Journal()
    for entry in entries:
        journal.note(entry)
    return journal


def find(log: StoredLog, *entries: Entry) -> dict[str, list[str]]:
    """Return the kinds of violations that there are."""
    return {kind: told for kind, told in check(log, seen(*entries)).items() if told}


FIRST, SECOND = (line(version, command=command) for version, command in enumerate(COMMANDS, start=1))
JOURNAL = (acked(FIRST, 1, COMMANDS[0]), shown(FIRST, 1), acked(SECOND, 2, COMMANDS[1]), shown(SECOND, 2))


def test_a_log_that_has_all_that_was_acknowledged_and_shown_holds() -> None:
    assert find(stored(FIRST, SECOND), *JOURNAL) == {}


def test_an_acknowledged_line_that_is_gone_is_lost_and_was_shown_otherwise() -> None:
    found = find(stored(FIRST), *JOURNAL)

    (lost,), (otherwise,) = found.pop("lost"), found.pop("otherwise")
    assert found == {}
    assert lost.startswith(f"{GAME} seat 1 version 2, Request(POST /v1/games/{GAME}/actions) {COMMANDS[1]}: expected")
    assert lost.endswith("found None")
    assert otherwise.startswith(f"{GAME} version 2: expected the one that reader 0 was shown")


def test_a_command_that_is_at_another_version_than_its_answer_says_is_lost() -> None:
    assert find(stored(FIRST, SECOND), acked(FIRST, 2, COMMANDS[0])).keys() == {"lost"}


def test_a_command_whose_answer_names_another_head_is_lost() -> None:
    (found,) = find(stored(FIRST, SECOND), acked(SECOND, 1, COMMANDS[0]))["lost"]

    assert "expected the head" in found


def test_a_command_that_stands_twice_is_doubled() -> None:
    again = line(3, command=COMMANDS[1])

    (found,) = find(stored(FIRST, SECOND, again), *JOURNAL)["doubled"]

    assert found == f"command {COMMANDS[1]}: expected one line, found {GAME} version 2, {GAME} version 3"


def test_a_command_that_stands_in_two_games_is_doubled() -> None:
    log = stored(FIRST)
    log.add(OTHER, 1, FIRST)

    (found,) = find(log, *JOURNAL[:2])["doubled"]

    assert found.endswith(f"found {GAME} version 1, {OTHER} version 1")


def test_another_line_in_the_place_of_a_shown_one_is_noticed() -> None:
    other = line(2, command=COMMANDS[1], type_="seat_resigned")

    assert find(stored(FIRST, other), shown(FIRST, 1), shown(SECOND, 2)).keys() == {"otherwise"}


@pytest.mark.parametrize(("entries", "told"), [((shown(SECOND, 2),), (1, 2)), ((JOURNAL[1],) * 2, (2, 1))])
def test_a_version_that_a_reader_missed_or_saw_twice_is_noticed(entries: list[Entry], told: tuple[int, int]) -> None:
    found = find(stored(FIRST, SECOND), *entries)

    expected = f"{GAME}: expected reader 0 to be shown version {told[0]} next, found {told[1]}"
    assert found == {"skipped": [expected]}


def test_a_clock_that_ran_out_is_told_with_the_lines_before_it() -> None:
    expired = line(3, command=OTHER, type_="clock_expired")

    (found,) = find(stored(FIRST, SECOND, expired))["expired"]

    assert found.splitlines() == [
        f"{GAME} version 3: expected no clock to run out, found one after",
        *(each.decode() for each in (FIRST, SECOND, expired)),
    ]
