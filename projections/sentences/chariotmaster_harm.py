"""What befalls chariots of Chariotmaster and those who drive them: collisions, attacks, luck, losses, and on foot."""

from typing import assert_never

from domain.rulesets.chariotmaster.race.aftermath_outcomes import (
    AftermathBegan,
    AftermathOutcome,
    CutLooseTested,
    DriverClimbed,
    DriverLeft,
    DriverStayed,
    DriverWalked,
    GrabTested,
)
from domain.rulesets.chariotmaster.race.outcomes import (
    AttackAnnounced,
    AttackEnded,
    CascadeEnded,
    ChariotCrashed,
    ConditionGained,
    DefenceChosen,
    DefenceOffered,
    DefenceTried,
    DriverDied,
    DriverSetDown,
    HorseDied,
    PieceMoved,
    PiecesCollided,
    PointsLost,
    RollLeft,
    RollModified,
    RollOffered,
    TableRolled,
    WreckDestroyed,
)
from projections.sentences.words import capital, count, enumerate_all, spaced

_UM_PER_MM = 1_000
_DRIVERS_FROM, _WRECKS_FROM = 100, 200
_REASONS = {
    "moved": "drives",
    "pushed": "is pushed",
    "followed": "is drawn along",
    "bounced": "bounces",
    "stumbled": "stumbles",
    "swept": "is swept aside",
    "hurled": "is hurled",
    "aligned": "lines up",
    "pivoted": "turns",
    "whipped": "leaps from the whip",
    "braked": "falls back",
    "evaded": "evades",
    "ran": "runs",
    "swerved": "swerves",
    "walked": "walks",
}
_CONDITIONS = {
    "exhausted": "has exhausted horses",
    "damaged_wheel": "has a damaged wheel",
    "unconscious": "has a driver without senses",
    "out_of_control": "is out of control",
    "fallen": "has a driver who has fallen",
    "no_reins": "has lost its reins",
    "no_knife": "has lost its knife",
    "no_whip": "has lost its whip",
}
_EFFECTS = {
    "back_d3": "back by a d3",
    "back_d6": "back by a d6",
    "sweep_left_d6": "swept to the left",
    "sweep_right_d6": "swept to the right",
}
_MEANS = {
    "ram": "rams",
    "whip_horses": "whips the horses of",
    "whip_driver": "whips the driver of",
    "ram_with_horses": "rams with its horses",
    "bite": "lets its horses bite",
}
_RESULTS = {
    "carried_out": "The attack succeeds.",
    "avoided": "The attack is avoided.",
    "out_of_reach": "The target is out of reach.",
}

_Contact = PieceMoved | PiecesCollided | CascadeEnded | RollOffered | RollModified | RollLeft
_Attack = AttackAnnounced | DefenceOffered | DefenceChosen | DefenceTried | AttackEnded
_Loss = (
    PointsLost
    | TableRolled
    | ConditionGained
    | HorseDied
    | ChariotCrashed
    | DriverSetDown
    | DriverDied
    | WreckDestroyed
)
Harm = _Contact | _Attack | _Loss | AftermathOutcome


def tell_harm(outcome: Harm) -> str:
    if isinstance(outcome, _Contact):
        return _tell_contact(outcome)
    if isinstance(outcome, _Attack):
        return _tell_attack(outcome)
    if isinstance(outcome, _Loss):
        return _tell_loss(outcome)
    return _tell_aftermath(outcome)


