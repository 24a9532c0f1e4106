"""The bots by name: one that answers at random, and those that judge, each by its temper."""

from functools import partial

from domain.ruleset.bot import Choose, Numbers
from domain.rulesets.chariotmaster.bots import judgement
from domain.rulesets.chariotmaster.bots.sight import is_rival
from domain.rulesets.chariotmaster.offers.choices import Choices, MoveChoices
from domain.rulesets.chariotmaster.offers.view import RaceView
from domain.rulesets.chariotmaster.race import actions as answers
from domain.rulesets.chariotmaster.race.board import owner_of

# Drivers who brake whenever they can are out of stamina before the first bend, and nothing else is seen of the game.
_WEIGHTS: dict[type[answers.Action], int] = {
    answers.MakeSubMove: 12,
    answers.MakeUTurn: 2,
    answers.Attack: 4,
    answers.Stop: 4,
    answers.AnnounceSubMove: 3,
    answers.GoOn: 2,
    answers.ChangeSpeed: 1,
}


def choose_at_random(view: RaceView, choices: Choices, numbers: Numbers) -> answers.Action:
    if not isinstance(choices, MoveChoices):
        return numbers.choice(choices.candidates)
    actions = [
        candidate.action
        for candidate in choices.candidates
        if not isinstance(candidate.action, answers.Attack)
        or is_rival(view, choices.chariot, owner_of(candidate.action.target))
    ]
    kinds = [kind for kind in _WEIGHTS if any(isinstance(action, kind) for action in actions)]
    (kind,) = numbers.choices(kinds, weights=[_WEIGHTS[kind] for kind in kinds])
    return numbers.choice([action for action in actions if isinstance(action, kind)])


# Spares horses and nerves: no tests that it can do without, no attacks, no spurs.
STEADY = judgement.Temper(
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
# Spurs, takes every test that is more likely passed than failed, and attacks any rival beside it.
RUTHLESS = judgement.Temper(
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

BOTS: dict[str, Choose[RaceView, Choices, answers.Action]] = {
    "random": choose_at_random,
    "steady": partial(judgement.choose, temper=STEADY),
    "ruthless": partial(judgement.choose, temper=RUTHLESS),
}
