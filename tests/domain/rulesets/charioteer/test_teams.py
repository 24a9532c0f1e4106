"""Teams: every chariot counts, mates share a place, and an attack spares them."""

import pytest
from msgspec.structs import replace

from domain.ruleset.teams import UnfitTeams
from domain.rulesets.charioteer.attacks import strike_rivals
from domain.rulesets.charioteer.board import Board
from domain.rulesets.charioteer.options import Options
from domain.rulesets.charioteer.outcomes import DamageTaken
from domain.rulesets.charioteer.ranking import list_teams
from tests.domain.rulesets.charioteer.boards import ADA, BOB, BOX, CAI, RULES, board, driver, script_on


def three(teams: str, *progress: int) -> Board:
    ada, bob, cai = progress
    on = board(driver(ADA, progress=ada), driver(BOB, progress=bob), driver(CAI, progress=cai))
    return replace(on, options=Options(teams=teams))


@pytest.mark.rule("CH-98")
@pytest.mark.parametrize(
    ("progress", "results"),
    [
        ((40, 35, 30), [(1, "A", 2, 4), (2, "B", 2, 4)]),
        ((40, 30, 35), [(1, "A", 4, 4), (2, "B", 0, 4)]),
        ((35, 40, 30), [(1, "B", 4, 4), (2, "A", 0, 4)]),
    ],
)
def test_two_against_one_are_compared_by_their_shares_and_then_by_the_best(
    progress: tuple[int, ...], results: list[tuple[int, str, int, int]]
) -> None:
    on = three("ABA", *progress)

    assert [(found.place, found.team, found.points, found.points_max) for found in list_teams(on)] == results
    places = {placing.seat: placing.place for placing in RULES.ranking(on)}
    assert places == ({ADA: 1, CAI: 1, BOB: 3} if results[0][1] == "A" else {BOB: 1, ADA: 2, CAI: 2})
    assert RULES.view(on, None).teams == list_teams(on)


@pytest.mark.rule("CH-98")
@pytest.mark.parametrize(("teams", "hit"), [("ABA", [BOB]), ("ABC", [BOB, CAI])])
def test_an_attack_spares_mates(teams: str, hit: list[int]) -> None:
    script = script_on(three(teams, 40, 35, 30))

    strike_rivals(BOX, script, ADA, "minor_attack")

    assert [event.event.seat for event in script.written if isinstance(event.event, DamageTaken)] == hit


@pytest.mark.rule("CH-98")
def test_all_seats_in_one_team_are_refused() -> None:
    with pytest.raises(UnfitTeams):
        RULES.initial_board((ADA, BOB), Options(teams="AAB"))
