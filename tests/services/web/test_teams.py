"""Teams on the pages: the letters of a table, the marks before names, and the sentence on the end."""

from typing import Any

import pytest

from tests.services.web.node import run

TELL = """
const { joinTeams, teamOf } = await import("./parts/teams.js");
const { inSeat, setNames, tellOrder } = await import("./parts/names.js");
setNames({ 0: "Ada", 1: "Bob", 2: "Cleo (house bot)" }, { teams: given.teams });
console.log(JSON.stringify({
  joined: joinTeams(given.picked) ?? null,
  of: [0, 1, 2].map((seat) => teamOf(given, seat)),
  names: [0, 1, 2].map(inSeat),
  order: tellOrder([{ place: 1, seat: 0 }, { place: 1, seat: 2 }, { place: 3, seat: 1 }], [], given.results),
}));
"""
RESULTS = [
    {"team": "A", "seats": [0, 2], "place": 1, "points": 4, "points_max": 4},
    {"team": "B", "seats": [1], "place": 2, "points": 0, "points_max": 4},
]


def tell(*, picked: str = "", teams: str | None = None, results: Any = ()) -> dict[str, Any]:
    said: dict[str, Any] = run(
        TELL,
        {"picked": [letter.strip("-") for letter in picked], "teams": teams, "results": results},
    )
    return said


@pytest.mark.parametrize(
    ("picked", "joined"),
    [
        ("------", None),
        ("ABABAB", "AB"),
        ("ABCABC", "ABC"),
        ("ABBBBB", "ABBBBB"),
        ("AABBB", "AABBB"),
        ("AA----", "AABCDE"),
        ("B-B-", "BABC"),
    ],
)
def test_the_picks_of_all_seats_are_the_shortest_letters_and_who_is_alone_has_an_own_one(
    picked: str, joined: str | None
) -> None:
    assert tell(picked=picked)["joined"] == joined


def test_a_name_bears_its_team_and_the_end_is_told_of_teams_too() -> None:
    told = tell(teams="AB", results=RESULTS)

    assert told["of"] == ["A", "B", "A"]
    assert told["names"] == ["[A] Ada", "[B] Bob", "[A] Cleo"]
    assert told["order"] == (
        "Final order: 1. [A] Ada, 1. [A] Cleo and 3. [B] Bob. "
        "Teams: 1. A with 4 of 4 points and 2. B with 0 of 4 points"
    )


def test_without_teams_nothing_is_marked() -> None:
    told = tell()

    assert (told["of"], told["names"]) == ([None] * 3, ["Ada", "Bob", "Cleo"])
    assert told["order"] == "Final order: 1. Ada, 1. Cleo and 3. Bob"
