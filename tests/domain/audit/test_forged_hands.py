"""An evening with every hand of an arbiter in it holds, and each hand that is changed or left out is found."""

from collections.abc import Iterator
from functools import cache
from hashlib import sha256
from itertools import product
from typing import Any

import msgspec
import pytest

from domain.log.actors import Actor, ByPlayer
from domain.tournament import ruling_events as rulings
from domain.tournament.events import INPUT_TYPES, EntryTaken, RoundSkipped
from domain.tournament.formats import ScoreRounds
from domain.tournament.role_events import HelperJoined, Role, TableFollowed
from domain.tournament.roles import ROLES
from domain.tournament.ruling_events import RULING_TYPES, SeatedTable
from domain.tournament.word_events import Announced, CallAnswered, OrganiserCalled
from tests.domain.audit.audited_tournament import (
    ORGANISER_KEY,
    Played,
    audit,
    broken_in,
    bundle,
    play_game,
    rechain,
    take,
)
from tests.domain.game.game_harness import Table, public_hex
from tests.domain.tournament.tournament_harness import ORGA, ORGANISER, PAIRS, Club, own_links, player

SECRET = "5e" * 32
STRANGER = 9
HELPERS = {
    "arbiter": ByPlayer(player=player(21)),
    "desk": ByPlayer(player=player(22)),
    "commentator": ByPlayer(player=player(23)),
}
HANDS = {
    *RULING_TYPES,
    "entry_taken",
    "round_skipped",
    "announced",
    "organiser_called",
    "call_answered",
    "helper_joined",
    "table_followed",
} - {
    # In the cup of the other forgeries.
    *("points_ruled", "result_replaced", "table_replayed", "game_voided", "entrant_removed"),
    # Behind a door with approval alone.
    "entrant_admitted",
}
# What people say decides nothing: a forger with the organiser's key can say something else.
WORDS = {"reason", "text"}


@cache
def evening() -> Played:
    """Six play two rounds at tables of two, with a hand in everything."""
    club = Club(format=ScoreRounds(rounds=2), tables=PAIRS, organisers={ORGA: public_hex(ORGANISER_KEY)}, delay_s=60)
    club.keys = {ORGANISER: ORGANISER_KEY}
    club.enter(6)
    games: list[Table] = []

    def rule(kind: type[Any], by: Actor = ORGANISER, **fields: Any) -> None:
        club.do(kind, by, reason="as seen by all", **fields)

    for number, (role, guest) in enumerate(HELPERS.items()):
        link = sha256(bytes.fromhex(f"{number:064x}")).hexdigest()
        rule(rulings.HelperInvited, role=role, link=link)
        club.keys[guest] = ORGANISER_KEY
        joined = {"helper": number, "player": guest.player, "key": public_hex(ORGANISER_KEY)}
        club.do(HelperJoined, guest, invitation=f"{number:064x}", **joined)
    rule(rulings.PairingWished, entrants=(0, 1), wish="apart")
    rule(rulings.EntrantExcused, entrant=4, round=1, points=30)
    club.do(RoundSkipped, ByPlayer(player=player(5)), entrant=5, round=1)
    rule(rulings.DrawHeld, round=1)
    club.draw()
    one, other = club.table(1), club.table(2)
    swapped = ((one.entrants[0], other.entrants[0]), (one.entrants[1], other.entrants[1]))
    named = tuple(
        SeatedTable(table=number, attempt=1, entrants=entrants) for number, entrants in enumerate(swapped, start=1)
    )
    rule(rulings.TablesSeated, round=1, tables=named)
    rule(rulings.TimeGiven, round=1, table=None, minutes=10)
    rule(rulings.DrawReleased, round=1)
    rule(rulings.RoundPaused, by=HELPERS["arbiter"], round=1)
    rule(rulings.RoundResumed, by=HELPERS["arbiter"], round=1)
    club.do(TableFollowed, HELPERS["commentator"], round=1, table=1, attempt=club.table(1).attempt)
    lost = club.table(1).entrants[0]
    games.append(play_game(club, club.table(1), ends="aborted"))
    rule(rulings.EntryHanded, entrant=lost, link=sha256(bytes.fromhex(SECRET)).hexdigest(), game="again")
    club.takers[lost] = STRANGER
    taken = {"entrant": lost, "player": player(STRANGER), "anchor": own_links(STRANGER)[0], "links": 64, "key": None}
    club.do(EntryTaken, ByPlayer(player=player(STRANGER)), invitation=SECRET, **taken)
    for table in club.round.tables:
        games.append(play_game(club, table))
        take(club, games[-1])
    club.withdraw(4)
    rule(rulings.EntrantReturned, by=HELPERS["arbiter"], entrant=4)
    club.do(Announced, HELPERS["desk"], text="Round two begins at nine.", entrants=())
    club.draw()
    caller = club.table(1).entrants[0]
    club.do(OrganiserCalled, ByPlayer(player=club.tournament.entries[caller].player), entrant=caller, text="Come.")
    club.do(CallAnswered, ORGANISER, line=club.tournament.calls[0].line, text="I am on my way.")
    for table in club.round.tables:
        games.append(play_game(club, table))
        take(club, games[-1])
    rule(rulings.HelperDismissed, helper=2)
    club.close()
    return Played(raws=tuple(club.raws), games={game.id: tuple(game.raws) for game in games})