def cm(um: int) -> str:
    """Write micrometres as centimetres, to the millimetre."""
    whole, tenths = divmod((um + _UM_PER_MM // 2) // _UM_PER_MM, 10)
    return f"{whole}.{tenths}" if tenths else f"{whole}"


def tell_roll(face: int, *, modifier: int) -> str:
    sign = "+" if modifier > 0 else "\u2212"
    return f"{face} {sign} {abs(modifier)}" if modifier else f"{face}"


def _tell_contact(outcome: _Contact) -> str:
    match outcome:
        case PieceMoved():
            return _tell_move(outcome)
        case PiecesCollided():
            return _tell_collision(outcome)
        case CascadeEnded(collisions=collisions):
            return f"After {count(collisions, 'collision')} everything comes to rest."
        case RollOffered(chariot=chariot, faces=faces):
            return f"Chariot {chariot} may change a roll of {enumerate_all(faces)}."
        case RollModified(chariot=chariot, face=face):
            return f"By luck, a die of chariot {chariot} shows {face}."
        case RollLeft(chariot=chariot):
            return f"Chariot {chariot} lets the roll be."
        case _:
            assert_never(outcome)


def _tell_attack(outcome: _Attack) -> str:
    match outcome:
        case AttackAnnounced(chariot=chariot, target=target, part=part, means=means):
            return f"Chariot {chariot} {_MEANS[means]} {_piece(target)}: the {part}."
        case DefenceOffered(chariot=chariot):
            return f"Chariot {chariot} may brake or evade."
        case DefenceChosen(chariot=chariot, means=means):
            return f"Chariot {chariot} {f'tries to {means}' if means else 'lets the attack come'}."
        case DefenceTried(chariot=chariot, means=means, face=face, modifier=modifier, is_passed=is_passed):
            tried = "shies" if face is None else f"rolls {tell_roll(face, modifier=modifier)} to {means}"
            return f"Chariot {chariot} {tried}, and {'gets away' if is_passed else 'does not get away'}."
        case AttackEnded(result=result):
            return _RESULTS[result]
        case _:
            assert_never(outcome)


def _tell_loss(outcome: _Loss) -> str:
    match outcome:
        case PointsLost(chariot=chariot, kind=kind, left=left):
            return f"Chariot {chariot} loses a point of {kind}; {left or 'none'} left."
        case TableRolled():
            return _tell_table(outcome)
        case ConditionGained(chariot=chariot, condition=condition, turn_ends=turn_ends):
            which = "its turn" if turn_ends == 1 else "its next turn"
            return f"Chariot {chariot} {_CONDITIONS[condition]}{f', until the end of {which}' if turn_ends else ''}."
        case HorseDied(chariot=chariot, horses_left=left):
            return f"A horse of chariot {chariot} drops dead; {left or 'none'} left."
        case ChariotCrashed(chariot=chariot, is_driver_dragged=is_dragged):
            return f"Chariot {chariot} crashes{'; its driver is dragged by the horses' if is_dragged else ''}."
        case DriverSetDown(chariot=chariot):
            return f"The driver of chariot {chariot} is on foot."
        case DriverDied(chariot=chariot):
            return f"The driver of chariot {chariot} is dead."
        case WreckDestroyed(chariot=chariot):
            return f"The wreck of chariot {chariot} is gone."
        case _:
            assert_never(outcome)


def _tell_aftermath(outcome: AftermathOutcome) -> str:
    driver = f"The driver of chariot {outcome.chariot}"
    match outcome:
        case AftermathBegan(chariot=chariot):
            return f"Chariot {chariot} has moved; now its driver acts."
        case DriverWalked(distance_um=distance):
            return f"{driver} {f'walks {cm(distance)} cm' if distance else 'stays where he is'}."
        case GrabTested(aim=aim, face=face, modifier=modifier, is_passed=is_passed):
            came_of_it = "and gets there" if is_passed else "in vain"
            return f"{driver} reaches for the {spaced(aim)} with a {tell_roll(face, modifier=modifier)} {came_of_it}."
        case CutLooseTested(is_passed=is_passed):
            return f"{driver} {'cuts himself loose' if is_passed else 'cannot cut himself loose'}."
        case DriverClimbed(aim=aim):
            return f"{driver} climbs on the shaft, for the {spaced(aim)}."
        case DriverStayed(declined=declined):
            return f"{driver} {'stays in the body' if declined == 'climb' else 'holds on to the reins'}."
        case DriverLeft():
            return f"{driver} has left the track on foot."
        case _:
            assert_never(outcome)


def _tell_move(told: PieceMoved) -> str:
    turned = (told.after.heading - told.before.heading + 540) % 360 - 180
    way = f" {cm(told.distance_um)} cm" if told.distance_um else ""
    side = "left" if turned > 0 else "right"
    turn = f"{',' if way else ''} by {abs(turned)}° to the {side}" if turned else ""
    return f"{capital(_piece(told.piece))} {_REASONS[told.reason]}{way}{turn}."


def _tell_collision(told: PiecesCollided) -> str:
    how = "rams" if told.is_ram else "runs into"
    part = "" if told.target < 0 else f", its {told.target_part}{_rolled(told.target_faces)}"
    initiator = f"{capital(_piece(told.initiator))}, its {told.initiator_part}{_rolled(told.initiator_faces)}"
    return f"{initiator}, {how} {_piece(told.target)}{part}."


def _tell_table(told: TableRolled) -> str:
    roll = f"{told.face}{f' + {told.modifier}' if told.modifier else ''}"
    meaning = enumerate_all(_EFFECTS.get(each, spaced(each)) for each in told.effects) or "nothing"
    without = f"Chariot {told.chariot} has no {told.kind} left"
    return f"{without}: {roll} on the table of {spaced(told.table)} means {meaning}."


def _rolled(faces: tuple[int, ...]) -> str:
    return f" with {enumerate_all(faces)}" if faces else ""


def _piece(piece: int) -> str:
    """Name what stands on the table, in the middle of a sentence."""
    if piece < 0:
        return "a wall"
    chariot = f"chariot {piece % _DRIVERS_FROM}"
    if piece >= _WRECKS_FROM:
        return f"the wreck of {chariot}"
    return f"the driver of {chariot}" if piece >= _DRIVERS_FROM else chariot
