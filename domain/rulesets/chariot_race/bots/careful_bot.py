"""A player that drives with care: the speed the corners allow, repairs early, and Fate kept for it."""

from domain.ids import DecisionId
from domain.ruleset.bot import Numbers
from domain.rulesets.chariot_race.actions import Action
from domain.rulesets.chariot_race.bots import temper
from domain.rulesets.chariot_race.view import RaceView

CAREFUL = temper.Temper(
    damage_cost_units=40,
    ram_gain_units=2,
    speed_wanted=7,
    speed_cost_units=14,
    repair_damage=9,
    unwanted=("attack",),
    sprint_damage=9,
    sprints_max=0,
    fate_kept=3,
    spurt_units=0,
)


def choose(view: RaceView, _: DecisionId, numbers: Numbers) -> Action:
    """Answer the first decision the seat owes; it sees nothing but the seat's own view."""
    return temper.choose(view, numbers, CAREFUL)
