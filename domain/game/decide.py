"""Deciding: a command and the folded game in, lines or a named rejection out. Nothing is changed, nothing is read.

A command becomes one input, or several when the last seal or reveal lets the server reveal its entrusted actions.
"""

from domain.canonical import encode
from domain.game.commands import GameCommand
from domain.game.custody import answer, entrust, reveal_for_seats
from domain.game.events import (
    ActionPlayed,
    ActionRevealed,
    ActionSealed,
    ConsentGiven,
    ConsentWithdrawn,
    PauseEnded,
    SeatLeft,
    SeatReadied,
    SeatReclaimed,
    SeatResigned,
    SeatTaken,
)
from domain.game.kind import GAMES
from domain.game.offers import require_invitation
from domain.game.rejections import NotYourSeat
from domain.game.seating import check_seat_exists
from domain.game.stand_in import BY_HOUSE, BY_STAND_IN, check_player_plays, is_driven_by
from domain.game.state import Game, Held, Opening
from domain.ids import Seat
from domain.log.actors import ByPlayer, name_actor
from domain.log.command import Command
from domain.log.enact import Decided, check_author, enact
from domain.log.entry import Input
from domain.log.fields import check_fields
from domain.log.rejections import SignatureDoesNotFit

# Events that the player of a seat brings about.
_BY_SEAT = (
    SeatLeft
    | SeatReadied
    | ActionSealed
    | ActionRevealed
    | ActionPlayed
    | SeatResigned
    | SeatReclaimed
    | ConsentGiven
    | ConsentWithdrawn
    | PauseEnded
)


def decide(game: Game, command: GameCommand) -> Decided[Game]:
    """Decide one command on a settled game, or raise the Rejection that states why not; first of all to outsiders."""
    assert game.is_settled, "decided on a game in the middle of a command"
    check_fields(command, Command)
    check_fields(command.event)
    by = _author(game, command)
    check_author(GAMES, game, command.event, by)
    if isinstance(command.event, SeatTaken):
        require_invitation(game, command.event.seat, command.invitation)
    put = Input(
        event=command.event,
        by=by,
        at_ms=command.at_ms,
        command=command.id,
        sig=command.sig,
        base=command.base,
    )
    try:
        return reveal_for_seats(_carry_out(game, command, put))
    except SignatureDoesNotFit as error:
        if not isinstance(put.event, ActionPlayed | ActionRevealed):
            raise
        # A client may have signed its own spelling.
        canonical = encode(put.event.action).decode()
        expected = f"{error.expected}, with the canonical action {canonical}"
        raise SignatureDoesNotFit(expected=expected, found=error.found) from None


def _carry_out(game: Game, command: GameCommand, put: Input) -> Decided[Game]:
    match command.event, command.entrusted:
        case ActionSealed() as sealed, Opening() as opening:
            return entrust(game, put, sealed, opening)
        case (ActionPlayed() | ActionRevealed()) as answered, further:
            assert not isinstance(further, Opening), "an opening is entrusted with its seal"
            return answer(game, put, answered, further)
        case _, entrusted:
            assert entrusted is None, f"nothing is entrusted with {command.type}"
            return enact(GAMES, game, put)


def _author(game: Game, command: GameCommand) -> str:
    """Return the line's `by`: a player acts as the seat it holds, a stand-in as the house, and neither as another."""
    actor, event = command.actor, command.event
    if not isinstance(actor, ByPlayer) or not isinstance(event, _BY_SEAT | SeatTaken):
        return name_actor(actor)
    if event.seat is None:
        raise NotYourSeat(expected="the seat that ends the pause", found="null")
    held = None if isinstance(event, SeatTaken) else _find_held(game, event.seat)
    player = event.player if isinstance(event, SeatTaken) else None if held is None else held.player
    if held is not None and isinstance(event, BY_STAND_IN | ActionRevealed):
        if isinstance(event, BY_STAND_IN) and is_driven_by(held, event.seat, actor.player):
            return BY_HOUSE
        if player == actor.player:
            check_player_plays(held, event.seat)
    if player != actor.player:
        raise NotYourSeat(expected=f"the player of seat {event.seat}", found=name_actor(actor))
    return f"seat:{event.seat}"


def _find_held(game: Game, seat: Seat) -> Held | None:
    check_seat_exists(game, seat)
    status = game.seats[seat]
    return status if isinstance(status, Held) else None
