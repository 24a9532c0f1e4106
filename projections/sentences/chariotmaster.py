"""The story of Chariotmaster in plain sentences: the race, its game turns, and what a chariot does in its own."""

from collections.abc import Mapping
from typing import assert_never

from domain.rulesets.chariotmaster.race.mug_outcomes import (
    ChariotDrawn,
    ChariotPlaced,
    DrawnOutcome,
    MugClosed,
    MugFilled,
    TokenForfeited,
    TokenLapsed,
    TokenShown,
)
from domain.rulesets.chariotmaster.race.outcomes import (
    Outcome,
    SpeedChanged,
    SubMoveMade,
    SubMoveTested,
    TokenLost,
    TokenReplaced,
    TurnBegan,
    TurnClosed,
    TurnEnded,
)
from domain.rulesets.chariotmaster.race.race_outcomes import (
    BuildsClosed,
    ChariotBuilt,
    ChariotFinished,
    CrossingVoided,
    LapCompleted,
    LineCrossed,
    RaceEnded,
    RaceOutcome,
    SeatWithdrawn,
    WithdrawalAnnounced,
)
from projections.sentences.chariotmaster_harm import Harm, cm, tell_harm, tell_roll
from projections.sentences.words import Weight, count, enumerate_all, seat_of, spaced

_TURN_ENDS = {
    "stopped": "stops",
    "maximum": "has gone as far as it may",
    "u_turn": "has turned round",
    "skid": "has skidded",
    "collision": "is held up by a collision",
    "bounce": "has bounced off",
    "control_lost": "is out of control",
    "forfeit": "may not go on",
    "ran_on": "has run on",
    "no_team": "has no team any more",
}
_SPEEDS = {"brake": "brakes", "spur": "spurs its horses", "whip": "whips its horses"}
_RACE_ENDS = {
    "places_taken": "every place is taken",
    "one_left": "one chariot is left",
    "none_left": "nobody is left on the track",
    "turn_limit": "the last game turn is over",
    "one_seat_left": "one seat is left",
}

# What is most worth reading, and what another line tells better.
MARKS: Mapping[str, Weight] = {"mug_filled": "turn", "lap_completed": "lap", "race_ended": "end"}
QUIET = frozenset(
    {
        "mug_closed",
        "chariot_drawn",
        "sub_move_made",
        "turn_closed",
        "aftermath_began",
        "roll_left",
        "defence_offered",
    }
)

_Driving = TurnBegan | SpeedChanged | TokenReplaced | TokenLost | SubMoveTested | SubMoveMade | TurnEnded | TurnClosed


def tell(outcome: Outcome) -> str:
    if isinstance(outcome, RaceOutcome):
        return _tell_race(outcome)
    if isinstance(outcome, DrawnOutcome):
        return _tell_drawn(outcome)
    if isinstance(outcome, _Driving):
        return _tell_driving(outcome)
    assert isinstance(outcome, Harm), outcome
    return tell_harm(outcome)


def _tell_race(outcome: RaceOutcome) -> str:
    match outcome:
        case BuildsClosed(chariots=chariots):
            return f"All have built: {count(len(chariots), 'chariot')} will race."
        case ChariotBuilt(chariot=chariot, race=race, equipment=equipment):
            built = f" for the race {race}" if race else ""
            return f"Chariot {chariot} is built{built}: {enumerate_all(spaced(each) for each in equipment)}."
        case LapCompleted(chariot=chariot, lap=lap):
            return f"Chariot {chariot} completes lap {lap}."
        case LineCrossed(chariot=chariot, is_dragged=is_dragged):
            return f"Chariot {chariot} crosses the line{', its driver behind the horses' if is_dragged else ''}."
        case ChariotFinished(chariot=chariot, place=place):
            return f"Chariot {chariot} finishes in place {place}."
        case CrossingVoided(chariot=chariot):
            return f"The driver of chariot {chariot} did not live to finish."
        case WithdrawalAnnounced(seat=seat):
            return f"{seat_of(seat)} gives up and leaves after this turn."
        case SeatWithdrawn(seat=seat, chariots=chariots):
            taken = f" with {enumerate_all(f'chariot {each}' for each in chariots)}" if chariots else ""
            return f"{seat_of(seat)} leaves the track{taken}."
        case RaceEnded(reason=reason):
            return f"The race is over: {_RACE_ENDS[reason]}."
        case _:
            assert_never(outcome)


def _tell_drawn(outcome: DrawnOutcome) -> str:
    match outcome:
        case ChariotPlaced(chariot=chariot, row=row, place=place, extra_stamina=extra):
            more = f", with {extra} stamina more" if extra else ""
            return f"Chariot {chariot} starts in row {row + 1}, place {place + 1}{more}."
        case MugFilled(game_turn=game_turn, slips=slips):
            put_in = count(len(slips), "chariot puts", "chariots put")
            return f"Game turn {game_turn}: {put_in} a token into the mug."
        case MugClosed():
            return "Every token is in the mug."
        case ChariotDrawn(chariot=chariot):
            return f"Chariot {chariot} is drawn from the mug."
        case TokenShown(chariot=chariot, put_in=put_in_token, token=token):
            counting = "" if token == put_in_token else f", which counts as a {token}"
            return f"Chariot {chariot} shows a {put_in_token}{counting}."
        case TokenLapsed(chariot=chariot, token=token):
            return f"Chariot {chariot} is out of control and runs by its {token}; its token in the mug stays unseen."
        case TokenForfeited(chariot=chariot):
            return f"Chariot {chariot} shows no token that counts, and is halted."
        case _:
            assert_never(outcome)


def _tell_driving(outcome: _Driving) -> str:
    name = f"Chariot {outcome.chariot}"
    match outcome:
        case TurnBegan(is_driven=is_driven, min_um=least, max_um=most):
            how = "may drive" if is_driven else "runs without being driven"
            return f"{name} {how}, {cm(least)} to {cm(most)} cm."
        case SpeedChanged(change=change, face=face, min_um=least, max_um=most):
            return f"{name} {_SPEEDS[change]} with a {face}: {cm(least)} to {cm(most)} cm now."
        case TokenReplaced(token=token, min_um=least, max_um=most):
            return f"{name} goes on by the token {token}, {cm(least)} to {cm(most)} cm."
        case TokenLost(token=token):
            return f"{name} loses its token {token} for good."
        case SubMoveTested(face=face, modifier=modifier, is_passed=is_passed):
            came_of_it = "and makes it" if is_passed else "and skids"
            return f"{name} dares another turn with a {tell_roll(face, modifier=modifier)} {came_of_it}."
        case SubMoveMade(travelled_um=travelled):
            return f"{name} has come {cm(travelled)} cm."
        case TurnEnded(reason=reason):
            return f"{name} {_TURN_ENDS[reason]}."
        case TurnClosed(chariot=chariot):
            return f"The turn of chariot {chariot} is over."
        case _:
            assert_never(outcome)
