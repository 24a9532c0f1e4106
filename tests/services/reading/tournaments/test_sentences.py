"""Why a table is as it is, in words: every reason that the log may give has its sentence, with names and numbers."""

import pytest

from domain.tournament.formats import Format, HeatsAndFinal, RoundRobin, ScoreRounds
from domain.tournament.sizes import TableSizes
from services.reading.tournaments.pairings import ByeShown, TableShown, show_pairings
from services.reading.tournaments.sentences import list_names
from tests.domain.tournament.tournament_harness import HOUR, PAIRS, THREES, Club, player

SEATS_TOLD = "Seats: those who sat late so far sit early, and the lower lot comes first where that is equal."
NAMES = {player(0): "Ada", player(1): "Bob", player(2): "Cleo"}


def table_of(club: Club, number: int = 1) -> TableShown:
    return show_pairings(club.tournament, NAMES).items[-1].tables[number - 1]


def byes_of(club: Club) -> tuple[ByeShown, ...]:
    return show_pairings(club.tournament, NAMES).items[-1].byes


def play_round(club: Club) -> None:
    club.draw()
    club.play(seed=1)


def test_names_are_enumerated_as_they_are_read() -> None:
    assert list_names(["Ada"]) == "Ada"
    assert list_names(["Ada", "Bob"]) == "Ada and Bob"
    assert list_names(["Ada", "Bob", "Cleo"]) == "Ada, Bob and Cleo"


def test_the_first_round_is_said_to_go_by_lot() -> None:
    club = Club(tables=PAIRS)
    club.enter(2)

    club.draw()

    told = "Drawn by score, equal scores by lot: those who sit here had 0 points. "
    assert table_of(club).why == f"{told}It is the first round: no two have met. {SEATS_TOLD}"
    assert [draw.__struct_config__.tag for draw in table_of(club).draws] == ["score"]


def test_a_later_round_tells_the_scores_that_meet_and_that_nobody_meets_again() -> None:
    club = Club(tables=PAIRS)
    club.enter(4)
    play_round(club)

    club.draw()

    assert (
        table_of(club, 1).why
        == f"Drawn by score, equal scores by lot: {meet(60)}. No two here have met before. {SEATS_TOLD}"
    )
    assert table_of(club, 2).why.startswith(f"Drawn by score, equal scores by lot: {meet(0)}. ")


def meet(points: int) -> str:
    return f"those who sit here had {points} points"


def test_who_meets_again_is_named_with_how_often_it_was() -> None:
    club = Club(tables=PAIRS, format=ScoreRounds(rounds=4))
    club.enter(2)
    told = []
    for _ in range(4):
        club.draw()
        told.append(table_of(club).why)
        club.play(seed=1)

    for why, times in zip(told[1:], ("once", "twice", "3 times"), strict=True):
        assert f"Ada and Bob have met {times} before: no draw was found with fewer who meet again." in why


@pytest.mark.parametrize(
    ("format_", "sizes", "rounds", "told"),
    [
        (RoundRobin(rounds=3), PAIRS, 2, "Turn 2 of the circle, in the order of the first round's lots, brings"),
        (RoundRobin(rounds=3), THREES, 1, "Drawn by lot among those who have met least, regardless of scores."),
        (HeatsAndFinal(heats=1, finalists=2), PAIRS, 2, "The final, of those who were best before it."),
    ],
)
def test_every_format_has_its_words(format_: Format, sizes: TableSizes, rounds: int, told: str) -> None:
    club = Club(tables=sizes, format=format_)
    club.enter(4)
    for _ in range(rounds - 1):
        play_round(club)

    club.draw()

    assert table_of(club).why.startswith(told)


def test_a_table_drawn_again_and_played_again_tells_all_of_it() -> None:
    club = Club(tables=TableSizes(min=2, max=3, preferred=3))
    club.enter(3)
    club.draw()
    absent = club.table(1).entrants[0]
    club.now += HOUR + 1
    club.tell_no_show(1, absent)
    club.take(1, 1, 2)

    ruled = club.replay(1)

    line = ruled.entries[0].line.version
    shown = table_of(club)
    assert f"Drawn again without {NAMES[player(absent)]}, who did not come or had left." in shown.why
    assert f"Played again, as the ruling in line {line} says. {SEATS_TOLD}" in shown.why
    assert shown.why.startswith("Drawn by score")
    assert len(shown.draws) == shown.attempt == 3


def test_a_bye_tells_by_which_numbers_it_was_chosen() -> None:
    club = Club(tables=PAIRS)
    club.enter(3)
    club.draw()

    (bye,) = byes_of(club)

    assert bye.why == (
        "Tables of 2 do not seat all who were in the draw. The one to sit out did so least often (never before), "
        f"then has the lowest score (0), then the highest lot ({bye.lot})."
    )
    assert bye.lot == max(club.round.lots.values())


def test_a_bye_for_want_of_others_says_so() -> None:
    club = Club(tables=PAIRS)
    club.enter(2)
    club.draw(without=(1,))

    (bye,) = byes_of(club)

    assert bye.why == "Fewer were in the draw than the 2 that a table needs."


def test_a_walkover_shows_what_it_counts_for_those_who_came() -> None:
    club = Club(tables=PAIRS)
    club.enter(2)
    club.draw()
    club.now += HOUR + 1
    absent, came = club.table(1).entrants

    club.tell_no_show(1, absent)

    (scored,) = table_of(club).scored
    assert (scored.entrant, scored.place, scored.points) == (came, 1, 60)
