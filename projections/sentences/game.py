"""The story of any game in plain sentences: who comes and goes, chance, and how it ends."""

from typing import assert_never

from domain.chance import DeckShuffled, DiceRolled
from domain.game.events import (
    ActionDefaulted,
    ActionForfeited,
    ActionPlayed,
    ActionRevealed,
    ActionSealed,
    ClockExpired,
    ClockExtended,
    DecisionAsked,
    GameAborted,
    GameFinished,
    GameOpened,
    GameStarted,
    InputEvent,
    OutcomeEvent,
    SeatLeft,
    SeatReadied,
    SeatRemoved,
    SeatResigned,
    SeatTaken,
)
from domain.log.events import OpeningWitnessed, SecretDisclosed
from projections.sentences.words import capital, count, enumerate_all, seat_of, seats_of, spaced

_FORFEITS = {"illegal": "what was opened breaks the rules", "unrevealed": "it was not opened in time"}

# What only the curious want to read.
QUIET = frozenset(
    {
        "opening_witnessed",
        "seat_readied",
        "action_sealed",
        "action_revealed",
        "action_played",
        "dice_rolled",
        "deck_shuffled",
        "decision_asked",
    }
)


def tell_input(event: InputEvent) -> str:
    match event:
        case GameOpened(seats=seats):
            return f"The game is opened for {count(seats, 'seat')}."
        case OpeningWitnessed():
            return "Witnesses have signed the opening of the game."
        case SeatTaken(seat=seat):
            return f"{seat_of(seat)} is taken."
        case SeatLeft(seat=seat):
            return f"{seat_of(seat)} is free again."
        case SeatReadied(seat=seat):
            return f"{seat_of(seat)} is ready."
        case ActionSealed(seat=seat):
            return f"{seat_of(seat)} has chosen, and sealed it."
        case ActionRevealed(seat=seat):
            return f"{seat_of(seat)} opens what it sealed."
        case ActionPlayed(seat=seat):
            return f"{seat_of(seat)} has decided."
        case ClockExpired(seat=seat):
            return f"The time of seat {seat} is up."
        case ClockExtended(seats=given, reason=reason):
            return f"More time for {seats_of(given)}: {reason}"
        case SeatRemoved(seat=seat, reason=reason):
            return f"{seat_of(seat)} is removed from the game: {reason}"
        case SeatResigned(seat=seat):
            return f"{seat_of(seat)} gives up."
        case GameAborted(reason=reason):
            return f"The game is aborted: {reason}"
        case _:
            assert_never(event)


def tell_outcome(event: OutcomeEvent) -> str:
    match event:
        case GameStarted(seats=seats):
            return f"The game begins, with {count(len(seats), 'seat')}."
        case DiceRolled(faces=faces):
            return f"{'A die shows' if len(faces) == 1 else 'Dice show'} {enumerate_all(faces)}."
        case DeckShuffled(deck=deck, size=size):
            return f"{capital(spaced(deck))}: {count(size, 'piece')} shuffled."
        case DecisionAsked(seat=seat):
            return f"{seat_of(seat)} must answer before it goes on."
        case ActionDefaulted(seat=seat):
            return f"The rules decide for seat {seat}."
        case ActionForfeited(seat=seat, reason=why):
            return f"{seat_of(seat)} forfeits: {_FORFEITS[why]}."
        case GameFinished(ranking=ranking):
            begin = "Final order" if any(each.place == 1 for each in ranking) else "Nobody won. Final order"
            return f"{begin}: {enumerate_all(f'{each.place}. seat {each.seat}' for each in ranking)}."
        case SecretDisclosed():
            return "The server discloses its secret: everyone can now check every roll and every shuffle."
        case _:
            assert_never(event)
