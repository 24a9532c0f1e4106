"""The audit of a tournament: it holds as it was, and every forgery of it is told by what it forges."""

from collections.abc import Callable
from typing import Any

import msgspec
import pytest
from msgspec import Struct

from domain.audit.bundle import format_bundle
from domain.audit.findings import Unchecked
from domain.audit.tournament_bundle import GameMember, TournamentBundle
from domain.ids import GameId
from domain.record import line_hash
from domain.tournament.scores import list_standings
from tests.domain.audit.cup import Played, audit, broken_in, bundle, cup, edit, play_game, rechain, take
from tests.domain.audit.specimen import bundle_of
from tests.domain.tournament.club import ORGA, Club

Lines = list[dict[str, Any]]


class Forgery(Struct, frozen=True, kw_only=True):
    """`caught_by` are all checks in which it shows; the first is the one made for it, and names a line."""

    name: str
    forge: Callable[[], TournamentBundle]
    caught_by: tuple[str, ...]


def _at(lines: Lines, type_: str, number: int = 0) -> dict[str, Any]:
    return [line for line in lines if line["type"] == type_][number]


def _data(type_: str, change: Callable[[dict[str, Any]], Any], number: int = 0) -> Callable[[], TournamentBundle]:
    return lambda: bundle(edit(lambda lines: change(_at(lines, type_, number)["data"])))


def _lines(change: Callable[[Lines], Any]) -> Callable[[], TournamentBundle]:
    return lambda: bundle(edit(change))


def _swap_lots(lines: Lines) -> None:
    """Give the first entrant the lot of the second, and say so wherever it is told."""
    faces = _at(lines, "dice_rolled")["data"]["faces"]
    faces[0], faces[1] = faces[1], faces[0]


def _hand_over_a_table(lines: Lines) -> None:
    one, other = (_at(lines, "table_drawn", number)["data"]["seats"] for number in (0, 1))
    one[0], other[0] = other[0], one[0]


def _turn_a_result_round(lines: Lines) -> None:
    """The winner of a game comes last, in everything that the log says of it."""
    ranking = _at(lines, "result_taken", 3)["data"]["ranking"]
    for placing, place in zip(ranking, reversed([each["place"] for each in ranking]), strict=True):
        placing["place"] = place


def _the_first_result_of_a_replayed_table() -> TournamentBundle:
    """The table plays again, and the server takes the result of before."""
    club = Club()
    club.enter(3)
    club.draw()
    first = play_game(club, club.table(1))
    take(club, first)
    club.replay(1)
    second = play_game(club, club.table(1))
    take(club, first, number=1)
    return bundle(Played(raws=tuple(club.raws), games={game.id: tuple(game.raws) for game in (first, second)}))


def _game_in_the_place_of(place: int, other: int) -> TournamentBundle:
    found = bundle(cup())
    games = list(found.games)
    games[place] = GameMember(game=games[place].game, raw=games[other].raw)
    return msgspec.structs.replace(found, games=tuple(games))


def _another_tournament() -> Played:
    """The same tables of the same tournament, whose games were played on other terms."""
    club = Club()
    club.enter(3)
    club.draw()
    game = play_game(club, club.table(1), delay_s=60)
    take(club, game)
    return Played(raws=tuple(club.raws), games={game.id: tuple(game.raws)})


def _a_game_with_another_winner() -> TournamentBundle:
    played = cup()
    game = list(played.games)[2]
    lines = [msgspec.json.decode(raw) for raw in played.games[game]]
    ranking = _at(lines, "game_finished")["data"]["ranking"]
    ranking[0]["seat"], ranking[1]["seat"] = ranking[1]["seat"], ranking[0]["seat"]
    return bundle(msgspec.structs.replace(played, games=played.games | {game: rechain(lines)}))


def _a_game_that_had_begun() -> TournamentBundle:
    """Somebody is told absent whose game was on its way."""
    club = Club()
    club.enter(3)
    club.draw()
    seating = club.table(1)
    game = play_game(club, seating)
    club.now += 3_600_001
    club.tell_no_show(1, seating.entrants[0])
    return bundle(Played(raws=tuple(club.raws), games={game.id: tuple(game.raws)}))


def _an_absence_of_somebody_who_was_ready() -> TournamentBundle:
    club = Club()
    club.enter(3)
    club.draw()
    seating = club.table(1)
    game = play_game(club, seating, ends="seated")
    game.ready(0)
    club.now += 3_600_001
    club.tell_no_show(1, seating.entrants[0])
    game.now = club.now
    game.abort()
    return bundle(Played(raws=tuple(club.raws), games={game.id: tuple(game.raws)}))


def _one_secret_for_two() -> TournamentBundle:
    club = Club()
    club.enter(6)
    club.draw()
    games = [play_game(club, table, secret=b"\x01" * 32) for table in club.round.tables]
    for game in games:
        take(club, game)
    return bundle(Played(raws=tuple(club.raws), games={game.id: tuple(game.raws) for game in games}))


