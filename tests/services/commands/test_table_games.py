"""The game of a table is opened on the tournament's terms: each of them reaches the first line of the game."""

from typing import Any

import msgspec
import pytest

from domain.game.events import ClockTerms, GameOpened, TableSeat, TournamentTable
from domain.game.opening import decide_opening
from domain.log.actors import ByPlayer
from domain.ruleset.catalogue import hash_components
from domain.tournament.events import EntrantCheckedIn, EntrantEntered
from services.commands.table_games import TableAt, build_opening
from services.reading.access import ANYONE, Caller, is_expected
from tests.domain.game.game_harness import public_hex, signing_key
from tests.domain.tournament.tournament_harness import (
    CATALOGUE,
    CUP,
    ORGA,
    ORGANISER,
    PAIRS,
    RULES,
    Club,
    own_links,
    player,
)


def open_table(**terms: Any) -> tuple[Club, GameOpened]:
    """Draw a table of two who each bring a key and links, and open its game."""
    club = Club(tables=PAIRS, **terms)
    if "organisers" in terms:
        club.keys[ORGANISER] = signing_key(9)
    for number in range(2):
        actor, key = ByPlayer(player=player(number)), signing_key(number)
        club.keys[actor] = key
        brought = {"anchor": own_links(number, 1024)[0], "links": 1024, "key": public_hex(key)}
        club.do(EntrantEntered, actor, entrant=number, **brought)
    club.call()
    for number in range(2):
        nonce = own_links(number, 1024)[1]
        club.do(EntrantCheckedIn, ByPlayer(player=player(number)), entrant=number, round=1, nonce=nonce)
    at = TableAt(tournament=club.tournament, round=1, table=club.table(1))
    command = build_opening(at, at_ms=club.now, random_bytes=lambda size: bytes(range(size)))
    opened = decide_opening(command, CATALOGUE).entries[0].event
    assert isinstance(opened, GameOpened)
    return club, opened


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("demands", ("own_custody",)),
        ("demands", ("signed",)),
        ("demands", ("links",)),
        ("demands", ("links", "own_custody", "signed")),
        ("delay_s", 90),
        ("clock", ClockTerms(per_decision_ms=60_000, bank_ms=600_000)),
        ("organisers", {ORGA: public_hex(signing_key(9))}),
    ],
)
def test_what_a_tournament_demands_every_game_of_it_demands(name: str, value: object) -> None:
    _, opened = open_table(**{name: value})

    assert getattr(opened, name) == value


def test_the_ruleset_its_version_and_its_components_are_those_of_the_tournament() -> None:
    club, opened = open_table()

    assert opened.ruleset == club.tournament.opened.ruleset
    assert (opened.ruleset.name, opened.ruleset.version) == (RULES.name, RULES.version)
    assert opened.ruleset.components == hash_components(RULES)
    assert opened.options == club.tournament.opened.options


def test_the_seats_are_kept_for_those_who_were_drawn_with_the_keys_they_entered_with() -> None:
    club, opened = open_table()

    entrants = club.table(1).entrants
    assert opened.table == TournamentTable(
        tournament=CUP,
        round=1,
        table=1,
        attempt=1,
        seats=tuple(TableSeat(player=player(entrant), key=public_hex(signing_key(entrant))) for entrant in entrants),
    )


def test_who_is_drawn_sees_the_table_at_once_and_nobody_else_before_the_delay() -> None:
    club, _ = open_table(delay_s=90)
    at = TableAt(tournament=club.tournament, round=1, table=club.table(1))
    command = build_opening(at, at_ms=club.now, random_bytes=lambda size: bytes(range(size)))
    game = decide_opening(command, CATALOGUE).state

    assert is_expected(game, Caller(player=player(0)))
    assert not is_expected(game, Caller(player=player(7)))
    assert not is_expected(game, ANYONE)
    assert not is_expected(msgspec.structs.replace(game, status="running"), Caller(player=player(0)))
