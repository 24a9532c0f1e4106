"""The kit of Charioteer."""

from domain.ruleset.kit import Kit, Marker
from domain.rulesets.charioteer.bots.roster import BOTS
from domain.rulesets.charioteer.kit.figures import judge_claims, measure
from domain.rulesets.charioteer.ruleset import CharioteerRuleset, build_ruleset

KIT = Kit(
    ruleset=CharioteerRuleset,
    build=build_ruleset,
    folder=__file__.rsplit("/", 2)[0],
    turn=Marker(event="turn_began", field="turn"),
    lap=Marker(event="lap_completed", field="lap"),
    bots=BOTS,
    favourites=("strategic", "longest"),
    variants=({"disrupt": "2-2-1", "first_turn": "inside"}, {"disrupt": "3-2-1", "several_whips": "once"}),
    # A turn is one choice that all seats make at once.
    think_ms=20_000,
    measure=measure,
    judge_claims=judge_claims,
)
