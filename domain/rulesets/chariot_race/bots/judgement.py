"""A driver's judgement of the seat's offers: ground won against damage taken, and the dice worth keeping."""

from msgspec import Struct

from domain.ids import DecisionId
from domain.ruleset.bot import Numbers
from domain.rulesets.chariot_race import actions
from domain.rulesets.chariot_race import choices as offers
from domain.rulesets.chariot_race.bots.heaps import Lookout
from domain.rulesets.chariot_race.components import Colour, Face
from domain.rulesets.chariot_race.view import ChariotView, RaceView

# More than any ground that could be won in a turn.
_WRECK_COST_UNITS = 10_000
# A hundredth of a wreck by a heap in the next turn, in units of the track: a certain one costs more than two rounds.
_HEAP_COST_UNITS = 6
# A die turned to Steer is the last way out before a heap.
_STEER_FATE = 2
# A chariot this near its end repairs also where it then has no Fate left for a way out.
_REPAIR_ALWAYS_DAMAGE = 2


class Temper(Struct, frozen=True, kw_only=True):
    """Costs are in units of the track: a space of the straight is 24."""

    damage_cost_units: int
    ram_gain_units: int  # for each damage to a rival
    speed_wanted: int
    speed_cost_units: int  # for each point of speed off the wanted one
    repair_damage: int  # repair from this damage downwards
    unwanted: tuple[Face, ...]  # thrown again, while free
    sprint_damage: int  # sprint only with more damage left than this
    sprints_max: int  # more sprints than this are not wanted
    fate_kept: int  # never spent on dice
    spurt_units: int  # this near the finish, damage and speed off the wanted one matter less and less


def choose(view: RaceView, _: DecisionId, numbers: Numbers, *, temper: Temper) -> actions.Action:
    """Answer the first decision the seat owes; `numbers` only choose among equals."""
    choices = view.decisions[0].choices
    match choices:
        case offers.RepairChoices():
            return _repair(view, choices, temper)
        case offers.RerollChoices():
            return _reroll(view, choices, temper)
        case offers.ManipulationChoices():
            return _manipulate(view, choices, temper)
        case offers.MoveChoices():
            return _move(view, choices, numbers, temper)
        case offers.AttackChoices():
            return _attack(view, choices)
        case offers.BoardChoices():
            return actions.ChooseBoard(colour=numbers.choice(choices.boards).colour)
        case offers.PlaceChoices():
            return actions.ChoosePlace(place=min(choices.places))


def _driven(view: RaceView) -> ChariotView:
    assert view.turn is not None, "nobody drives"
    return _find(view, view.turn.chariot)


def _find(view: RaceView, colour: Colour) -> ChariotView:
    return next(chariot for chariot in view.chariots if chariot.colour == colour)


def _reroll(view: RaceView, choices: offers.RerollChoices, temper: Temper) -> actions.Action:
    """Throw again the dice of no use, and sprints that the chariot does not want or cannot bear.

    Before a heap every die that does not steer is of no use.
    """
    if _steers_missing(view, choices.dice) > 0:
        return actions.Reroll(dice=tuple(die for die, face in enumerate(choices.dice) if face != "steer"))
    useless = [die for die, face in enumerate(choices.dice) if face in temper.unwanted]
    dice = tuple(sorted({*useless, *_sprints_too_many(view, choices.dice, temper)}))
    return actions.Reroll(dice=dice) if dice else actions.Pass()


def _manipulate(view: RaceView, choices: offers.ManipulationChoices, temper: Temper) -> actions.Action:
    if _steers_missing(view, choices.dice) > 0:
        others = [die for die, face in enumerate(choices.dice) if face != "steer"]
        return actions.TurnDie(die=others[0], face="steer") if others else actions.Pass()
    sprints = _sprints_too_many(view, choices.dice, temper)
    if sprints and choices.fate - choices.cost >= temper.fate_kept:
        return actions.TurnDie(die=sprints[0], face="plus_minus")
    return actions.Pass()


