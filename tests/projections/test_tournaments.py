"""The row of a tournament: its terms, its entries, its progress; and no row for a game."""

from collections.abc import Sequence

import msgspec
import pytest

from domain.log.record import parse_line
from projections.folding import Row, fold
from projections.tournaments import TOURNAMENTS, TournamentRow
from tests.domain.game.game_harness import ADA, Table
from tests.services.streams import OTHER, STREAM, build_stream


def row_of(count: int) -> TournamentRow:
    (row,) = (row for row in list_rows(count) if row.owner == STREAM)
    return msgspec.json.decode(row.body, type=TournamentRow)


def list_rows(count: int) -> Sequence[Row]:
    return fold(TOURNAMENTS, {}, map(parse_line, build_stream(OTHER[:count]))).rows


def test_a_tournament_is_listed_with_its_terms_and_how_far_it_is() -> None:
    opened, later = row_of(1), row_of(4)

    assert (str(opened.id), opened.name, opened.ruleset, opened.format) == (
        str(STREAM),
        "Consualia",
        "torches@1",
        "score",
    )
    assert (opened.status, opened.entries, opened.entries_max, opened.round) == ("open", 0, 64, 0)
    assert (later.status, later.entries, later.round, later.version) == ("running", 1, 1, 4)


def test_a_tournament_is_found_by_each_of_its_entrants() -> None:
    (entered,) = (row for row in list_rows(2) if row.owner == ADA)

    assert msgspec.json.decode(entered.body) == STREAM


@pytest.mark.parametrize(("type_", "status"), [("tournament_finished", "finished"), ("tournament_aborted", "aborted")])
def test_how_it_ended_is_told(type_: str, status: str) -> None:
    raws = build_stream((*OTHER[:4], (type_, {})))

    states = fold(TOURNAMENTS, {}, map(parse_line, raws)).states

    assert states[STREAM].status == status


def test_whoever_comes_first_in_the_last_standings_is_told_as_a_player() -> None:
    told = ("standings_told", {"round": 1, "standings": [{"place": 1, "entrant": 0}, {"place": 2, "entrant": 1}]})
    rest = ("standings_told", {"round": 1, "standings": [{"place": 3, "entrant": 2}]})
    raws = build_stream((*OTHER[:4], told, rest, ("tournament_finished", {})))

    before, over = (fold(TOURNAMENTS, {}, map(parse_line, raws[:count])).states[STREAM] for count in (4, len(raws)))

    assert (before.leaders, before.players) == ((), (ADA,))
    assert (over.leaders, over.players) == ((ADA,), ())


@pytest.mark.parametrize("type_", ["entrant_withdrawn", "entrant_removed"])
def test_an_entrant_who_leaves_takes_up_no_place(type_: str) -> None:
    raws = build_stream((*OTHER[:4], (type_, {"entrant": 0})))

    before, after = (fold(TOURNAMENTS, {}, map(parse_line, raws[:count])).states[STREAM] for count in (4, 5))

    assert (before.entries, after.entries) == (1, 0)
    assert after.players == before.players


def test_a_game_has_no_row_here() -> None:
    assert not fold(TOURNAMENTS, {}, map(parse_line, Table().start().finish().raws)).rows