FORGERIES = (
    Forgery(
        name="a result turned round",
        forge=_lines(_turn_a_result_round),
        caught_by=("results", "redecision"),
    ),
    Forgery(
        name="the hash of a result",
        forge=_data("result_taken", lambda data: data.update(hash="00" * 32), 1),
        caught_by=("results",),
    ),
    Forgery(
        name="a replayed table counts its first result",
        forge=_the_first_result_of_a_replayed_table,
        caught_by=("results",),
    ),
    Forgery(name="a pairing", forge=_lines(_hand_over_a_table), caught_by=("redecision", "terms")),
    Forgery(
        name="a seat order",
        forge=_data("table_drawn", lambda data: data["seats"].reverse()),
        caught_by=("redecision", "terms"),
    ),
    Forgery(
        name="the reason of a pairing",
        forge=_data("table_drawn", lambda data: data["why"].update(kind="meetings")),
        caught_by=("redecision",),
    ),
    Forgery(name="a lot", forge=_lines(_swap_lots), caught_by=("lots-faces", "redecision")),
    Forgery(
        name="an entrant's contribution",
        forge=_data("entrant_checked_in", lambda data: data.update(nonce="ab" * 32)),
        caught_by=("redecision", "lots-faces"),
    ),
    Forgery(
        name="an entrant's contribution left out",
        forge=_lines(lambda lines: lines.remove(_at(lines, "entrant_checked_in"))),
        caught_by=("redecision", "lots-faces"),
    ),
    Forgery(
        name="a score",
        forge=_data("table_scored", lambda data: data["scored"][0].update(points=61)),
        caught_by=("redecision",),
    ),
    Forgery(
        name="a standing",
        forge=_data("standings_told", lambda data: data["standings"][0].update(points=999), 1),
        caught_by=("redecision",),
    ),
    Forgery(
        name="a ruling's points",
        forge=lambda: bundle(
            edit(lambda lines: _at(lines, "points_ruled")["data"].update(points=-8), is_signed_again=False)
        ),
        caught_by=("signatures", "redecision"),
    ),
    Forgery(
        name="a ruling's reason",
        forge=lambda: bundle(
            edit(lambda lines: _at(lines, "points_ruled")["data"].update(reason="x"), is_signed_again=False)
        ),
        caught_by=("signatures",),
    ),
    Forgery(
        name="a ruling taken out",
        forge=_lines(lambda lines: lines.remove(_at(lines, "points_ruled"))),
        caught_by=("redecision",),
    ),
    Forgery(
        name="a ruling by a stranger",
        forge=_lines(lambda lines: _at(lines, "points_ruled").update(by=f"player:{ORGA}", sig=None)),
        caught_by=("redecision",),
    ),
    Forgery(
        name="a ruling put twice",
        forge=_lines(lambda lines: lines.insert(-4, dict(_at(lines, "points_ruled")))),
        caught_by=("commands", "redecision"),
    ),
    Forgery(
        name="another secret",
        forge=_data("secret_disclosed", lambda data: data.update(secret="11" * 32)),
        caught_by=("secret",),
    ),
    Forgery(
        name="a line after the secret",
        forge=_lines(lambda lines: lines.append(_at(lines, "round_closed"))),
        caught_by=("ending", "redecision"),
    ),
    Forgery(
        name="a second opening",
        forge=_lines(lambda lines: lines.insert(3, lines[0])),
        caught_by=("opening", "commands", "redecision", "signatures"),
    ),
    Forgery(
        name="a field nobody reads",
        forge=_data("round_called", lambda data: data.update(fee=5)),
        caught_by=("fields", "redecision"),
    ),
    Forgery(
        name="other components",
        forge=lambda: msgspec.structs.replace(bundle(cup()), components=b'{"cards":99}'),
        caught_by=("components",),
    ),
    Forgery(
        name="a game in the place of another",
        forge=lambda: _game_in_the_place_of(4, 5),
        caught_by=("games", "results", "terms"),
    ),
    Forgery(
        name="a game that is no bundle",
        forge=lambda: msgspec.structs.replace(
            bundle(cup()), games=(GameMember(game=next(iter(cup().games)), raw=b"PK"),)
        ),
        caught_by=("games", "results"),
    ),
    Forgery(name="the winner of a game", forge=_a_game_with_another_winner, caught_by=("games", "results")),
    Forgery(name="a game on other terms", forge=lambda: bundle(_another_tournament()), caught_by=("terms",)),
    Forgery(name="an absence from a game that had begun", forge=_a_game_that_had_begun, caught_by=("no-shows",)),
    Forgery(
        name="an absence of somebody who was ready",
        forge=_an_absence_of_somebody_who_was_ready,
        caught_by=("no-shows",),
    ),
    Forgery(name="one secret for two games", forge=_one_secret_for_two, caught_by=("secret-shared",)),
)


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
    played = edit(lambda lines: changes[line](_at(lines, line)["data"]), is_signed_again=False)

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
    assert {each.check for each in report.unchecked} == {"ending", "secret"}
    assert report.standings


def test_a_result_whose_game_is_not_there_is_not_checkable() -> None:
    games = {game: raws for place, (game, raws) in enumerate(cup().games.items()) if place != 4}
    report = audit(bundle(msgspec.structs.replace(cup(), games=games)))

    results = {each.check: each.result for each in report.unchecked}
    assert set(results) == {"results"}
    assert isinstance(results["results"], Unchecked)


def test_an_absence_from_a_game_that_is_not_there_is_not_checkable() -> None:
    games = {game: raws for place, (game, raws) in enumerate(cup().games.items()) if place != 1}

    report = audit(bundle(msgspec.structs.replace(cup(), games=games)))

    # Nobody can come to a game that was never opened.
    assert {each.check for each in report.unchecked} == {"no-shows"}


def test_who_added_to_the_lots_is_counted() -> None:
    report = audit(bundle(cup()))

    assert [each.nonces for each in report.contributions] == [2, 2, 2, 2, 2, 2, 1]
    assert not any(each.is_signed for each in report.contributions)


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
    stranger = GameId("0199c0de-0000-7000-8000-000000000001")
    found = bundle(cup())
    member = GameMember(game=stranger, raw=format_bundle(bundle_of(next(iter(cup().games.values())))))

    report = audit(msgspec.structs.replace(found, games=(*found.games, member)))

    assert "games" in broken_in(report)
