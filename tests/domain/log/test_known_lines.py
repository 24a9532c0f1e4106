"""Deciding again takes a line of the log as it stands only where writing it anew would give the same bytes."""

from typing import Any

import msgspec
import pytest

from domain.canonical import encode
from domain.game.evolve import settle
from domain.game.kind import GAMES
from domain.log.enact import carry_out
from domain.log.entry import Entry, Place
from domain.log.kind import stands_as_input, stands_as_outcome
from domain.log.record import find_data, line_hash, parse_at, parse_line
from domain.log.replay import read_entry, read_input, replay
from tests.domain.audit.audited_game import specimen
from tests.domain.game.game_harness import CATALOGUE, RULES, SECRET

ENTRIES = [read_entry(GAMES, raw, RULES) for raw in specimen()]
INPUT = next(entry for entry in ENTRIES if entry.line.sig is not None)
OUTCOME = next(entry for entry in ENTRIES if entry.line.type == "bid_shown")


def place_of(entry: Entry) -> Place:
    line = entry.line
    return Place(stream=line.stream, version=line.version, prev=line.prev, at_ms=parse_at(line.at))


def stands(entry: Entry, found: Entry) -> bool:
    """Return whether `found` is taken for the line that `entry` is."""
    line = entry.line
    if line.kind == "outcome":
        return stands_as_outcome(found, entry.event, place_of(entry))
    return stands_as_input(found, read_input(entry), place_of(entry), type_=line.type)


def changed(entry: Entry, **members: Any) -> Entry:
    """Read the line with other members; a known line keeps its meaning."""
    raw = encode(msgspec.json.decode(entry.raw) | members)
    return Entry(line=parse_line(raw), event=entry.event, raw=raw, hash=line_hash(raw))


def test_every_line_of_a_game_stands_as_what_it_is() -> None:
    assert all(stands(entry, entry) for entry in ENTRIES)
    assert [find_data(entry.raw) for entry in ENTRIES] == [encode(entry.line.data) for entry in ENTRIES]


def test_no_line_of_a_game_stands_as_another_one() -> None:
    mistaken = [
        (one.line.version, other.line.version)
        for one in ENTRIES[:60]
        for other in ENTRIES
        if one is not other and stands(one, other)
    ]

    assert mistaken == []


@pytest.mark.parametrize("entry", [INPUT, OUTCOME], ids=["input", "outcome"])
@pytest.mark.parametrize(
    "members",
    [
        {"at": "2026-11-18T12:00:00.001Z"},
        {"prev": "ab" * 32},
        {"version": 999},
        {"stream": "0199c0de-0000-7000-8000-00000000dead"},
        {"data": {"seat": 0}},
        {"data": {}},
    ],
    ids=lambda members: next(iter(members)),
)
def test_a_line_that_differs_anywhere_is_not_taken(entry: Entry, members: dict[str, Any]) -> None:
    assert not stands(entry, changed(entry, **members))


@pytest.mark.parametrize(
    "members",
    [
        {"by": "seat:7"},
        {"command": "0199c0de-0000-7000-9000-00000000ffff"},
        {"sig": "ab" * 64},
        {"sig": None, "base": None},
        {"base": "ab" * 32},
        {"type": "seat_left"},
    ],
    ids=lambda members: next(iter(members)),
)
def test_an_input_by_others_or_signed_otherwise_is_not_taken(members: dict[str, Any]) -> None:
    assert not stands(INPUT, changed(INPUT, **members))


def test_an_outcome_of_another_type_is_not_taken_though_it_says_the_same() -> None:
    fields = msgspec.structs.asdict(OUTCOME.event)
    lookalike = msgspec.defstruct("Lookalike", [(name, object) for name in fields], frozen=True)(**fields)

    assert encode(lookalike) == find_data(OUTCOME.raw)
    assert not stands_as_outcome(OUTCOME, lookalike, place_of(OUTCOME))


def test_what_follows_is_the_same_bytes_whether_or_not_the_log_is_known() -> None:
    place = next(number for number, entry in enumerate(ENTRIES) if entry.line.type == "bid_shown") - 1
    while ENTRIES[place].line.kind != "input":
        place -= 1
    game = settle(replay(GAMES, specimen()[:place], CATALOGUE, secret=SECRET))
    put = read_input(ENTRIES[place])

    written = carry_out(GAMES, game, put)
    known = carry_out(GAMES, game, put, find_known=lambda version: ENTRIES[version - 1])

    assert [entry.raw for entry in known.entries] == [entry.raw for entry in written.entries]
    assert all(entry is ENTRIES[entry.line.version - 1] for entry in known.entries)
    assert known.state.head == written.state.head