def _repair(view: RaceView, choices: offers.RepairChoices, temper: Temper) -> actions.Action:
    chariot = _driven(view)
    if chariot.damage_left > temper.repair_damage:
        return actions.Pass()
    is_near_heap = choices.fate < _STEER_FATE and Lookout(view).changes_needed(chariot.space, chariot.speed + 1)
    return actions.Pass() if is_near_heap and chariot.damage_left > _REPAIR_ALWAYS_DAMAGE else actions.Repair()


def _steers_missing(view: RaceView, dice: tuple[Face, ...]) -> int:
    """Count the lane changes that every speed of these dice still lacks before the next heaps."""
    chariot = _driven(view)
    sprinted = chariot.speed + 2 * dice.count("sprint")
    swing = dice.count("plus_minus")
    lookout = Lookout(view)
    needed = (lookout.changes_needed(chariot.space, max(0, sprinted + by)) for by in range(-swing, swing + 1, 2))
    return min(needed, default=0) - dice.count("steer")


def _sprints_too_many(view: RaceView, dice: tuple[Face, ...], temper: Temper) -> list[int]:
    chariot = _driven(view)
    may_sprint = chariot.speed < temper.speed_wanted and chariot.damage_left > temper.sprint_damage
    sprints = [die for die, face in enumerate(dice) if face == "sprint"]
    return sprints[temper.sprints_max if may_sprint else 0 :]


def _move(view: RaceView, choices: offers.MoveChoices, numbers: Numbers, temper: Temper) -> actions.Action:
    scales = _Scales(view, temper)
    worths = [
        (scales.weigh(offered.speed, move), offered.minuses[0], move.path)
        for offered in choices.speeds
        for move in offered.moves
    ]
    best = max(worth for worth, _, _ in worths)
    _, minuses, path = numbers.choice([entry for entry in worths if entry[0] == best])
    return actions.Move(minuses=minuses, path=path)


class _Scales:
    """The worth of a move to one driver, in units of the track."""

    def __init__(self, view: RaceView, temper: Temper) -> None:
        self._view = view
        self._temper = temper
        self._driven = _driven(view)
        self._lookout = Lookout(view)
        self._finish = view.laps * view.track.lap_units

    def weigh(self, speed: int, move: offers.MoveOffer) -> int:
        if not move.damage_left:
            return move.front - _WRECK_COST_UNITS
        temper = self._temper
        # The last points of the Damage track are dear: below half of it each counts as much as the part that is gone.
        scarce = max(1, self._driven.damage_max // (2 * move.damage_left))
        later = temper.damage_cost_units * move.damage * scarce
        later += temper.speed_cost_units * abs(speed - temper.speed_wanted)
        return (
            move.front
            - self._part_to_come(move.front, later)
            - _HEAP_COST_UNITS
            * self._lookout.wreck_percent(self._driven, move.space, speed, fate_for_steer=_STEER_FATE)
            + temper.ram_gain_units * self._harm(move)
        )

    def _part_to_come(self, front: int, cost: int) -> int:
        """Count a cost that is paid in later turns only as far as there are any."""
        spurt = self._temper.spurt_units
        left = max(0, self._finish - front)
        return cost if left >= spurt else cost * left // spurt

    def _harm(self, move: offers.MoveOffer) -> int:
        """Add up the damage to others; to one's own second chariot it counts against."""
        harm = 0
        for incident in move.incidents:
            if incident.other is not None and incident.other_damage_left is not None:
                other = _find(self._view, incident.other)
                damage = other.damage_left - incident.other_damage_left
                harm += -damage if other.seat == self._driven.seat else damage
        return harm


def _attack(view: RaceView, choices: offers.AttackChoices) -> actions.Action:
    seat = _driven(view).seat
    targets = [target for target in choices.targets if _find(view, target.chariot).seat != seat]
    if targets:
        return actions.ThrowJavelin(chariot=min(targets, key=lambda target: target.damage_left).chariot)
    front = _driven(view).front
    is_followed = any(
        chariot.front is not None and front is not None and chariot.front < front and chariot.seat != seat
        for chariot in view.chariots
    )
    return actions.DropCaltrop(space=choices.spaces[-1]) if is_followed and choices.spaces else actions.Pass()
