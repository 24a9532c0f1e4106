"""A driver that spurs, takes every test that is more likely passed than failed, and attacks any rival beside it."""

from domain.ids import DecisionId
from domain.ruleset.bot import Numbers
from domain.rulesets.chariotmaster.bots import temper
from domain.rulesets.chariotmaster.offers.view import RaceView
from domain.rulesets.chariotmaster.race.actions import Action

RUTHLESS = temper.Temper(
    turn_cost_mm=1,
    blocked_share=50,
    again_share=50,
    sweep_cost_mm=40,
    test_faces=4,
    stamina_kept=1,
    spur_kept=0,
    means=("ram", "bite", "whip_horses", "ram_with_horses", "whip_driver"),
    defence_faces=4,
    build=("fast", "veteran", "steeled"),
)


def choose(view: RaceView, decision: DecisionId, numbers: Numbers) -> Action:
    """Answer a decision; it sees nothing but the seat's own view."""
    return temper.choose(view, decision, numbers, RUTHLESS)
