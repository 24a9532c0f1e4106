"""The kit of Chariotmaster."""

from domain.ruleset.kit import Kit, Marker
from domain.rulesets.chariotmaster.bots.roster import BOTS
from domain.rulesets.chariotmaster.kit.figures import find_unsound, measure
from domain.rulesets.chariotmaster.ruleset import ChariotmasterRuleset, build_ruleset

KIT = Kit(
    ruleset=ChariotmasterRuleset,
    build=build_ruleset,
    folder=__file__.rsplit("/", 2)[0],
    turn=Marker(event="mug_filled", field="game_turn"),
    lap=Marker(event="lap_completed", field="lap"),
    bots=BOTS,
    favourites=("ruthless", "steady"),
    # The three laps of the rules are some fifty game turns; a lap shows all there is to see.
    short={"laps": 1},
    # A turn is a token and two or three steps.
    think_ms=3_000,
    measure=measure,
    find_unsound=find_unsound,
)
