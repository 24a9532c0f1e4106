"""Teams on the pages: the letters of a table, the marks before names, and the sentence on the end."""

from typing import Any

from tests.services.web.node import run

TELL = """
const { teamOf } = await import("./parts/teams.js");
const { inSeat, setNames, tellOrder } = await import("./parts/names.js");
setNames({ 0: "Ada", 1: "Bob", 2: "Cleo (house bot)" }, { teams: given.teams });
console.log(JSON.stringify({
  of: [0, 1, 2].map((seat) => teamOf(given, seat)),
  names: [0, 1, 2].map(inSeat),
  order: tellOrder([{ place: 1, seat: 0 }, { place: 1, seat: 2 }, { place: 3, seat: 1 }], [], given.results),
}));
"""
RESULTS = [
    {"team": "A", "seats": [0, 2], "place": 1, "points": 4, "points_max": 4},
    {"team": "B", "seats": [1], "place": 2, "points": 0, "points_max": 4},
]


SHORTEN = """
const { shorten } = await import("./parts/seat_options.js");
console.log(JSON.stringify(given.map((picked) => shorten([...picked]))));
"""


def tell(*, teams: str | None = None, results: Any = ()) -> dict[str, Any]:
    said: dict[str, Any] = run(TELL, {"teams": teams, "results": results})
    return said


def test_the_picks_of_all_seats_are_the_shortest_text_that_gives_them_again() -> None:
    assert run(SHORTEN, ["ABABAB", "ABCABC", "ABBBBB", "AABBB", "BABC", "AB", "222", "200000"]) == [
        "AB",
        "ABC",
        "ABBBBB",
        "AABBB",
        "BABC",
        "AB",
        "22",
        "200000",
    ]


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


FIND = """
const { findResult } = await import("./parts/teams.js");
const ranking = [[1, 0], [2, 1], [2, 3], [4, 2]].map(([place, seat]) => ({ place, seat }));
console.log(JSON.stringify([0, 1, 2, 3].map((seat) => findResult(given, ranking, seat)?.team ?? null)));
"""


def test_a_seat_that_resigned_stands_without_its_team() -> None:
    results = [{"team": "A", "seats": [0, 2], "place": 1}, {"team": "B", "seats": [1, 3], "place": 2}]

    assert run(FIND, {"teams": results}) == ["A", "B", None, "B"]
    assert run(FIND, {}) == [None] * 4
