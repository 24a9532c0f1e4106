"""The audit of a tournament: a genuine one holds, and each forgery is found by its check."""

from collections.abc import Callable
from typing import Any

import msgspec
import pytest

from domain.audit.bundle import format_bundle
from domain.audit.findings import Unchecked
from domain.audit.tournament_bundle import GameMember
from domain.ids import GameId, StreamId
from domain.log.actors import ByPlayer
from domain.log.record import line_hash
from domain.tournament.formats import ScoreRounds
from domain.tournament.scores import list_standings
from tests.domain.audit.audited_game import bundle_of
from tests.domain.audit.audited_tournament import Played, audit, broken_in, bundle, cup, edit, play_game, rechain, take
from tests.domain.audit.tournament_forgeries import FORGERIES, Forgery, at_type
from tests.domain.game.game_harness import public_hex, signing_key
from tests.domain.tournament.tournament_harness import HOUR, Club, player


def test_everything_holds_of_a_tournament_as_it_was() -> None:
    report = audit(bundle(cup()))

    assert (report.broken, report.unchecked) == ((), ())
    assert (report.status, report.lines, len(report.games)) == ("finished", len(cup().raws), 6)
    assert all(game.is_proven for game in report.games)


@pytest.mark.parametrize("forgery", FORGERIES, ids=lambda forgery: forgery.name.replace(" ", "-"))
def test_a_forgery_is_told_by_what_it_forges(forgery: Forgery) -> None:
    report = audit(forgery.forge())

    found = broken_in(report)
    assert set(found) == set(forgery.caught_by)
    told = found[forgery.caught_by[0]]
    assert told.expected != told.found


@pytest.mark.parametrize(
    ("name", "line"),
    [
        ("results", "result_taken"),
        ("redecision", "table_drawn"),
        ("lots-faces", "dice_rolled"),
        ("signatures", "points_ruled"),
    ],
)
def test_the_first_line_where_it_does_not_hold_is_told(name: str, line: str) -> None:
    changes: dict[str, Callable[[dict[str, Any]], Any]] = {
        "result_taken": lambda data: data.update(hash="00" * 32),
        "table_drawn": lambda data: data["why"].update(kind="meetings"),
        "dice_rolled": lambda data: data["faces"].reverse(),
        "points_ruled": lambda data: data.update(reason="x"),
    }
    played = edit(lambda lines: changes[line](at_type(lines, line)["data"]), is_signed_again=False)

    told = broken_in(audit(bundle(played)))[name]

    types = [msgspec.json.decode(raw)["type"] for raw in played.raws]
    assert told.version == types.index(line) + 1


def test_every_ruling_is_listed_with_what_it_changed() -> None:
    report = audit(bundle(cup()))

    assert [ruled.type for ruled in report.rulings] == ["result_replaced", "table_replayed", "points_ruled"]
    last = report.rulings[-1].changes[0]
    assert (last.entrant, last.points_after - last.points_before) == (0, -7)
    assert [msgspec.json.decode(cup().raws[ruled.line - 1])["type"] for ruled in report.rulings] == [
        ruled.type for ruled in report.rulings
    ]


def test_a_tournament_that_goes_on_is_checked_as_far_as_it_can_be() -> None:
    raws = cup().raws[:-4]
    report = audit(bundle(msgspec.structs.replace(cup(), raws=raws)))

    # Without its secret: every pairing so far follows from the lots, which follow from their links.
    assert report.broken == ()
    assert {finding.check for finding in report.unchecked} == {"ending", "secret"}
    assert report.standings


def test_a_result_whose_game_is_not_there_is_not_checkable() -> None:
    games = {game: raws for place, (game, raws) in enumerate(cup().games.items()) if place != 4}
    report = audit(bundle(msgspec.structs.replace(cup(), games=games)))

    results = {finding.check: finding.result for finding in report.unchecked}
    assert set(results) == {"all-games", "results"}
    assert isinstance(results["all-games"], Unchecked)
    assert results["all-games"].reason.startswith("the file lacks 1 of ")
    assert report.verdict.untold == results["all-games"].reason


def test_an_absence_from_a_game_that_is_not_there_is_not_checkable() -> None:
    games = {game: raws for place, (game, raws) in enumerate(cup().games.items()) if place != 1}

    report = audit(bundle(msgspec.structs.replace(cup(), games=games)))

    assert {finding.check for finding in report.unchecked} == {"all-games", "no-shows"}


