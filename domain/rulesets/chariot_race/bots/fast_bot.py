"""A player that drives fast: sprints, rams and repairs late."""

from domain.ids import DecisionId
from domain.ruleset.bot import Numbers
from domain.rulesets.chariot_race.actions import Action
from domain.rulesets.chariot_race.bots import temper
from domain.rulesets.chariot_race.view import RaceView

FAST = temper.Temper(
    damage_cost_units=26,
    ram_gain_units=6,
    speed_wanted=8,
    speed_cost_units=6,
    repair_damage=8,
    unwanted=("attack",),
    sprint_damage=4,
    sprints_max=1,
    fate_kept=0,
    spurt_units=240,
)


def choose(view: RaceView, _: DecisionId, numbers: Numbers) -> Action:
    """Answer the first decision the seat owes; it sees nothing but the seat's own view."""
    return temper.choose(view, numbers, FAST)
