"""Stored lines are readable for ever: a file for each event and version, and a whole log that must verify again.

The files are never written again: a new event, or a new version of one, is a new file.
"""

from pathlib import Path

import pytest

from domain.game.events import INPUT_TYPES, OUTCOME_TYPES
from domain.game.kind import GAMES, find_tag
from domain.log.entry import Place, write_entry
from domain.log.record import parse_at, read_chain
from domain.log.replay import read_entry, read_input, replay
from tests.domain.game.game_harness import CATALOGUE, RULES, SECRET
from tests.domain.log.redeciding import redecide

GOLDEN = Path(__file__).parent / "golden"
EVENTS = sorted(GOLDEN.glob("*.json"))


def golden_log() -> list[bytes]:
    return (GOLDEN / "torches-1.ndjson").read_bytes().splitlines()


@pytest.mark.parametrize("path", EVENTS, ids=[path.stem for path in EVENTS])
def test_a_line_that_was_stored_is_read_and_written_as_the_same_bytes(path: Path) -> None:
    raw = path.read_bytes().removesuffix(b"\n")

    entry = read_entry(GAMES, raw, RULES)

    line = entry.line
    place = Place(stream=line.stream, version=line.version, prev=line.prev, at_ms=parse_at(line.at))
    put = read_input(entry) if line.kind == "input" else None
    again = write_entry(entry.event, place, type_=find_tag(entry.event, RULES), put=put)
    assert line.type == path.name.partition(".")[0]
    assert again == entry


def test_every_event_has_a_file() -> None:
    assert {path.name.partition(".")[0] for path in EVENTS} == {*INPUT_TYPES, *OUTCOME_TYPES}


def test_an_event_may_gain_fields_and_is_still_read() -> None:
    raw = (GOLDEN / "seat_resigned.v1.json").read_bytes().removesuffix(b"\n")

    entry = read_entry(GAMES, raw.replace(b'"data":{"seat"', b'"data":{"later":1,"seat"'), RULES)

    assert entry.event == read_entry(GAMES, raw, RULES).event


def test_a_whole_stored_log_verifies_again_byte_for_byte() -> None:
    raws = golden_log()

    game = redecide(GAMES, raws, CATALOGUE, SECRET)

    assert [head for _, head in read_chain(raws)][-1] == game.head
    assert game.head == "326bdce59d2dbc97da3cfa7838939d95b4319eb9118918f8e67ec87f96ddbbe2"
    assert game.status == "finished"
    assert replay(GAMES, raws, CATALOGUE, secret=SECRET) == game


def test_the_chain_of_a_stored_log_can_be_checked_line_by_line() -> None:
    assert [line.version for line, _ in read_chain(golden_log())] == list(range(1, len(golden_log()) + 1))
