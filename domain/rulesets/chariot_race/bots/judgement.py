"""A driver's judgement of the seat's offers: ground won against damage taken, dice worth keeping, stone heaps ahead."""

from msgspec import Struct

from domain.ruleset.bot import Numbers
from domain.rulesets.chariot_race import actions
from domain.rulesets.chariot_race import choices as offers
from domain.rulesets.chariot_race.components import Colour, Face
from domain.rulesets.chariot_race.view import ChariotView, LanePicture, RaceView

# In percent: no Steer in a throw of so many dice and one more of all of them. The first entry is a throw of none.
_NO_STEER_PERCENT = (100, 44, 20, 9, 4, 2)
# More changes than this are not looked for; a chariot that needs them is as good as wrecked.
CHANGES_MAX = 3


class Lookout:
    """The lanes of a view. Answers are kept, as many moves end on the same space."""

    def __init__(self, view: RaceView) -> None:
        self._lanes = view.track.lanes
        self._places = {
            space.name: (lane, index)
            for lane, picture in enumerate(self._lanes)
            for index, space in enumerate(picture.spaces)
        }
        self._has_heaps = any(space.has_heap for lane in self._lanes for space in lane.spaces)
        self._needed: dict[tuple[str, int], int] = {}

    def changes_needed(self, space: str | None, steps: int) -> int:
        """Count the fewest lane changes with which a chariot drives so many spaces on and enters no heap."""
        if not self._has_heaps or space is None:
            return 0
        if (space, steps) not in self._needed:
            self._needed[space, steps] = self._search(space, steps)
        return self._needed[space, steps]

    def wreck_percent(self, chariot: ChariotView, space: str, speed: int, *, fate_for_steer: int) -> int:
        """Guess how likely a chariot that stands there at this speed is to be wrecked by a heap in its next turn."""
        missing = self.changes_needed(space, speed + 1) - chariot.fate // fate_for_steer
        if missing <= 0:
            return 0
        dice = sum(speed <= highest for highest in chariot.dice_up_to)
        return min(100, missing * _NO_STEER_PERCENT[dice])

    def _search(self, space: str, steps: int) -> int:
        reached = {self._places[space]: 0}
        for _ in range(steps):
            ahead: dict[tuple[int, int], int] = {}
            for (lane, index), changes in reached.items():
                for other in (lane - 1, lane, lane + 1):
                    if not 0 <= other < len(self._lanes):
                        continue
                    place = other, self._next(lane, index, other)
                    count = changes + (other != lane)
                    if not self._lanes[place[0]].spaces[place[1]].has_heap and count <= CHANGES_MAX:
                        ahead[place] = min(count, ahead.get(place, count))
            reached = ahead
        return min(reached.values(), default=CHANGES_MAX + 1)

    def _next(self, lane: int, index: int, other: int) -> int:
        """Find the first space of a lane whose front border is ahead, on the next lap if need be."""
        picture: LanePicture = self._lanes[other]
        if lane == other:
            return (index + 1) % len(picture.spaces)
        front = self._lanes[lane].spaces[index].end_units
        found = sum(space.end_units <= front for space in picture.spaces)
        return found % len(picture.spaces)


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


def choose(view: RaceView, choices: offers.Choices, numbers: Numbers, *, temper: Temper) -> actions.Action:
    """Answer a decision; `numbers` only choose among equals."""
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
    assert view.turn is not None, "no chariot drives"
    return _find(view, view.turn.chariot)


def list_rivals(view: RaceView, choices: offers.AttackChoices) -> list[offers.Target]:
    """List the targets that are no chariot of one's own or of a mate."""
    driven = _driven(view)
    return [target for target in choices.targets if is_rival(view, driven, _find(view, target.chariot))]


def is_rival(view: RaceView, driven: ChariotView, other: ChariotView) -> bool:
    """Return whether a chariot belongs to another team, or in a race without teams to another seat."""
    seats = (driven.seat, other.seat)
    return driven.seat != other.seat and not any(set(seats) <= set(team.seats) for team in view.teams)


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
        """Add up the damage to others; to one's own second chariot or a mate's it counts against."""
        harm = 0
        for incident in move.incidents:
            if incident.other is not None and incident.other_damage_left is not None:
                other = _find(self._view, incident.other)
                damage = other.damage_left - incident.other_damage_left
                harm += damage if is_rival(self._view, self._driven, other) else -damage
        return harm


def _attack(view: RaceView, choices: offers.AttackChoices) -> actions.Action:
    driven = _driven(view)
    targets = list_rivals(view, choices)
    if targets:
        return actions.ThrowJavelin(chariot=min(targets, key=lambda target: target.damage_left).chariot)
    front = driven.front
    is_followed = any(
        chariot.front is not None and front is not None and chariot.front < front and is_rival(view, driven, chariot)
        for chariot in view.chariots
    )
    return actions.DropCaltrop(space=choices.spaces[-1]) if is_followed and choices.spaces else actions.Pass()
