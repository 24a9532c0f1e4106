"""Forgeries of a tournament: name, construction, and the checks that catch each."""

from collections.abc import Callable
from typing import Any

import msgspec
from msgspec import Struct

from domain.audit.tournament_bundle import GameMember, TournamentBundle
from domain.game.commands import GameCommand
from domain.game.events import ClockTerms, PauseEnded, TablePaused
from domain.ids import CommandId, StreamVersion
from tests.domain.audit.audited_tournament import Played, bundle, cup, edit, play_game, rechain, take
from tests.domain.tournament.tournament_harness import ORGA, ORGANISER, SERVER, Club

Lines = list[dict[str, Any]]


class Forgery(Struct, frozen=True, kw_only=True):
    """`caught_by` are all checks in which it shows; the first is the one made for it, and names a line."""

    name: str
    forge: Callable[[], TournamentBundle]
    caught_by: tuple[str, ...]


def at_type(lines: Lines, type_: str, number: int = 0) -> dict[str, Any]:
    return [line for line in lines if line["type"] == type_][number]


def _data(type_: str, change: Callable[[dict[str, Any]], Any], number: int = 0) -> Callable[[], TournamentBundle]:
    return lambda: bundle(edit(lambda lines: change(at_type(lines, type_, number)["data"])))


def _lines(change: Callable[[Lines], Any]) -> Callable[[], TournamentBundle]:
    return lambda: bundle(edit(change))


def _swap_lots(lines: Lines) -> None:
    """Give the first entrant the lot of the second, and state so wherever it stands."""
    faces = at_type(lines, "dice_rolled")["data"]["faces"]
    faces[0], faces[1] = faces[1], faces[0]


def _hand_over_a_table(lines: Lines) -> None:
    one, other = (at_type(lines, "table_drawn", number)["data"]["seats"] for number in (0, 1))
    one[0], other[0] = other[0], one[0]


def _turn_a_result_round(lines: Lines) -> None:
    """The winner of a game comes last, in everything that the log states of it."""
    ranking = at_type(lines, "result_taken", 3)["data"]["ranking"]
    for placing, place in zip(ranking, reversed([seat["place"] for seat in ranking]), strict=True):
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
    ranking = at_type(lines, "game_finished")["data"]["ranking"]
    ranking[0]["seat"], ranking[1]["seat"] = ranking[1]["seat"], ranking[0]["seat"]
    return bundle(msgspec.structs.replace(played, games=played.games | {game: rechain(lines)}))


def _a_game_that_the_server_ended() -> TournamentBundle:
    """The server ends a game for whose result its table waits, and takes that end."""
    club = Club()
    club.enter(3)
    club.draw()
    game = play_game(club, club.table(1), ends="seated")
    game.abort(SERVER)
    take(club, game)
    return bundle(Played(raws=tuple(club.raws), games={game.id: tuple(game.raws)}))


def _a_game_that_had_begun() -> TournamentBundle:
    """An entrant is reported absent whose game was under way."""
    club = Club()
    club.enter(3)
    club.draw()
    seating = club.table(1)
    game = play_game(club, seating)
    club.now += 3_600_001
    club.tell_no_show(1, seating.entrants[0])
    return bundle(Played(raws=tuple(club.raws), games={game.id: tuple(game.raws)}))


def _a_game_that_was_being_played() -> TournamentBundle:
    """An organiser reports an entrant absent who played some seconds before."""
    club = Club()
    club.enter(3)
    club.draw()
    seating = club.table(1)
    game = play_game(club, seating)
    club.now += 10_000
    club.tell_no_show(1, seating.entrants[0], actor=ORGANISER, reason="did not come")
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


def _a_pause_of_the_server() -> TournamentBundle:
    """The server stops the clocks of a table by itself, and lets them run again."""
    clock = ClockTerms(per_decision_ms=60_000, bank_ms=0)
    club = Club(clock=clock)
    club.enter(3)
    club.draw()
    game = play_game(club, club.table(1), ends="seated", clock=clock)
    for seat in range(3):
        game.ready(seat)
    for event in (TablePaused(line=StreamVersion(2)), PauseEnded(seat=None)):
        id_ = CommandId(f"0199c0de-0000-7000-a000-{game.game.version:012x}")
        game.put(GameCommand(id=id_, stream=game.id, at_ms=game.now, actor=SERVER, event=event))
    game.finish()
    take(club, game)
    club.close("the hall closes")
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
        name="a link of the lots",
        forge=_data("dice_rolled", lambda data: data.update(link="ab" * 32)),
        caught_by=("lots-links", "redecision"),
    ),
    Forgery(
        name="an entrant's contribution",
        forge=_data("entrant_checked_in", lambda data: data.update(nonce="ab" * 32)),
        caught_by=("redecision", "lots-faces"),
    ),
    Forgery(
        name="an entrant's contribution left out",
        forge=_lines(lambda lines: lines.remove(at_type(lines, "entrant_checked_in"))),
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
            edit(lambda lines: at_type(lines, "points_ruled")["data"].update(points=-8), is_signed_again=False)
        ),
        caught_by=("signatures", "redecision", "bases"),
    ),
    Forgery(
        name="a ruling's reason",
        forge=lambda: bundle(
            edit(lambda lines: at_type(lines, "points_ruled")["data"].update(reason="x"), is_signed_again=False)
        ),
        caught_by=("signatures", "bases"),
    ),
    Forgery(
        name="a ruling taken out",
        forge=_lines(lambda lines: lines.remove(at_type(lines, "points_ruled"))),
        caught_by=("redecision",),
    ),
    Forgery(
        name="a ruling by a stranger",
        forge=_lines(lambda lines: at_type(lines, "points_ruled").update(by=f"player:{ORGA}", base=None, sig=None)),
        caught_by=("redecision",),
    ),
    Forgery(
        name="a ruling put twice",
        forge=_lines(lambda lines: lines.insert(-4, dict(at_type(lines, "points_ruled")))),
        caught_by=("commands", "redecision"),
    ),
    Forgery(
        name="another secret",
        forge=_data("secret_disclosed", lambda data: data.update(secret="11" * 32)),
        caught_by=("secret",),
    ),
    Forgery(
        name="a line after the secret",
        forge=_lines(lambda lines: lines.append(at_type(lines, "round_closed"))),
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
    Forgery(name="a game that the server ended", forge=_a_game_that_the_server_ended, caught_by=("results",)),
    Forgery(name="an absence from a game that had begun", forge=_a_game_that_had_begun, caught_by=("no-shows",)),
    Forgery(
        name="an absence from a game that was being played",
        forge=_a_game_that_was_being_played,
        caught_by=("no-shows",),
    ),
    Forgery(
        name="an absence of somebody who was ready",
        forge=_an_absence_of_somebody_who_was_ready,
        caught_by=("no-shows",),
    ),
    Forgery(name="a pause that no organiser ruled", forge=_a_pause_of_the_server, caught_by=("pauses",)),
    Forgery(name="one secret for two games", forge=_one_secret_for_two, caught_by=("secret-shared",)),
)
