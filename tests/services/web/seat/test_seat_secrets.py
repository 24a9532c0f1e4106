"""Secrets and words of a seat: links are those of the client in Python, an action is described by its members alone."""

from typing import Any

import pytest

from spina_client.formats import build_links
from tests.services.web.node import run

LINKS = """
const { buildLinks } = await import("./seat/seat_secrets.js");
const { fromHex } = await import("./verify/bytes.js");
console.log(JSON.stringify(await buildLinks(given.count, fromHex(given.last))));
"""
TELL = """
const { tellAction } = await import("./panel/action_words.js");
console.log(JSON.stringify(tellAction(given)));
"""


def test_a_chain_of_links_is_that_of_the_client() -> None:
    last = bytes(range(32))

    assert run(LINKS, {"count": 5, "last": last.hex()}) == list(build_links(last, 5))


@pytest.mark.parametrize(
    ("action", "told"),
    [
        ({"kind": "pass"}, "Pass"),
        ({"kind": "walk", "legs": []}, "Walk"),
        ({"kind": "choose_place", "place": 3}, "Choose place: place 3"),
        ({"kind": "build_chariot", "race": None, "equipment": ["super_heavy"]}, "Build chariot: equipment super heavy"),
        (
            {"kind": "make_sub_move", "distance_mm": 40, "pivot": {"hinge": "centre", "degrees": -7}},
            "Make sub move: distance 40 mm, pivot (hinge centre, -7°)",
        ),
    ],
)
def test_an_action_is_told_from_its_members(action: dict[str, Any], told: str) -> None:
    assert run(TELL, action) == told
