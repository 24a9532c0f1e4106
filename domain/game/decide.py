"""Deciding: a command and the folded game in, lines or a named rejection out. Nothing is changed, nothing is read.

A command becomes one input, or several when the last seal or reveal lets the server reveal what it has in custody.
"""

from typing import assert_never

from domain.game.actions import parse_action
from domain.game.admission import Input
from domain.game.commands import (
    AbortGame,
    EntrustAction,
    ExpireClock,
    ExtendClock,
    GameCommand,
    LeaveSeat,
    PlayAction,
    ReadySeat,
    RemoveSeat,
    Resign,
    RevealAction,
    SealAction,
    TakeSeat,
    WitnessOpening,
)
from domain.game.custody import answer, entrust, reveal_for_seats
from domain.game.enact import Decided, enact
from domain.game.events import (
    ActionPlayed,
    ActionRevealed,
    ActionSealed,
    ClockExpired,
    ClockExtended,
    GameAborted,
    InputEvent,
    SeatLeft,
    SeatReadied,
    SeatRemoved,
    SeatResigned,
    SeatTaken,
)
from domain.game.rejections import NotYourSeat
from domain.game.seating import require_held
from domain.game.state import Game
from domain.log.actors import ByPlayer, name_actor
from domain.log.events import OpeningWitnessed
from domain.log.fields import check_fields
from domain.seal import seal_action


def decide(game: Game, command: GameCommand) -> Decided:
    """Decide one command on a settled game, or raise the Rejection that says why not."""
    assert game.is_settled, "decided on a game in the middle of a command"
    check_fields(command)
    match command:
        case EntrustAction():
            decided = entrust(game, command, _as_input(game, command))
        case PlayAction() | RevealAction():
            decided = answer(game, command, _as_input(game, command))
        case _:
            decided = enact(game, _as_input(game, command))
    return reveal_for_seats(decided)


def _as_input(game: Game, command: GameCommand) -> Input:
    return Input(
        event=_event_of(game, command),
        by=_author(game, command),
        at_ms=command.at_ms,
        command=command.id,
        sig=command.sig,
    )


def _event_of(game: Game, command: GameCommand) -> InputEvent:
    match command:
        case WitnessOpening(proof=proof):
            return OpeningWitnessed(proof=proof)
        case TakeSeat(seat=seat, anchor=anchor, links=links, key=key):
            if not isinstance(command.actor, ByPlayer):
                raise NotYourSeat(expected="a player", found=name_actor(command.actor))
            return SeatTaken(seat=seat, player=command.actor.player, anchor=anchor, links=links, key=key)
        case LeaveSeat(seat=seat):
            return SeatLeft(seat=seat)
        case ReadySeat(seat=seat, nonce=nonce):
            return SeatReadied(seat=seat, nonce=nonce)
        case SealAction(seat=seat, decision=decision, seal=seal):
            return ActionSealed(seat=seat, decision=decision, seal=seal)
        case EntrustAction(seat=seat, decision=decision):
            return ActionSealed(seat=seat, decision=decision, seal=_seal_of(game, command))
        case RevealAction(seat=seat, decision=decision, action=action, salt=salt, nonce=nonce):
            return ActionRevealed(seat=seat, decision=decision, action=parse_action(action), salt=salt, nonce=nonce)
        case PlayAction(seat=seat, decision=decision, action=action, nonce=nonce):
            return ActionPlayed(seat=seat, decision=decision, action=parse_action(action), nonce=nonce)
        case ExpireClock(seat=seat, decision=decision):
            return ClockExpired(seat=seat, decision=decision)
        case ExtendClock(seats=seats, ms=ms, reason=reason):
            return ClockExtended(seats=seats, ms=ms, reason=reason)
        case RemoveSeat(seat=seat, reason=reason):
            return SeatRemoved(seat=seat, reason=reason)
        case Resign(seat=seat):
            return SeatResigned(seat=seat)
        case AbortGame(reason=reason):
            return GameAborted(reason=reason)
        case _:
            assert_never(command)


def _author(game: Game, command: GameCommand) -> str:
    """Return the line's `by`: a player acts as the seat it holds, and as no other."""
    if isinstance(command, TakeSeat):
        return f"seat:{command.seat}"
    if not isinstance(command.actor, ByPlayer):
        return name_actor(command.actor)
    seat = getattr(command, "seat", None)
    if seat is None or isinstance(command, RemoveSeat | ExpireClock):
        return name_actor(command.actor)
    held = require_held(game, seat)
    if held.player != command.actor.player:
        raise NotYourSeat(expected=f"the player of seat {seat}", found=name_actor(command.actor))
    return f"seat:{seat}"


def _seal_of(game: Game, command: EntrustAction) -> str:
    parse_action(command.action)
    return seal_action(
        game=game.id, seat=command.seat, decision=command.decision, salt=command.salt, action=command.action
    )
