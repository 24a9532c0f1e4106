"""Teams of entrants: how one is founded and joined, how mates sit, and how teams rank."""

from typing import Any

import pytest
from msgspec import UNSET
from msgspec.structs import replace

from domain.audit.tables import expect_opening
from domain.game.events import TableSeat
from domain.log.rejections import UnfitEvent
from domain.tournament import rejections
from domain.tournament.events import TableDrawn
from domain.tournament.formats import ScoreRounds
from domain.tournament.sizes import TableSizes
from domain.tournament.team_events import Seating, TeamChosen, TeamsRanked, TeamTerms
from domain.tournament.teams import Team, hash_code, list_teams, rank_teams
from services.commands.table_games import TableAt, build_opening
from tests.domain.tournament.tournament_harness import CUP, PAIRS, Club

RED, BLUE = "RUSSATA2226ABCDE", "VENETA2226ABCDEF"
TEAMS = TeamTerms(members_max=3, counting=2, seating="none")
FOURS = TableSizes(min=4, max=4, preferred=4)


def found(**terms: Any) -> Club:
    return Club(**({"teams": TEAMS, "format": ScoreRounds(rounds=3), "tables": PAIRS} | terms))


def enter(club: Club, name: str, code: str, *, shown: str | None = None) -> None:
    club.enter(team=TeamChosen(name=name, code=hash_code(code)), shown_team_code=shown or code)


def ranked(club: Club) -> list[tuple[int, int, int, tuple[int, ...]]]:
    told = [event for entry in club.entries if isinstance(event := entry.event, TeamsRanked)][-1]
    return [(team.place, team.team, team.points, team.entrants) for team in told.teams]


def test_the_first_to_name_a_team_founds_it_and_mates_join_by_its_code() -> None:
    club = found()
    enter(club, "Reds", RED)
    enter(club, "Blues", BLUE)
    club.enter()
    enter(club, "Reds", RED)

    assert [(team.letter, team.chosen.name, team.entrants) for team in list_teams(club.tournament)] == [
        ("A", "Reds", (0, 3)),
        ("B", "Blues", (1,)),
    ]


@pytest.mark.parametrize(
    ("name", "code", "shown"),
    [("Reds", BLUE, None), ("Reds", RED, BLUE), ("reds", RED, None), ("REDS", BLUE, None)],
    ids=["another code", "the code is not shown", "another spelling", "another spelling and code"],
)
def test_a_team_is_joined_with_its_code_and_its_spelling_alone(name: str, code: str, shown: str | None) -> None:
    club = found()
    enter(club, "Reds", RED)

    with pytest.raises(rejections.CodeUnfit):
        enter(club, name, code, shown=shown)


def test_a_team_takes_so_many_members_and_a_place_is_free_when_one_leaves() -> None:
    club = found()
    for _ in range(3):
        enter(club, "Reds", RED)

    with pytest.raises(rejections.TeamFull):
        enter(club, "Reds", RED)
    club.withdraw(1)
    enter(club, "Reds", RED)


def test_there_is_no_team_where_the_terms_have_none_and_none_counts_more_than_it_has() -> None:
    with pytest.raises(UnfitEvent, match="this tournament has none"):
        enter(Club(), "Reds", RED)
    with pytest.raises(rejections.UnfitTournament, match="3 of 2"):
        found(teams=TeamTerms(members_max=2, counting=3, seating="none"))


@pytest.mark.parametrize("seating", ["apart", "apart_if_possible", "together"])
def test_mates_sit_as_the_terms_state_in_every_round(seating: Seating) -> None:
    club = found(teams=TeamTerms(members_max=2, counting=1, seating=seating))
    for name, code in (("Reds", RED), ("Blues", BLUE), ("Reds", RED), ("Blues", BLUE)):
        enter(club, name, code)

    for seed in range(2):
        club.draw()
        club.play(seed)

    tables = [{frozenset(table.entrants) for table in round_.tables} for round_ in club.tournament.rounds]
    are_mates = [seated == {frozenset({0, 2}), frozenset({1, 3})} for seated in tables]
    assert are_mates == [seating == "together"] * 2


def test_a_team_counts_its_best_members_and_equal_ones_by_their_places() -> None:
    club = found(tables=FOURS, points={"4": (60, 40, 40, 0)}, tie_breaks=("wins",))
    for name, code in (("Reds", RED), ("Blues", BLUE), ("Blues", BLUE), ("Reds", RED)):
        enter(club, name, code)
    club.draw()
    # Entrants 1 and 2 share the second place.
    club.take(1, *(min(entrant, 1) + 1 if entrant < 3 else 4 for entrant in club.table(1).entrants))

    assert ranked(club) == [(1, 1, 80, (1, 2)), (2, 0, 60, (0, 3))]
    club.rule(3, 20)
    club.close("the hall closes")
    # 60 and 20 against 40 and 40: the place of the best member decides.
    assert ranked(club) == [(1, 0, 80, (0, 3)), (2, 1, 80, (1, 2))]
    assert [team.places for team in rank_teams(club.tournament, club.told())] == [(1, 4), (2, 2)]


def test_letters_go_on_behind_the_last_one() -> None:
    chosen = TeamChosen(name="Reds", code=hash_code(RED))

    letters = [Team(number=number, chosen=chosen, entrants=()).letter for number in (0, 25, 26, 51, 52, 702)]

    assert letters == ["A", "Z", "AA", "AZ", "BA", "AAA"]


def test_mates_race_as_one_only_in_games_that_have_teams() -> None:
    for is_asked in (True, False):
        with pytest.raises(rejections.UnfitTournament, match=f"{is_asked} with torches"):
            found(teams=TeamTerms(members_max=2, counting=1, seating="together", race_in_games=is_asked))


@pytest.mark.parametrize(
    ("members", "letters"),
    [("RR..", "AABC"), ("RRBB", "AABB"), ("RBR.", "ABAC"), ("R.B.", None), ("....", None), ("RRRR", None)],
)
def test_a_table_of_mates_opens_with_their_teams_and_a_verifier_expects_the_same(
    members: str, letters: str | None
) -> None:
    club = found(teams=TeamTerms(members_max=4, counting=1, seating="none"), tables=FOURS)
    for member in members:
        if member == ".":
            club.enter()
        else:
            enter(club, member, RED)
    club.draw()
    tournament = club.tournament
    assert tournament.opened.teams is not UNSET
    opened = replace(tournament.opened, teams=replace(tournament.opened.teams, race_in_games=True))
    # In the order of the seats, whichever that is.
    table = replace(club.table(1), seats=tuple(sorted(club.table(1).seats, key=lambda seat: seat.entrant)))
    drawn = next(event for entry in club.entries if isinstance(event := entry.event, TableDrawn))
    people = {number: TableSeat(player=entry.player, key=None) for number, entry in enumerate(tournament.entries)}

    at = TableAt(tournament=replace(tournament, opened=opened), round=1, table=table)
    game = build_opening(at, at_ms=club.now, random_bytes=bytes)
    expected = expect_opening(
        CUP,
        opened,
        replace(drawn, seats=table.seats),
        people,
        {number: entry.team for number, entry in enumerate(tournament.entries)},
    )

    added = {} if letters is None else {"teams": letters}
    assert game.options == expected.options == {**opened.options, **added}
