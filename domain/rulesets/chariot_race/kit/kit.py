"""The kit of Chariot Race."""

from domain.ruleset.kit import Kit, Marker
from domain.rulesets.chariot_race.bots.roster import BOTS
from domain.rulesets.chariot_race.kit.figures import find_unsound, measure
from domain.rulesets.chariot_race.kit.workloads import search_paths
from domain.rulesets.chariot_race.ruleset import ChariotRaceRuleset, build_ruleset

KIT = Kit(
    ruleset=ChariotRaceRuleset,
    build=build_ruleset,
    folder=__file__.rsplit("/", 2)[0],
    turn=Marker(event="round_began", field="round"),
    lap=Marker(event="lap_completed", field="laps"),
    bots=BOTS,
    favourites=("careful", "fast"),
    variants=(
        {"chariots": "alternate"},
        {"first_half": "B", "second_half": "B"},
        {"chariots": "own_colours", "no_damage_after_line": True},
        {"chariots": "alternate", "first_half": "B", "no_damage_after_line": True},
    ),
    # A turn is some four answers of one driver.
    think_ms=4_000,
    measure=measure,
    find_unsound=find_unsound,
    workloads={"paths at speed 12 with two steers": search_paths},
)
