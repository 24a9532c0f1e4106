"""Rulesets from their components: what a stored game needs to be read again, whoever reads it.

A released ruleset is never taken out of the table, so that every game ever played can be verified.
"""

from collections.abc import Callable, Mapping

from domain.canonical import Json, parse
from domain.rulesets.chariot_race.ruleset import build_ruleset as build_chariot_race
from domain.rulesets.charioteer.ruleset import build_ruleset as build_charioteer
from domain.rulesets.ruleset import AnyRuleset

# Builds a ruleset from the data of its components, and raises a ValueError for data it cannot use.
Build = Callable[[Json], AnyRuleset]
# By name and version.
Builders = Mapping[tuple[str, int], Build]

RELEASED: Builders = {
    ("chariot-race", 1): build_chariot_race,
    ("charioteer", 1): build_charioteer,
}


class UnbuildableRuleset(ValueError):
    """No ruleset can be built from these components."""

    def __init__(self, *, expected: str, found: str) -> None:
        self.expected = expected
        self.found = found
        super().__init__(f"expected {expected}, found {found}")


class RulesetNotReleased(UnbuildableRuleset):
    """No ruleset that this release knows; a later one may."""


def rebuild_ruleset(builders: Builders, *, name: str, version: int, components: bytes) -> AnyRuleset:
    """Build a ruleset from the canonical bytes of its components, or raise UnbuildableRuleset."""
    build = builders.get((name, version))
    if build is None:
        known = ", ".join(f"{each}@{number}" for each, number in sorted(builders))
        raise RulesetNotReleased(expected=f"one of {known or 'none'}", found=f"{name}@{version}")
    try:
        ruleset = build(parse(components))
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise UnbuildableRuleset(expected=f"components of {name}@{version}", found=str(error)) from error
    if ruleset.components != components:
        raise UnbuildableRuleset(expected=f"components that {name}@{version} spells the same", found="others")
    return ruleset
