"""The checks after the faults notice a lost, a doubled, a changed and a skipped line, and a clock that ran out."""

import hashlib
import json

from simulate.cluster.checking import Checked, StoredLog, check
from simulate.cluster.load import Acked, Entry, Shown

GAME = "0199c0de-0000-7000-8000-000000000001"
COMMANDS = ("0199c0de-0000-7000-8000-0000000000c1", "0199c0de-0000-7000-8000-0000000000c2")


def line(version: int, *, command: str, type_: str = "action_played") -> bytes:
    return json.dumps({"command": command, "kind": "input", "type": type_, "version": version}).encode()


def stored(*bodies: bytes) -> StoredLog:
    log = StoredLog()
    for version, body in enumerate(bodies, start=1):
        log.add(GAME, version, body)
    return log


def acked(body: bytes, version: int, command: str) -> Acked:
    head = hashlib.sha256(body).hexdigest()
    return Acked(game=GAME, command=command, first=version, last=version, head=head, at_s=0.0)


def shown(body: bytes, version: int) -> Shown:
    return Shown(game=GAME, reader=0, version=version, hash=hashlib.sha256(body).hexdigest())


FIRST, SECOND = (line(version, command=command) for version, command in enumerate(COMMANDS, start=1))
JOURNAL: list[Entry] = [acked(FIRST, 1, COMMANDS[0]), shown(FIRST, 1), acked(SECOND, 2, COMMANDS[1]), shown(SECOND, 2)]


def faults(checked: Checked) -> tuple[int, int, int, int, int]:
    return checked.lost, checked.doubled, checked.otherwise, checked.skipped, checked.expired


def test_a_log_that_has_all_that_was_acknowledged_and_shown_holds() -> None:
    checked = check(stored(FIRST, SECOND), JOURNAL)

    assert checked.is_held
    assert (checked.events, checked.acked, checked.shown) == (2, 2, 2)


def test_a_run_in_which_no_command_was_acknowledged_or_no_line_shown_does_not_hold() -> None:
    log = stored(FIRST, SECOND)
    only_acked = [each for each in JOURNAL if isinstance(each, Acked)]
    only_shown = [each for each in JOURNAL if isinstance(each, Shown)]

    assert not any(check(log, journal).is_held for journal in ([], only_acked, only_shown))


def test_an_acknowledged_line_that_is_gone_is_lost_and_was_shown_otherwise() -> None:
    assert faults(check(stored(FIRST), JOURNAL)) == (1, 0, 1, 0, 0)


def test_a_command_that_stands_twice_is_doubled() -> None:
    again = line(3, command=COMMANDS[1])

    assert faults(check(stored(FIRST, SECOND, again), JOURNAL)) == (1, 1, 0, 0, 0)


def test_another_line_in_the_place_of_a_shown_one_is_noticed() -> None:
    other = line(2, command=COMMANDS[1], type_="seat_resigned")

    assert faults(check(stored(FIRST, other), [shown(FIRST, 1), shown(SECOND, 2)])) == (0, 0, 1, 0, 0)


def test_a_version_that_a_reader_missed_or_saw_twice_is_noticed() -> None:
    assert faults(check(stored(FIRST, SECOND), [shown(SECOND, 2)])) == (0, 0, 0, 1, 0)
    assert faults(check(stored(FIRST, SECOND), [shown(FIRST, 1), shown(FIRST, 1)])) == (0, 0, 0, 1, 0)


def test_a_clock_that_ran_out_is_noticed() -> None:
    assert faults(check(stored(line(1, command=COMMANDS[0], type_="clock_expired")), [])) == (0, 0, 0, 0, 1)
