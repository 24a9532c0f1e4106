"""Deciding a tournament again gives the same bytes, and finds the first line that does not follow."""

import json
from collections.abc import Callable
from typing import Any

import msgspec
import pytest

from domain.chance import Secret
from domain.log.record import GENESIS, line_hash
from domain.log.replay import LineDoesNotFollow, redecide, replay
from domain.tournament.formats import ScoreRounds
from domain.tournament.kind import TOURNAMENTS
from tests.domain.tournament.tournament_harness import CATALOGUE, HOUR, PAIRS, SECRET, Club


def whole() -> Club:
    """Play a tournament in which everything happens that can."""
    club = Club(format=ScoreRounds(rounds=2))
    club.enter(8)
    club.enter(anchor=None, links=0)
    club.withdraw(8)
    club.draw(without=(7,))
    club.take(1)
    club.replace(1, *range(1, len(club.table(1).seats) + 1))
    club.now += HOUR + 1
    club.tell_no_show(2, club.table(2).entrants[0])
    club.play(1)
    club.replay(1)
    club.play(2)
    club.close_entries()
    club.draw()
    club.remove(3)
    club.rule(0, -7)
    club.void(1)
    club.play(3)
    club.close()
    return club


def whole_with_bye() -> Club:
    """Play a short one, with a bye."""
    club = Club(format=ScoreRounds(rounds=1), tables=PAIRS)
    club.enter(5)
    club.draw()
    club.play(1)
    club.rule(0, -7)
    club.close()
    return club


def rechain(raws: list[bytes]) -> list[bytes]:
    """Chain lines anew, as a forger of one of them does."""
    chained, head = [], GENESIS
    for version, raw in enumerate(raws, start=1):
        line = json.loads(raw) | {"prev": head, "version": version}
        chained.append(msgspec.json.encode(line, order="sorted"))
        head = line_hash(chained[-1])
    return chained


def test_deciding_again_gives_every_byte_and_the_same_tournament() -> None:
    club = whole()

    again = redecide(TOURNAMENTS, club.raws, CATALOGUE, SECRET)

    assert again == club.tournament
    assert again.head == line_hash(club.raws[-1])


def test_folding_with_and_without_the_secret_gives_the_same_tournament() -> None:
    club = whole()

    with_secret, without = replay(TOURNAMENTS, club.raws, secret=SECRET), replay(TOURNAMENTS, club.raws)

    assert with_secret == club.tournament
    assert msgspec.structs.replace(without, chance=with_secret.chance) == with_secret


def test_a_tournament_folded_half_way_goes_on_as_if_it_had_never_stopped() -> None:
    club, resumed = whole(), Club(format=ScoreRounds(rounds=2))
    cut = club.types().index("round_closed") + 1

    resumed.tournament = replay(TOURNAMENTS, club.raws[:cut], secret=SECRET)

    assert resumed.tournament.rounds[0].is_closed
    assert resumed.tournament.last is None


def _edit(type_: str, change: Callable[[dict[str, Any]], Any]) -> Callable[[list[dict[str, Any]]], Any]:
    def edit(lines: list[dict[str, Any]]) -> None:
        change(next(line["data"] for line in lines if line["type"] == type_))

    return edit


def _remove(type_: str) -> Callable[[list[dict[str, Any]]], Any]:
    return lambda lines: lines.remove(next(line for line in lines if line["type"] == type_))


@pytest.mark.parametrize(
    "forge",
    [
        _edit("entrant_checked_in", lambda data: data.update(nonce="00" * 32)),
        _edit("check_in_opened", lambda data: data["entrants"].pop()),
        _edit("round_drawn", lambda data: data["entrants"].reverse()),
        _edit("dice_rolled", lambda data: data["faces"].reverse()),
        _edit("table_drawn", lambda data: data["seats"].reverse()),
        _edit("table_drawn", lambda data: data.update(game="0199c0de-0000-7000-8000-000000000001")),
        _edit("table_drawn", lambda data: data["why"].update(kind="meetings")),
        _edit("result_taken", lambda data: data.update(attempt=2)),
        _edit("table_scored", lambda data: data["scored"][0].update(points=59)),
        _edit("standings_told", lambda data: data["standings"][0].update(points=999)),
        _edit("points_ruled", lambda data: data.update(points=0)),
        _edit("secret_disclosed", lambda data: data.update(secret="11" * 32)),
        _edit("tournament_opened", lambda data: data.update(bonus=1)),
        _edit("tournament_opened", lambda data: data.update(commit="00" * 32)),
        _remove("entrant_checked_in"),
        _remove("table_scored"),
        _remove("bye_given"),
        _remove("round_closed"),
        lambda lines: lines.reverse(),
        lambda lines: lines.clear(),
        lambda lines: lines.insert(4, lines[3]),
        lambda lines: lines.append(lines[-2]),
    ],
)
def test_whatever_does_not_follow_is_found(forge: Callable[[list[dict[str, Any]]], Any]) -> None:
    lines = [json.loads(raw) for raw in whole_with_bye().raws]

    forge(lines)

    forged = rechain([msgspec.json.encode(line, order="sorted") for line in lines])
    with pytest.raises(LineDoesNotFollow):
        redecide(TOURNAMENTS, forged, CATALOGUE, SECRET)


def test_another_secret_is_not_the_one_of_the_first_line() -> None:
    with pytest.raises(LineDoesNotFollow) as refused:
        redecide(TOURNAMENTS, whole().raws, CATALOGUE, Secret(bytes(32)))

    assert refused.value.version == 1
