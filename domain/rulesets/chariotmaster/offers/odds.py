"""How likely a test is passed, in plain numbers: on so many of six faces, before any seat modifies the roll."""

from domain.rulesets.chariotmaster.box.component_file import Components
from domain.rulesets.chariotmaster.box.tables import is_test_passed
from domain.rulesets.chariotmaster.harm.luck import DIE_SIDES
from domain.rulesets.chariotmaster.offers.choices import Odds


def odds_of(box: Components, *, modifier: int, skill: int) -> Odds:
    """CM-21: count the faces on which a test against skill is passed."""
    faces = range(1, DIE_SIDES + 1)
    passing = sum(is_test_passed(box, face, modifier=modifier, skill=skill) for face in faces)
    return Odds(modifier=modifier, skill=skill, passing_faces=passing)
