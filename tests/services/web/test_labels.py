"""Names on a board stand beside their chariots, inside the picture and not over each other."""

from collections.abc import Sequence
from itertools import combinations
from typing import Any

from tests.services.web.node import run

BOX = {"x": 0, "y": 0, "width": 1600, "height": 760}
PLACE = """
const { findPlaces } = await import("./board/labels.js");
console.log(JSON.stringify(findPlaces(given[0], given[1], 27, given[2])));
"""


def place(*points: tuple[int, int], inscriptions: Sequence[dict[str, Any]] = ()) -> list[dict[str, Any]]:
    chariots = [{"text": "Calpurnianus", "x": x, "y": y, "radius": 40} for x, y in points]
    labels: list[dict[str, Any]] = run(PLACE, [chariots, BOX, inscriptions])
    return labels


def is_over(one: dict[str, Any], other: dict[str, Any]) -> bool:
    return bool(
        abs(one["x"] - other["x"]) < (one["width"] + other["width"]) / 2
        and abs(one["y"] - other["y"]) < (one["height"] + other["height"]) / 2
    )


def test_chariots_that_stand_together_have_names_apart() -> None:
    labels = place((400, 300), (420, 340), (440, 380), (460, 420))

    assert not any(is_over(one, other) for one, other in combinations(labels, 2))


def test_a_name_does_not_hide_a_chariot_in_the_same_space() -> None:
    points = [(800, 500), (800, 552), (800, 604), (800, 656)]

    labels = place(*points)

    chariots = [{"x": x, "y": y, "width": 40, "height": 40} for x, y in points]
    assert not any(is_over(label, chariot) for label in labels for chariot in chariots)


def test_a_name_does_not_hide_an_inscription() -> None:
    inscription = {"x": 800, "y": 440, "width": 300, "height": 40}

    labels = place((800, 500), inscriptions=[inscription])

    assert not is_over(labels[0], inscription)


def test_a_name_at_the_edge_stays_inside_the_picture() -> None:
    labels = place((5, 20), (1595, 740))

    for label in labels:
        assert label["width"] / 2 <= label["x"] <= BOX["width"] - label["width"] / 2
        assert label["height"] / 2 <= label["y"] <= BOX["height"] - label["height"] / 2
