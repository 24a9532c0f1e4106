"""A driver that spares horses and nerves: no tests that it can do without, no attacks, no spurs."""

from domain.ids import DecisionId
from domain.ruleset.bot import Numbers
from domain.rulesets.chariotmaster.bots import temper
from domain.rulesets.chariotmaster.offers.view import RaceView
from domain.rulesets.chariotmaster.race.actions import Action

STEADY = temper.Temper(
    turn_cost_mm=2,
    blocked_share=50,
    again_share=0,
    sweep_cost_mm=60,
    test_faces=5,
    stamina_kept=100,
    spur_kept=100,
    means=(),
    defence_faces=7,
    build=("staying_power", "steeled"),
)


def choose(view: RaceView, decision: DecisionId, numbers: Numbers) -> Action:
    """Answer a decision; it sees nothing but the seat's own view."""
    return temper.choose(view, decision, numbers, STEADY)