def lines_of() -> list[dict[str, Any]]:
    return [msgspec.json.decode(raw) for raw in evening().raws]


def list_hands() -> list[tuple[int, str]]:
    return [(place, line["type"]) for place, line in enumerate(lines_of()) if line["type"] in HANDS]


def list_changes() -> Iterator[tuple[int, str, str]]:
    for place, line in enumerate(lines_of()):
        if line["type"] in HANDS:
            yield from ((place, line["type"], name) for name in line["data"] if name not in WORDS)


def change(value: Any) -> Any:
    """Return another value of the same type."""
    match value:
        case None:
            return 1
        case int():
            return value + 1
        case "apart":
            return "together"
        case "arbiter":
            return "desk"
        case "desk":
            return "commentator"
        case "commentator":
            return "arbiter"
        case "again":
            return "goes_on"
        case str():
            return f"{value[:-1]}{'0' if value[-1] != '0' else '1'}"
        case [dict(), *_]:
            return [*value[:-1], {**value[-1], "entrants": value[-1]["entrants"][::-1]}]
        case []:
            return [0]
        case _:
            return [*value[:-1], value[-1] + 1]


def forged(lines: list[dict[str, Any]], *, has_key: bool) -> set[str]:
    played = msgspec.structs.replace(evening(), raws=rechain(lines, is_signed_again=has_key))
    return set(broken_in(audit(bundle(played))))


def test_an_evening_with_every_kind_of_hand_holds() -> None:
    report = audit(bundle(evening()))

    assert (report.broken, report.unchecked) == ((), ())
    assert {type_ for _, type_ in list_hands()} == HANDS
    assert report.helpers == tuple(guest.player for guest in HELPERS.values())


@pytest.mark.parametrize(("place", "type_"), list_hands(), ids=str)
def test_a_hand_that_is_left_out_is_found_where_anything_follows_from_it(place: int, type_: str) -> None:
    lines = lines_of()
    del lines[place]

    found = forged(lines, has_key=True)

    # Nothing follows from a word but its answer, nor from time that was not needed.
    if type_ not in {"time_given", "announced", "call_answered", "helper_dismissed", "round_resumed"}:
        assert "redecision" in found
    # Without the key of the organiser, every line behind it says so too.
    assert "bases" in forged(lines, has_key=False)


@pytest.mark.parametrize(("place", "type_", "name"), list(list_changes()), ids=str)
def test_a_hand_that_is_changed_is_found(place: int, type_: str, name: str) -> None:
    lines = lines_of()
    before = lines[place]["data"][name]
    lines[place]["data"][name] = change(before)

    found = forged(lines, has_key=True)

    is_signed = lines[place]["sig"] is not None
    harmless = {
        *(("time_given", name) for name in ("minutes", "table")),
        *(("announced", "entrants"), ("entry_handed", "link"), ("helper_invited", "link"), ("entry_taken", "links")),
        ("table_followed", "table"),
    }
    # An arbiter may do all that the desk did.
    if (type_, name) not in harmless and before != "desk":
        assert found, f"{type_} with another {name}"
    assert not is_signed or "signatures" in forged(lines, has_key=False)


def list_ruled() -> list[int]:
    """List the places of the acts of organisers, the commentator being dismissed behind them."""
    return [place for place, line in enumerate(lines_of()) if INPUT_TYPES.get(line["type"]) in ROLES]


@pytest.mark.parametrize(("place", "role"), list(product(list_ruled(), HELPERS)), ids=str)
def test_an_act_by_a_helper_without_the_role_for_it_is_found(place: int, role: Role) -> None:
    lines = lines_of()
    lines[place]["by"] = f"helper:{list(HELPERS).index(role)}"

    found = forged(lines, has_key=True)

    joined = [later for later, line in enumerate(lines) if line["type"] == "helper_joined"][list(HELPERS).index(role)]
    is_allowed = role in ROLES[INPUT_TYPES[lines[place]["type"]]] and place > joined
    assert ("redecision" in found) != is_allowed


@pytest.mark.parametrize("end", ["replaced", "voided", "aborted"])
def test_a_table_that_was_ruled_on_while_its_draw_was_held_has_no_game_that_could_be_missing(end: str) -> None:
    club = Club(format=ScoreRounds(rounds=1), tables=PAIRS)
    club.enter(2)
    club.do(rulings.DrawHeld, ORGANISER, round=1, reason="we look first")
    club.draw()
    if end == "replaced":
        club.replace(1, 1, 2)
    elif end == "voided":
        club.void(1)
    if end == "aborted":
        club.abort()
    else:
        club.close()

    report = audit(bundle(Played(raws=tuple(club.raws), games={})))

    assert (report.broken, report.unchecked) == ((), ())
