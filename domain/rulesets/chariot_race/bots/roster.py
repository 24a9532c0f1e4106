"""The bots by name: one that answers at random, and those that judge, each by its temper."""

from functools import partial

from domain.ruleset.bot import Choose, Numbers
from domain.rulesets.chariot_race import actions
from domain.rulesets.chariot_race import choices as offers
from domain.rulesets.chariot_race.bots import judgement
from domain.rulesets.chariot_race.view import RaceView

_REPAIRS: tuple[actions.Action, ...] = (actions.Repair(), actions.Pass())


def choose_at_random(view: RaceView, choices: offers.Choices, numbers: Numbers) -> actions.Action:
    match choices:
        case offers.RepairChoices():
            return numbers.choice(_REPAIRS)
        case offers.RerollChoices():
            rerolls: tuple[actions.Action, ...] = (_reroll(len(choices.dice), numbers), actions.Pass())
            return numbers.choice(rerolls)
        case offers.ManipulationChoices():
            turned = actions.TurnDie(die=numbers.randrange(len(choices.dice)), face=numbers.choice(choices.faces))
            answers: tuple[actions.Action, ...] = (_reroll(len(choices.dice), numbers), turned, actions.Pass())
            return numbers.choice(answers)
        case offers.MoveChoices():
            offered = numbers.choice(choices.speeds)
            return actions.Move(minuses=numbers.choice(offered.minuses), path=numbers.choice(offered.moves).path)
        case offers.AttackChoices():
            drops = (actions.DropCaltrop(space=space) for space in choices.spaces)
            rivals = judgement.list_rivals(view, choices)
            throws = (actions.ThrowJavelin(chariot=target.chariot) for target in rivals)
            attacks: tuple[actions.Action, ...] = (*drops, *throws, actions.Pass())
            return numbers.choice(attacks)
        case offers.BoardChoices():
            return actions.ChooseBoard(colour=numbers.choice(choices.boards).colour)
        case offers.PlaceChoices():
            return actions.ChoosePlace(place=numbers.choice(choices.places))


def _reroll(count: int, numbers: Numbers) -> actions.Reroll:
    chosen = numbers.sample(range(count), numbers.randint(1, count))
    return actions.Reroll(dice=tuple(sorted(chosen)))


# Sprints, rams and repairs late.
FAST = judgement.Temper(
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
# Drives at the speed the corners allow, repairs early, and keeps Fate for it.
CAREFUL = judgement.Temper(
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

BOTS: dict[str, Choose[RaceView, offers.Choices, actions.Action]] = {
    "random": choose_at_random,
    "fast": partial(judgement.choose, temper=FAST),
    "careful": partial(judgement.choose, temper=CAREFUL),
}
