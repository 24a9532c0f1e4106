"""The story of Charioteer in plain sentences. Cards thrown away face down are counted, never named."""

from collections.abc import Mapping, Sequence
from typing import assert_never

from domain.rulesets.charioteer.outcomes import (
    BoxesClosed,
    CardsDrawn,
    CardShown,
    ChariotCalmed,
    ChariotMoved,
    ChariotWithdrawn,
    CrowdCardDealt,
    CrowdCardsSlid,
    DamageRecovered,
    DamageTaken,
    DistanceReckoned,
    FanTokenEarned,
    FirstPlayerChosen,
    LapCompleted,
    LapCounterTurned,
    MoveForfeited,
    MoveRevealed,
    MovesClosed,
    Outcome,
    RaceEnded,
    ResetRevealed,
    SkillAdvanced,
    SkillsCardDrawn,
    TableCleared,
    TurnBegan,
    WhipUsed,
)
from projections.sentences.words import Weight, count, enumerate_all, seat_of

_EMPEROR = {
    "sprint": "wishes for sprints (green)",
    "attack": "wishes for attacks (red)",
    "recover": "wishes for recovery (yellow)",
    "corner": "wishes for corners (black)",
    "all": "wishes for everything",
    "disrupt": "disrupts the race",
}
_CAUSES = {
    "emperor": "from the emperor",
    "minor_attack": "from a minor attack",
    "major_attack": "from a major attack",
}
_IGNORED = {"boxes_full": "its boxes are full", "shield": "it has a shield", "reset": "it calms its horses"}
_WHIP_ENDS = {
    "spent": "the steps are spent",
    "rival_ahead": "a rival is ahead",
    "is_leading": "it leads",
    "has_passed": "it has passed a rival",
    "first_turn": "the whip does nothing in the first turn",
}
_RACE_ENDS = {
    "line_crossed": "the line is crossed",
    "turns_max": "the last turn is over",
    "last_seat": "one seat is left",
}

# What is most worth reading, and what the next line tells better.
MARKS: Mapping[str, Weight] = {"turn_began": "turn", "lap_completed": "lap", "race_ended": "end"}
QUIET = frozenset({"cards_drawn", "moves_closed", "crowd_cards_slid", "table_cleared"})

_Preparing = (
    CardsDrawn
    | CrowdCardDealt
    | CrowdCardsSlid
    | SkillsCardDrawn
    | FirstPlayerChosen
    | TurnBegan
    | MovesClosed
    | LapCounterTurned
    | TableCleared
    | ChariotWithdrawn
    | RaceEnded
)


def tell(outcome: Outcome) -> str:
    return _tell_table(outcome) if isinstance(outcome, _Preparing) else _tell_chariot(outcome)


def _tell_table(outcome: _Preparing) -> str:
    match outcome:
        case CardsDrawn(seat=seat, draws=draws):
            return f"{seat_of(seat)} draws {count(len(draws), 'card')}."
        case CrowdCardDealt(card=card):
            return f"The crowd shows {card}."
        case CrowdCardsSlid():
            return "The crowd's first card goes, the others move up."
        case SkillsCardDrawn(seat=seat, order=order):
            return f"{seat_of(seat)} is best at {order[0]}, then {enumerate_all(order[1:])}."
        case FirstPlayerChosen(seat=seat):
            return f"{seat_of(seat)} is the first player."
        case TurnBegan(turn=turn, emperor=emperor):
            return f"Turn {turn}: the emperor {_EMPEROR[emperor]}."
        case MovesClosed():
            return "All have chosen; now all must open."
        case LapCounterTurned(lap=lap):
            return f"Lap {lap} begins."
        case TableCleared(turn=turn):
            return f"Turn {turn} is over; the table is cleared."
        case ChariotWithdrawn(seat=seat):
            return f"The chariot of seat {seat} leaves the race."
        case RaceEnded(reason=reason, order=order):
            return f"The race is over: {_RACE_ENDS[reason]}. {seat_of(order[0])} is in front."
        case _:
            assert_never(outcome)


