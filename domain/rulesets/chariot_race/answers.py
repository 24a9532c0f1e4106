"""Every legal answer, one by one, as the offers describe them in factors."""

from itertools import combinations

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
    Choices,
    ManipulationChoices,
    MoveChoices,
    PlaceChoices,
    RepairChoices,
    RerollChoices,
)


def list_answers(choices: Choices) -> list[Action]:
    match choices:
        case RepairChoices():
            return [Repair(), Pass()]
        case RerollChoices():
            return [*_rerolls(len(choices.dice)), Pass()]
        case ManipulationChoices():
            turned = [TurnDie(die=die, face=face) for die in range(len(choices.dice)) for face in choices.faces]
            return [*_rerolls(len(choices.dice)), *turned, Pass()]
        case MoveChoices():
            return [
                Move(minuses=minuses, path=move.path)
                for offered in choices.speeds
                for minuses in offered.minuses
                for move in offered.moves
            ]
        case AttackChoices():
            drops = [DropCaltrop(space=space) for space in choices.spaces]
            return [*drops, *(ThrowJavelin(chariot=target.chariot) for target in choices.targets), Pass()]
        case BoardChoices():
            return [ChooseBoard(colour=table.colour) for table in choices.boards]
        case PlaceChoices():
            return [ChoosePlace(place=place) for place in choices.places]


def _rerolls(count: int) -> list[Reroll]:
    return [Reroll(dice=dice) for size in range(1, count + 1) for dice in combinations(range(count), size)]
