"""Practice: a guest gets the API's JSON, loses where it breaks, and its games are the same on every machine."""

import json
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import msgspec
import pytest

from domain.canonical import Json
from domain.rulesets.chariot_race.choices import Choices
from domain.rulesets.chariot_race.kit.kit import KIT
from domain.rulesets.chariot_race.view import RaceView
from infra.ruleset_files import load_ruleset
from services.practice.games import Plan
from services.practice.guest import ChooseJson, GuestRefused, Sight, load_guest
from services.practice.interval import find_interval
from services.practice.plot import POINTS_MAX, draw_plot
from services.practice.practice import Practised, practise, sum_up, write_loss

RULES = load_ruleset(KIT)


def drive(_board: Any, choices: Any) -> Json:
    """Drive straight on as fast as the first offer has it."""
    if choices["kind"] != "move":
        return {"kind": "pass"}
    speed = choices["speeds"][0]
    return {"kind": "move", "minuses": speed["minuses"][0], "path": speed["moves"][0]["path"]}


def run(choose: ChooseJson, *, games: int = 4, rivals: tuple[str, ...] = ("random",)) -> list[Practised]:
    return list(practise(KIT, RULES, choose, rivals, Plan(bots=(), games=games, seed=3)))


def test_the_guest_sits_in_every_seat_in_turn_and_gets_the_json_of_the_api() -> None:
    seen: list[tuple[Any, Any]] = []

    def note(board: Any, choices: Any) -> Json:
        seen.append((board, choices))
        return drive(board, choices)

    played = run(note, games=3, rivals=("random", "fast"))

    assert {game.seat for game in played} == {0, 1, 2}
    assert len(seen) > 20
    for board, choices in seen:
        msgspec.convert(board, RaceView)
        msgspec.convert(choices, Choices)


def test_the_same_plan_gives_the_same_games() -> None:
    assert run(drive) == run(drive)


@pytest.mark.parametrize(
    ("answer", "fault"),
    [
        (lambda _, choices: choices["front"], "found KeyError: 'front'"),
        (lambda *_: {"kind": "fly"}, "expected an action of the ruleset, found {'kind': 'fly'}: Invalid value 'fly'"),
        (lambda *_: None, "expected an action of the ruleset, found None"),
        (lambda *_: {"kind": "move", "minuses": 0, "path": "mmm"}, "expected"),
    ],
)
def test_a_game_in_which_the_guest_breaks_is_lost_with_the_reason(answer: ChooseJson, fault: str) -> None:
    played = run(answer, games=2)

    report = sum_up(played)

    assert [game.is_lost for game in played] == [True, True]
    assert all(len(game.sights) == 1 for game in played)
    assert [fault in text for text in report.faults] == [True, True]
    assert report.lost.count == 2


def test_a_loss_is_written_as_the_guest_saw_it(tmp_path: Path) -> None:
    lost = next(game for game in run(drive, games=20, rivals=("fast",)) if game.is_lost)

    *sights, end = map(json.loads, write_loss(tmp_path, lost).read_text().splitlines())

    assert sights
    assert all(drive(sight["board"], sight["choices"]) == sight["action"] for sight in sights)
    assert end == {"places": list(lost.places), "seat": lost.seat, "fault": None}


def test_a_won_game_keeps_no_sights() -> None:
    won = [game for game in run(drive, games=20) if game.is_won]

    assert won
    assert all(game.sights == () for game in won)


def ended(number: int, *places: int) -> Practised:
    sight = Sight(board=msgspec.Raw(b"1"), choices=msgspec.Raw(b"2"), action=None)
    seat = number % 2
    return Practised(number=number, seat=seat, decisions=5, place=places[seat], places=places, sights=(sight,))


def test_a_report_counts_places_seats_and_shared_places() -> None:
    report = sum_up([ended(0, 1, 2), ended(1, 1, 2), ended(2, 1, 1), ended(3, 2, 1)])

    assert (report.won.count, report.lost.count, report.decisions) == (2, 1, 20)
    assert [(row.name, row.count) for row in report.places] == [("place 1", 3), ("place 2", 1)]
    assert [(row.name, row.count, row.of) for row in report.won_by_seat] == [("seat 0", 1, 2), ("seat 1", 1, 2)]


@pytest.mark.parametrize(
    ("count", "of", "low", "high"), [(0, 10, 0.0, 0.2775), (81, 100, 0.7222, 0.8749), (10, 10, 0.7225, 1.0)]
)
def test_the_interval_is_wilsons(count: int, of: int, low: float, high: float) -> None:
    interval = find_interval(count, of)

    assert (round(interval.low, 4), round(interval.high, 4)) == (low, high)
    assert interval.share == count / of


@pytest.mark.parametrize("games", [1, 2, POINTS_MAX, 3 * POINTS_MAX + 1])
def test_the_plot_draws_every_game_within_its_frame(games: int) -> None:
    drawn = ET.fromstring(draw_plot([number % 3 == 0 for number in range(games)], title="a < b"))  # noqa: S314  drawn just now

    width, height = float(drawn.attrib["width"]), float(drawn.attrib["height"])
    points = [
        tuple(map(float, point.split(",")))
        for shape in drawn.iter()
        for point in shape.attrib.get("points", "").split()
    ]
    assert len(points) >= 3
    assert all(0 <= x <= width and 0 <= y <= height for x, y in points)
    assert max(x for x, _ in points) == width - 12


@pytest.mark.parametrize(
    ("named", "said"),
    [
        ("choose", "expected MODULE:FUNCTION"),
        ("gone_bot:choose", "found ModuleNotFoundError"),
        ("{}/gone.py:choose", "found FileNotFoundError"),
        ("{}/bot.py:select", "expected a function select in"),
        ("{}/broken.py:choose", "found ZeroDivisionError"),
    ],
)
def test_a_guest_that_cannot_be_loaded_is_refused(tmp_path: Path, named: str, said: str) -> None:
    (tmp_path / "bot.py").write_text("def choose(board, choices): ...\n")
    (tmp_path / "broken.py").write_text("1 / 0\n")

    with pytest.raises(GuestRefused, match=said):
        load_guest(named.format(tmp_path))


def test_a_guest_is_loaded_from_a_file(tmp_path: Path) -> None:
    (tmp_path / "bot.py").write_text("def choose(board, choices):\n    return board + choices\n")

    assert load_guest(f"{tmp_path}/bot.py:choose")(1, 2) == 3
