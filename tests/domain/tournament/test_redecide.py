"""Deciding a tournament again, and folding it, gives the same tournament."""

import msgspec

from domain.log.record import line_hash
from domain.log.replay import replay
from domain.tournament.formats import ScoreRounds
from domain.tournament.kind import TOURNAMENTS
from tests.domain.log.redeciding import redecide
from tests.domain.tournament.tournament_harness import CATALOGUE, HOUR, SECRET, Club


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


def test_deciding_again_gives_every_byte_and_the_same_tournament() -> None:
    club = whole()

    again = redecide(TOURNAMENTS, club.raws, CATALOGUE, SECRET)

    assert msgspec.structs.replace(again, chance=club.tournament.chance) == club.tournament
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
