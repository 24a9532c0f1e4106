"""A player's record: every game in which they took a seat, with its end and theirs."""

from collections.abc import Sequence

import msgspec
import pytest

from domain.canonical import encode
from domain.game.events import PlayerOffer
from domain.ids import OrganiserId
from domain.log.actors import ByPlayer
from domain.log.record import GENESIS, parse_line
from projections.players import DELAYED, OPENED, ORGANISED, PLAYERS, PRIVATE, SIGNED, Played, place_of
from tests.domain.game.game_harness import ADA, BOB, CEM, GAME, NOON, Table
from tests.projections.games import fold_whole, golden_games


def played_by(player: str, raws: Sequence[bytes]) -> Played:
    return msgspec.json.decode(fold_whole(PLAYERS, raws)[player, place_of(GAME)].body, type=Played)


def labels_of(player: str, raws: Sequence[bytes]) -> set[str]:
    return set(fold_whole(PLAYERS, raws)[player, place_of(GAME)].labels)


def test_a_finished_game_gives_everybody_a_place() -> None:
    table = Table(seats=3).start().finish()
    (finished,) = table.data("game_finished")
    places = {each["seat"]: each["place"] for each in finished["ranking"]}

    for seat, player in enumerate((ADA, BOB, CEM)):
        played = played_by(player, table.raws)
        assert (played.seat, played.result, played.place) == (seat, "finished", places[seat])
        assert f"result={places[seat]}" in labels_of(player, table.raws)
        assert {rival.seat: rival.place for rival in played.rivals} == {
            other: place for other, place in places.items() if other != seat
        }


@pytest.mark.parametrize("number", range(len(golden_games())))
def test_every_place_of_a_golden_game_is_somebodys(number: int) -> None:
    raws = golden_games()[number]
    rows = [row for (_, place), row in fold_whole(PLAYERS, raws).items() if place and OPENED not in row.labels]

    played = [msgspec.json.decode(row.body, type=Played) for row in rows]

    assert all(each.place is not None and each.ended_at is not None for each in played)
    assert len({each.seat for each in played}) == len(played) > 1


def test_a_game_in_which_a_seat_was_taken_stays_countable_whatever_becomes_of_it() -> None:
    waiting, running, aborted = Table(), Table().start(), Table().start()
    waiting.take(0)
    aborted.abort()

    results = [played_by(ADA, table.raws).result for table in (waiting, running, aborted)]

    assert results == ["open", "running", "aborted"]
    assert labels_of(ADA, aborted.raws) == {"ruleset=torches@1", "result=aborted"}
    assert played_by(ADA, aborted.raws).place is None


def test_whoever_leaves_before_the_start_has_left_and_nothing_later_is_theirs() -> None:
    table = Table(seats=3)
    for seat in range(3):
        table.take(seat)
    table.leave(2)
    table.remove(1)
    left = [played_by(player, table.raws) for player in (BOB, CEM)]
    table.abort()

    assert [(played.result, played.departure) for played in left] == [("left", "removed"), ("left", "left")]
    assert [played.rivals for played in left] == [(), ()]
    assert [played_by(player, table.raws) for player in (BOB, CEM)] == left


@pytest.mark.parametrize("to", [None, PlayerOffer(player=CEM)], ids=["all", "another player"])
def test_a_player_whose_seat_is_offered_to_others_was_removed_and_nothing_later_is_theirs(
    to: PlayerOffer | None,
) -> None:
    table = Table(seats=2)
    table.take(0)
    table.take(1)
    table.offer(1, to)
    removed = played_by(BOB, table.raws)
    table.take(1, actor=ByPlayer(player=CEM))
    table.abort()

    assert (removed.result, removed.departure) == ("left", "removed")
    assert played_by(BOB, table.raws) == removed
    assert (played_by(CEM, table.raws).result, played_by(CEM, table.raws).departure) == ("aborted", None)


def test_whoever_sits_down_again_is_counted_once() -> None:
    table = Table(seats=2)
    table.take(0)
    table.leave(0)
    table.take(0)

    assert played_by(ADA, table.raws).result == "open"
    assert played_by(ADA, table.raws).departure is None


def test_a_departure_after_the_start_is_told_and_the_result_is_still_theirs() -> None:
    table = Table(seats=3).start()
    table.resign(0)
    table.remove(1)
    table.finish()

    ada, bob, cem = (played_by(player, table.raws) for player in (ADA, BOB, CEM))

    assert [played.departure for played in (ada, bob, cem)] == ["resigned", "removed", None]
    assert None not in {played.place for played in (ada, bob, cem)}


def test_the_second_forfeit_retires_a_player() -> None:
    raws = Table(seats=2).start().raws
    forfeit = {"decision": "r1/bid/0", "reason": "unrevealed", "seat": 0}

    departures = [played_by(ADA, [*raws, *forfeits(raws, forfeit, count)]).departure for count in (0, 1, 2)]

    assert departures == [None, None, "retired"]


def forfeits(raws: Sequence[bytes], data: dict[str, object], count: int) -> list[bytes]:
    """Write lines that follow only in number."""
    last = parse_line(raws[-1])
    fields = {"at": last.at, "base": None, "by": "server", "command": None, "kind": "outcome", "prev": GENESIS}
    return [
        encode(
            {
                **fields,
                "data": data,
                "sig": None,
                "stream": GAME,
                "type": "action_forfeited",
                "version": last.version + number,
            }
        )
        for number in range(1, count + 1)
    ]


def test_what_is_not_for_everybody_is_marked() -> None:
    private, delayed = Table(visibility="private").start(), Table(delay_s=60).start()
    at = place_of(GAME)

    running = fold_whole(PLAYERS, delayed.raws)[ADA, at]
    over = fold_whole(PLAYERS, delayed.finish().raws)[ADA, at]

    assert "private" in labels_of(ADA, private.raws)
    assert ("delayed" in running.labels, running.from_ms) == (True, NOON + 60_000)
    assert ("delayed" in over.labels, over.from_ms) == (False, 0)


def opened_by(table: Table) -> set[str]:
    (row,) = (row for row in fold_whole(PLAYERS, table.raws).values() if OPENED in row.labels)
    assert f":{row.owner}" in table.game.opened_by
    return set(row.labels)


def test_a_game_is_counted_for_the_account_that_opened_it_with_its_end() -> None:
    waiting, running, aborted, finished = Table(), Table().start(), Table().start(), Table().start().finish()
    aborted.abort()

    labels = [opened_by(table) - {ORGANISED, SIGNED} for table in (waiting, running, aborted, finished)]

    assert labels == [{OPENED, f"result={end}"} for end in ("open", "running", "aborted", "finished")]


def test_an_opened_game_is_hidden_as_long_as_it_is_private_or_delayed() -> None:
    delayed = Table(delay_s=60).start()
    running = opened_by(delayed)
    delayed.finish()

    assert PRIVATE in opened_by(Table(visibility="private"))
    assert DELAYED in running
    assert DELAYED not in opened_by(delayed)


def test_an_opener_counts_as_organiser_with_or_without_a_key() -> None:
    opener = opened_id(Table())

    labels = [opened_by(Table(organisers=named)) for named in ({}, {opener: None}, {opener: "aa" * 32})]

    assert [label & {ORGANISED, SIGNED} for label in labels] == [set(), {ORGANISED}, {ORGANISED, SIGNED}]


def opened_id(table: Table) -> OrganiserId:
    return OrganiserId(table.game.opened_by.partition(":")[2])