def _tell_chariot(
    outcome: DamageTaken
    | MoveRevealed
    | ResetRevealed
    | MoveForfeited
    | BoxesClosed
    | ChariotCalmed
    | DamageRecovered
    | DistanceReckoned
    | ChariotMoved
    | WhipUsed
    | LapCompleted
    | SkillAdvanced
    | FanTokenEarned,
) -> str:
    match outcome:
        case DamageTaken():
            return _tell_damage(outcome)
        case MoveRevealed():
            return _tell_move(outcome)
        case ResetRevealed(seat=seat, cards=shown, discarded=discarded):
            return f"{seat_of(seat)} stands still to calm its horses, with {_cards(shown)}{_stack(discarded)}."
        case MoveForfeited(seat=seat, discarded=discarded, tokens=tokens):
            lost = f" and {enumerate_all(each.token for each in tokens)}" if tokens else ""
            return f"{seat_of(seat)} stands still: it loses {count(len(discarded), 'card')}{lost}."
        case BoxesClosed(seat=seat, reason=reason, removed=removed):
            closed = "raises a shield" if reason == "shield" else "closes its attack boxes"
            return f"{seat_of(seat)} {closed}{f' and is rid of {count(removed, _CUBE)}' if removed else ''}."
        case ChariotCalmed(seat=seat, removed=removed):
            return f"{seat_of(seat)} clears its damage box of {count(removed, _CUBE)}."
        case DamageRecovered(seat=seat, removed=removed, left=left):
            return f"{seat_of(seat)} recovers from {count(removed, _CUBE)} of damage; {left or 'none'} left."
        case DistanceReckoned():
            return f"{seat_of(outcome.seat)} goes {outcome.distance}: {_sum(outcome)}."
        case ChariotMoved():
            return _tell_way(outcome)
        case WhipUsed(seat=seat, whips=whips, entered=entered, steps_max=steps_max, ended_by=ended_by):
            used = f"{count(whips, 'whip')} for {len(entered)} of {count(steps_max, 'step')}"
            return f"{seat_of(seat)} uses {used}: {_WHIP_ENDS[ended_by]}."
        case LapCompleted(seat=seat, lap=lap):
            return f"{seat_of(seat)} completes lap {lap}."
        case SkillAdvanced():
            return _tell_skill(outcome)
        case FanTokenEarned(seat=seat, symbols=symbols, fan_token=None):
            return f"{seat_of(seat)} pleases the fans with {symbols} symbols, but their bag is empty."
        case FanTokenEarned(seat=seat, symbols=symbols):
            return f"{seat_of(seat)} earns a fan token for {symbols} symbols."
        case _:
            assert_never(outcome)


_CUBE = "cube"


def _tell_damage(told: DamageTaken) -> str:
    by = "" if told.attacker is None else f" by seat {told.attacker}"
    cubes = count(told.cubes, _CUBE) if told.cubes else "no cube"
    taken = f"{seat_of(told.seat)} takes {cubes} {_CAUSES[told.cause]}{by}"
    if not told.ignored or told.ignored_because is None:
        return f"{taken}."
    return f"{taken}; {told.ignored} ignored, as {_IGNORED[told.ignored_because]}."


def _tell_move(told: MoveRevealed) -> str:
    crowd = " and the crowd's card" if told.crowd_card else ""
    token = f", with the token {told.token}" if told.token else ""
    played = f"plays {told.symbol} with {_cards(told.cards)}{crowd}{token}"
    return f"{seat_of(told.seat)} {played}{_stack(told.discarded)}."


def _stack(discarded: Sequence[int]) -> str:
    return f"; {count(len(discarded), 'card')} thrown away unseen" if discarded else ""


def _cards(shown: Sequence[CardShown]) -> str:
    return enumerate_all(f"“{each.card}”" for each in shown) if shown else "no card"


def _sum(told: DistanceReckoned) -> str:
    parts = [f"{count(told.symbols, 'symbol')} + {told.number} of {told.symbol}"]
    if told.token:
        parts.append(f" + {told.token} token")
    if told.skill:
        parts.append(f" + {told.skill} skill")
    if told.damage:
        parts.append(f" \u2212 {told.damage} damage")
    return "".join(parts)


def _tell_way(told: ChariotMoved) -> str:
    way = f"enters {count(len(told.entered), 'space')}" if told.entered else "stays where it is"
    if not told.passed:
        return f"{seat_of(told.seat)} {way}."
    paid = sum(each.price for each in told.passed)
    rivals = enumerate_all(dict.fromkeys(f"seat {each.rival}" for each in told.passed))
    return f"{seat_of(told.seat)} {way} and passes {rivals}, which costs {paid or 'nothing'}."


def _tell_skill(told: SkillAdvanced) -> str:
    steps = [f"{number} {source}" for source, number in _steps(told) if number]
    reasons = f" ({', '.join(steps)})" if steps else ""
    skill = f"its {told.colour} skill to place {told.place}, bonus {told.bonus}"
    return f"{seat_of(told.seat)} advances {skill}{reasons}."


def _steps(told: SkillAdvanced) -> tuple[tuple[str, int], ...]:
    return ("move", told.move), ("emperor", told.emperor), ("learning", told.learning)
