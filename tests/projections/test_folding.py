"""Folding: the same rows however the log is cut, for any stream, and never past a gap."""

import re
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from domain.log.record import parse_line
from projections.folding import Row, decode_state, fold
from projections.lobby import LOBBY
from projections.released import PROJECTIONS
from projections.tournaments import TOURNAMENTS
from tests.projections.games import game_id, golden_games, interleave, lines_of, random_games, renamed
from tests.services.streams import build_stream

STREAMS = [golden_games()[1], *random_games(), build_stream()]
EVENTS = [parse_line(event.body) for event in interleave(STREAMS)]
# The first event of a stream of each projection; other streams have no row.
BEGINNINGS = {
    projection.name: (build_stream() if projection is TOURNAMENTS else golden_games()[0])[:4]
    for projection in PROJECTIONS
}


def fold_in_steps(projection: Any, sizes: list[int]) -> dict[tuple[str, bytes], Row]:
    """Fold as a process does that forgets everything but its rows between any two steps."""
    rows: dict[tuple[str, bytes], Row] = {}
    place = 0
    while place < len(EVENTS):
        size = sizes[place % len(sizes)]
        lines = EVENTS[place : place + size]
        known = {
            game: decode_state(projection, row.body)
            for (game, at), row in rows.items()
            if not at and game in {line.stream for line in lines}
        }
        rows |= {(row.owner, row.place): row for row in fold(projection, known, lines).rows}
        place += size
    return rows


@pytest.mark.parametrize("projection", PROJECTIONS, ids=lambda each: each.name)
@settings(max_examples=15, deadline=None)
@given(sizes=st.lists(st.integers(1, 400), min_size=1, max_size=5))
def test_rows_do_not_depend_on_how_the_log_was_cut(projection: Any, sizes: list[int]) -> None:
    at_once = fold_in_steps(projection, [len(EVENTS)])

    in_steps = fold_in_steps(projection, sizes)

    assert in_steps == at_once
    assert {owner for owner, at in at_once if not at} == {
        line.stream for line in EVENTS if projection.evolve(None, line) is not None
    }


@pytest.mark.parametrize("projection", PROJECTIONS, ids=lambda each: each.name)
def test_a_stream_that_is_no_game_is_passed_by(projection: Any) -> None:
    lines = [raw.replace(b'"game_opened"', b'"cup_opened"') for raw in golden_games()[0]]

    folded = fold(projection, {}, lines_of(lines))

    assert (folded.rows, folded.states) == ((), {})


@pytest.mark.parametrize("projection", PROJECTIONS, ids=lambda each: each.name)
def test_what_a_later_release_writes_moves_the_version_alone(projection: Any) -> None:
    raws = BEGINNINGS[projection.name]
    unknown = re.sub(rb'"type":"[a-z_]+"', b'"type":"omen_seen"', raws[3])
    assert unknown != raws[3]

    folded = fold(projection, {}, lines_of([*raws[:3], unknown]))

    (state,) = folded.states.values()
    assert state.version == 4


@pytest.mark.parametrize("missing", [1, 5])
def test_a_gap_stops_the_fold(missing: int) -> None:
    raws = renamed(golden_games()[0], game_id(1))
    broken = [*raws[:missing], *raws[missing + 1 : 9]]

    with pytest.raises(AssertionError, match="before"):
        fold(LOBBY, {}, lines_of(broken))