def a_disliked_game() -> tuple[Played, GameId]:
    """Play a table, rule a replay before its result is taken, and play it again to the end of the tournament."""
    club = Club(format=ScoreRounds(rounds=1))
    club.enter(3)
    club.draw()
    disliked = play_game(club, club.table(1))
    club.replay(1)
    second = play_game(club, club.table(1))
    take(club, second)
    club.close()
    return Played(raws=tuple(club.raws), games={game.id: tuple(game.raws) for game in (disliked, second)}), disliked.id


def test_a_game_that_a_ruling_passed_over_is_told_with_its_winners() -> None:
    played, disliked = a_disliked_game()

    report = audit(bundle(played))

    assert (report.broken, report.unchecked) == ((), ())
    winners = at_type([msgspec.json.decode(raw) for raw in played.games[disliked]], "game_finished")["data"]["ranking"]
    seats = at_type([msgspec.json.decode(raw) for raw in played.raws], "table_drawn")["data"]["seats"]
    assert report.verdict.outcome is not None
    (ruling,) = report.verdict.outcome.rulings
    assert ruling.type == "table_replayed"
    assert ruling.passed_over == tuple(
        sorted(seats[placing["seat"]]["entrant"] for placing in winners if placing["place"] == 1)
    )


def test_a_game_that_was_passed_over_and_is_left_out_is_missing() -> None:
    played, disliked = a_disliked_game()
    games = {game: raws for game, raws in played.games.items() if game != disliked}

    report = audit(bundle(msgspec.structs.replace(played, games=games)))

    assert [finding.check for finding in report.unchecked] == ["all-games"]
    assert report.verdict.kind == "untold"


@pytest.mark.parametrize("late_ms", [-5_000, 5_000])
def test_a_player_who_is_ready_while_the_server_tells_of_the_absence_accuses_no_one(late_ms: int) -> None:
    club = Club()
    club.enter(3)
    club.draw()
    seating = club.table(1)
    game = play_game(club, seating, ends="seated")
    club.now += HOUR + 1
    club.tell_no_show(1, *sorted(seating.entrants))
    game.now = club.now + late_ms
    game.ready(0)
    game.abort()

    report = audit(bundle(Played(raws=tuple(club.raws), games={game.id: tuple(game.raws)})))

    assert report.broken == ()


def test_what_an_entrant_with_a_key_does_is_signed() -> None:
    club, key = Club(), signing_key(5)
    club.keys = {ByPlayer(player=player(0)): key}
    club.enter(key=public_hex(key))
    club.enter(2)
    club.call()
    club.check_in(0)
    lines = [msgspec.json.decode(raw) for raw in club.raws]
    lines[-1] |= {"base": None, "sig": None}

    genuine = audit(bundle(Played(raws=tuple(club.raws), games={})))
    forged = audit(bundle(Played(raws=rechain(lines, is_signed_again=False), games={})))

    assert genuine.broken == ()
    assert broken_in(forged)["signatures"].version == len(lines)


def test_who_added_to_the_lots_is_counted() -> None:
    report = audit(bundle(cup()))

    assert [contribution.nonces for contribution in report.contributions] == [2, 2, 2, 2, 2, 2, 1]
    assert not any(contribution.is_signed for contribution in report.contributions)


def test_standings_are_those_of_the_log() -> None:
    club = Club()
    club.enter(6)
    club.draw()
    games = [play_game(club, table) for table in club.round.tables]
    for game in games:
        take(club, game)

    report = audit(bundle(Played(raws=tuple(club.raws), games={game.id: tuple(game.raws) for game in games})))

    assert report.standings == list_standings(club.tournament)
    assert report.head == line_hash(club.raws[-1])


@pytest.mark.parametrize("junk", [b"", b"{}\n", b"\xff\xfe\n", b'{"type":"tournament_opened"}\n', b"[]"])
def test_hostile_bytes_make_findings(junk: bytes) -> None:
    report = audit(msgspec.structs.replace(bundle(cup()), log=junk))

    assert "form" in broken_in(report)


@pytest.mark.parametrize("place", range(0, 40, 3))
def test_a_changed_byte_is_told(place: int) -> None:
    log = bytearray(bundle(cup()).log)
    at = len(log) * place // 40
    log[at] ^= 1

    assert audit(msgspec.structs.replace(bundle(cup()), log=bytes(log))).broken


def test_a_game_of_no_table_has_no_place() -> None:
    stranger = GameId(StreamId("0199c0de-0000-7000-8000-000000000001"))
    found = bundle(cup())
    member = GameMember(game=stranger, raw=format_bundle(bundle_of(next(iter(cup().games.values())))))

    report = audit(msgspec.structs.replace(found, games=(*found.games, member)))

    assert "games" in broken_in(report)
