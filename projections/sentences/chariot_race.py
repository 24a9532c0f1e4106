"""The story of Chariot Race in plain sentences. A chariot is told by its colour."""

from collections.abc import Mapping
from typing import assert_never

from domain.rulesets.chariot_race.outcomes import (
    BoardChosen,
    CaltropDropped,
    CaltropHit,
    ChariotMoved,
    ChariotPlaced,
    ChariotRammed,
    ChariotRepaired,
    ChariotSetBack,
    ChariotWrecked,
    CornerTaken,
    DiceKept,
    DiceSettled,
    DiceThrown,
    DieTurned,
    FirstChooserDrawn,
    FortunaFavoured,
    HeapStruck,
    JavelinThrown,
    LapCompleted,
    LapUndone,
    MoveEnded,
    Outcome,
    RaceEnded,
    RoundBegan,
    SeatWithdrawn,
    SpeedAdjusted,
    SpeedSet,
    StartOrderDrawn,
    TurnBegan,
    TurnEnded,
    WithdrawalAnnounced,
)
from projections.sentences.words import Weight, capital, count, enumerate_all, seat_of, seats_of

_FACES = {"plus_minus": "±", "sprint": "sprint", "steer": "steer", "attack": "attack", "fortuna": "Fortuna"}
_RACE_ENDS = {
    "finished": "somebody has finished and the round is complete",
    "no_chariot_left": "no chariot is left",
    "rounds_max": "the last round is over",
    "one_seat_left": "one seat is left",
}
_WRECKS = {
    "sprint": "from sprinting",
    "corner": "in the corner",
    "caltrop": "on a caltrop",
    "ram": "in a ram",
    "heap": "on a heap of stones",
    "javelin": "by a javelin",
}
_THROWS = {"first": "throws", "free": "throws again, for free,", "paid": "pays fate to throw again"}

# What is most worth reading, and what the next line tells better.
MARKS: Mapping[str, Weight] = {"round_began": "turn", "lap_completed": "lap", "race_ended": "end"}
QUIET = frozenset({"dice_thrown", "move_ended", "turn_ended"})

_OfTable = (
    StartOrderDrawn | FirstChooserDrawn | BoardChosen | RoundBegan | WithdrawalAnnounced | SeatWithdrawn | RaceEnded
)
_OfDice = DiceThrown | DiceKept | DieTurned | DiceSettled | FortunaFavoured


def tell(outcome: Outcome) -> str:
    if isinstance(outcome, _OfTable):
        return _tell_table(outcome)
    if isinstance(outcome, _OfDice):
        return _tell_dice(outcome)
    return _tell_chariot(outcome)


def _tell_table(outcome: _OfTable) -> str:
    match outcome:
        case StartOrderDrawn(seats=seats):
            return f"The lot decides who starts where: {seats_of(seats)}."
        case FirstChooserDrawn(seat=seat):
            return f"{seat_of(seat)} chooses first."
        case BoardChosen(seat=seat, chariot=chariot, damage_left=left, speed=speed, fate=fate):
            return f"{seat_of(seat)} takes {chariot}: damage {left}, speed {speed}, fate {fate}."
        case RoundBegan(round=number, order=order):
            return f"Round {number}, in the order {enumerate_all(order)}."
        case WithdrawalAnnounced(seat=seat):
            return f"{seat_of(seat)} gives up and leaves at the end of this turn."
        case SeatWithdrawn(seat=seat, chariots=chariots):
            return f"{seat_of(seat)} leaves the track with {enumerate_all(chariots)}."
        case RaceEnded(reason=reason, finishers=finishers):
            crossed = f"{capital(enumerate_all(finishers))} crossed the line." if finishers else _NOBODY
            return f"The race is over: {_RACE_ENDS[reason]}. {crossed}"
        case _:
            assert_never(outcome)


_NOBODY = "Nobody crossed the line."


def _tell_dice(outcome: _OfDice) -> str:
    name = capital(outcome.chariot)
    match outcome:
        case DiceThrown(throw=throw, dice=dice):
            return f"{name} {_THROWS[throw]} {count(len(dice), 'die', 'dice')}."
        case DiceKept():
            return f"{name} keeps its dice."
        case DieTurned(face=face, fate=fate):
            return f"{name} pays to turn a die to {_FACES[face]}; {fate} fate left."
        case DiceSettled(faces=faces):
            has = f"has {enumerate_all(_FACES[each] for each in faces)}" if faces else "drives without dice"
            return f"{name} {has}."
        case FortunaFavoured(chariot=chariot, fate=fate):
            return f"Fortuna smiles on {chariot}: fate {fate}."
        case _:
            assert_never(outcome)


