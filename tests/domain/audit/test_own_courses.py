"""A game on a course of a player's own is verified from its bundle alone, and a course that is unfit is found out."""

from functools import cache
from typing import Any

import msgspec
import pytest

from domain.audit.bundle import Bundle
from domain.audit.verify import verify
from domain.rulesets.chariotmaster.race.options import Options
from domain.rulesets.chariotmaster.table.course_plan import CoursePlan
from domain.rulesets.released import Rebuilder
from services.api.http.course_examples import COURSE_EXAMPLE
from tests.domain.audit.audited_game import OFFLINE, broken_in, bundle_of
from tests.domain.audit.forgery_tools import chained, lines
from tests.domain.rulesets.chariotmaster.golden import Recipe, anything, record
from tests.domain.rulesets.chariotmaster.races import RULES

OVAL: dict[str, Any] = COURSE_EXAMPLE["course"]  # type: ignore[assignment]  # the example is of mixed values


@cache
def specimen() -> tuple[bytes, ...]:
    """Play two game turns on a course that no release has."""
    options = Options(course=msgspec.convert(OVAL, CoursePlan), turns_max=2)
    return tuple(record(Recipe(chooses=anything, seats=2, seed=1, options=options)).raws)


def bundle(**course: Any) -> Bundle:
    """Return the bundle of the game, or of one whose first line has been given another course."""
    log = lines(specimen())
    log[0]["data"]["options"]["course"] |= course
    return bundle_of(chained(log), RULES.components)


@pytest.mark.rule("CM-140")
def test_a_game_on_a_course_of_ones_own_is_verified_from_its_bundle_alone() -> None:
    verified = verify(bundle(), rebuilder=Rebuilder(), checks=OFFLINE)

    assert verified.report.broken == ()
    assert msgspec.json.decode(specimen()[0])["data"]["options"]["course"] == OVAL


@pytest.mark.rule("CM-140")
@pytest.mark.parametrize(
    ("course", "reason"),
    [
        ({"width_mm": 300}, "a radius above half the width, 150 mm, piece 2 at (300, 0) mm"),
        ({"pieces": OVAL["pieces"][:-1]}, "an end at (0, 0), on the line, piece 4 at (-300, 0) mm"),
        ({"obstacles": [{**OVAL["obstacles"][0], "y_mm": 0, "x_mm": -20}]}, "start places free"),
    ],
)
def test_an_unfit_course_in_the_first_line_is_found_out_with_its_place(course: dict[str, Any], reason: str) -> None:
    verified = verify(bundle(**course), rebuilder=Rebuilder(), checks=OFFLINE)

    found = [broken for broken in broken_in(verified).values() if broken.version == 1]
    assert [broken.expected for broken in found if reason in broken.expected]


@pytest.mark.rule("CM-140")
def test_a_longer_course_in_the_first_line_is_found_out_by_the_stamina_of_its_teams() -> None:
    longer = [
        {**piece, "length_mm": piece["length_mm"] * 2} if "length_mm" in piece else piece for piece in OVAL["pieces"]
    ]

    verified = verify(bundle(pieces=longer), rebuilder=Rebuilder(), checks=OFFLINE)

    assert verified.report.broken
