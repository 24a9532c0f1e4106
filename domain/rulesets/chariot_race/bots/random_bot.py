"""A player that answers at random: any kind of answer that is legal, then any answer of that kind."""

from domain.ids import DecisionId
from domain.ruleset.bot import Numbers
from domain.rulesets.chariot_race.actions import (
    Action,
    ChooseBoard,
    ChoosePlace,
    DropCaltrop,
    Move,
    Pass,
    Repair,
    Reroll,
    ThrowJavelin,
    TurnDie,
)
from domain.rulesets.chariot_race.choices import (
    AttackChoices,
    BoardChoices,
    ManipulationChoices,
    MoveChoices,
    PlaceChoices,
    RepairChoices,
    RerollChoices,
)
from domain.rulesets.chariot_race.view import RaceView

_REPAIRS: tuple[Action, ...] = (Repair(), Pass())


def choose(view: RaceView, _: DecisionId, numbers: Numbers) -> Action:
    """Answer the first decision the seat owes; it sees nothing but the seat's own view."""
    choices = view.decisions[0].choices
    match choices:
        case RepairChoices():
            return numbers.choice(_REPAIRS)
        case RerollChoices():
            rerolls: tuple[Action, ...] = (_reroll(len(choices.dice), numbers), Pass())
            return numbers.choice(rerolls)
        case ManipulationChoices():
            turned = TurnDie(die=numbers.randrange(len(choices.dice)), face=numbers.choice(choices.faces))
            answers: tuple[Action, ...] = (_reroll(len(choices.dice), numbers), turned, Pass())
            return numbers.choice(answers)
        case MoveChoices():
            offered = numbers.choice(choices.speeds)
            return Move(minuses=numbers.choice(offered.minuses), path=numbers.choice(offered.moves).path)
        case AttackChoices():
            drops = (DropCaltrop(space=space) for space in choices.spaces)
            throws = (ThrowJavelin(chariot=target.chariot) for target in choices.targets)
            attacks: tuple[Action, ...] = (*drops, *throws, Pass())
            return numbers.choice(attacks)
        case BoardChoices():
            return ChooseBoard(colour=numbers.choice(choices.boards).colour)
        case PlaceChoices():
            return ChoosePlace(place=numbers.choice(choices.places))


def _reroll(count: int, numbers: Numbers) -> Reroll:
    chosen = numbers.sample(range(count), numbers.randint(1, count))
    return Reroll(dice=tuple(sorted(chosen)))