_OfDamage = SpeedAdjusted | SpeedSet | CornerTaken | CaltropHit | HeapStruck | ChariotRammed | JavelinThrown


def _tell_chariot(
    outcome: _OfDamage
    | ChariotPlaced
    | TurnBegan
    | ChariotRepaired
    | ChariotMoved
    | ChariotSetBack
    | ChariotWrecked
    | LapCompleted
    | LapUndone
    | MoveEnded
    | CaltropDropped
    | TurnEnded,
) -> str:
    name = capital(outcome.chariot)
    match outcome:
        case ChariotPlaced(place=place, space=space):
            return f"{name} takes grid place {place}, on {space}."
        case TurnBegan(seat=seat):
            return f"{name}'s turn, driven by seat {seat}."
        case ChariotRepaired(repaired=repaired, damage_left=left, fate=fate):
            return f"{name} repairs {repaired}, now {left} from being wrecked, and has {fate} fate left."
        case ChariotMoved(path=path):
            return f"{name} drives {count(len(path), 'space')} to {path[-1]}."
        case ChariotSetBack(behind=behind, space=space):
            return f"{name} is set back behind {behind}, to {space}."
        case ChariotWrecked(cause=cause, space=space, caltrop=leaves_caltrop):
            left_there = "; what is left lies there as a caltrop" if leaves_caltrop else ""
            return f"{name} is wrecked {_WRECKS[cause]} on {space}{left_there}."
        case LapCompleted(laps=laps):
            return f"{name} completes lap {laps}."
        case LapUndone(laps=laps):
            return f"{name} is pushed back over the line; its laps count {laps} again."
        case MoveEnded(space=space, attacks=attacks):
            may = f" and may attack {count(attacks, 'time')}" if attacks else ""
            return f"{name} stands on {space}{may}."
        case CaltropDropped(space=space):
            return f"{name} drops a caltrop on {space}."
        case TurnEnded():
            return f"{name}'s turn is over."
        case _:
            return _tell_damage(name, outcome)


def _tell_damage(name: str, outcome: _OfDamage) -> str:
    match outcome:
        case SpeedAdjusted(speed_before=before, speed=speed):
            return f"{name} is too damaged for speed {before} and slows to {speed}."
        case SpeedSet():
            return f"{name} drives at speed {outcome.speed}{_changes(outcome)}{_cost(outcome)}."
        case CornerTaken(speed=speed, limit=limit, damage=damage, damage_left=left):
            return f"{name} takes the corner at {speed}, limit {limit}: {_loses(damage, left=left)}."
        case CaltropHit(damage=damage, damage_left=left):
            return f"{name} drives over a caltrop: {_loses(damage, left=left)}."
        case HeapStruck(space=space):
            return f"{name} crashes into a heap of stones on {space}."
        case ChariotRammed(rammed=rammed, damage=damage, damage_left=left):
            other_loses = _loses(outcome.rammed_damage, left=outcome.rammed_damage_left)
            other = other_loses if outcome.rammed_damage else "is safe"
            return f"{name} rams {rammed}: {_loses(damage, left=left)}; {rammed} {other}."
        case JavelinThrown(target=target, distance=distance, damage=damage, target_damage_left=left):
            hit = f"hits {target} with a javelin from {count(distance, 'space')} away"
            return f"{name} {hit}: {target} {_loses(damage, left=left)}."
        case _:
            assert_never(outcome)


def _loses(damage: int, *, left: int) -> str:
    return f"loses {damage}, {left} left"


def _changes(told: SpeedSet) -> str:
    changes = [
        f"+{told.pluses}" if told.pluses else "",
        f"\u2212{told.minuses}" if told.minuses else "",
        count(told.sprints, "sprint") if told.sprints else "",
    ]
    why = ", ".join(each for each in changes if each)
    return f" (from {told.speed_before}: {why})" if why else ""


def _cost(told: SpeedSet) -> str:
    return f"; {_loses(told.damage, left=told.damage_left)}" if told.damage else ""
