"""The board after each outcome. Refuses nothing and decides nothing: an outcome is already true."""

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from domain.chance import DiceRolled
from domain.rulesets.chariot_race import outcomes as told
from domain.rulesets.chariot_race.board import (
    Board,
    Turn,
    TurnPhase,
    build_chariot,
    chariot_of,
    current_turn,
    front_of,
    replace_turn,
    with_chariot,
)
from domain.rulesets.chariot_race.components import Colour
from domain.rulesets.chariot_race.track import SpaceName

_AFTER_THROW: dict[told.Throw, TurnPhase] = {"first": "reroll", "free": "manipulation", "paid": "manipulation"}


def evolve(board: Board, outcome: told.Outcome | DiceRolled) -> Board:
    return EVOLUTIONS[type(outcome)](board, outcome)


def _set(board: Board, colour: Colour, **changes: object) -> Board:
    chariot = replace(chariot_of(board, colour), **changes)
    return replace(board, chariots=with_chariot(board, chariot))


def _place(board: Board, space: SpaceName, front: int) -> dict[str, int]:
    number = board.track.spaces[space]
    return {"lane": board.track.lane(number), "step": board.track.step(number, front=front)}


def _board_chosen(board: Board, outcome: told.BoardChosen) -> Board:
    table = next(table for table in board.tables if table.colour == outcome.chariot)
    chariots = (*board.chariots, build_chariot(outcome.seat, table))
    return replace(board, chariots=tuple(sorted(chariots, key=lambda chariot: chariot.seat)))


def _chariot_placed(board: Board, outcome: told.ChariotPlaced) -> Board:
    place = _place(board, outcome.space, outcome.front)
    return _set(board, outcome.chariot, status="racing", place=outcome.place, **place)


def _turn_began(board: Board, outcome: told.TurnBegan) -> Board:
    begun = board.order.index(outcome.chariot) + 1
    return replace(board, turn=Turn(chariot=outcome.chariot), turns_begun=begun)


def _dice_thrown(board: Board, outcome: told.DiceThrown) -> Board:
    paid = outcome.throw == "paid"
    after = replace_turn(
        board,
        phase="thrown",
        throwing=outcome.dice,
        throwing_leads_to=_AFTER_THROW[outcome.throw],
        manipulations=current_turn(board).manipulations + paid,
    )
    return _set(after, outcome.chariot, fate=outcome.fate) if paid else after


def _dice_rolled(board: Board, outcome: DiceRolled) -> Board:
    if board.turn is None:
        # A draw before the race: the outcome after it has its meaning.
        return board
    symbols = board.components.die.faces
    thrown = {die: symbols[face - 1] for die, face in zip(board.turn.throwing, outcome.faces, strict=True)}
    count = max(len(board.turn.dice), len(thrown))
    dice = tuple(thrown[die] if die in thrown else board.turn.dice[die] for die in range(count))
    return replace_turn(board, dice=dice, throwing=(), phase=board.turn.throwing_leads_to)


def _die_turned(board: Board, outcome: told.DieTurned) -> Board:
    turn = current_turn(board)
    dice = (*turn.dice[: outcome.die], outcome.face, *turn.dice[outcome.die + 1 :])
    after = replace_turn(board, dice=dice, manipulations=turn.manipulations + 1)
    return _set(after, outcome.chariot, fate=outcome.fate)


def _speed_set(board: Board, outcome: told.SpeedSet) -> Board:
    after = replace_turn(board, phase="moving")
    return _set(after, outcome.chariot, speed=outcome.speed, damage_left=outcome.damage_left)


def _chariot_moved(board: Board, outcome: told.ChariotMoved) -> Board:
    entered = tuple(board.track.spaces[space] for space in outcome.path)
    after = replace_turn(board, entered=current_turn(board).entered + entered)
    return _set(after, outcome.chariot, **_place(board, outcome.path[-1], outcome.front))


def _caltrop_hit(board: Board, outcome: told.CaltropHit) -> Board:
    taken = board.track.spaces[outcome.space]
    after = replace(board, caltrops=tuple(space for space in board.caltrops if space != taken))
    return _set(after, outcome.chariot, damage_left=outcome.damage_left)


def _chariot_rammed(board: Board, outcome: told.ChariotRammed) -> Board:
    after = _set(board, outcome.chariot, damage_left=outcome.damage_left)
    return _set(after, outcome.rammed, damage_left=outcome.rammed_damage_left)


def _chariot_wrecked(board: Board, outcome: told.ChariotWrecked) -> Board:
    after = _set(board, outcome.chariot, status="wrecked", damage_left=0, wreck_moment=outcome.moment)
    caltrops = after.caltrops
    if outcome.caltrop:
        caltrops = tuple(sorted((*caltrops, board.track.spaces[outcome.space])))
    return replace(after, caltrops=caltrops, wreck_moments=outcome.moment)


def _unchanged(board: Board, _: told.Outcome) -> Board:
    # Laps are read from where a chariot stands, and the start order from the places.
    return board


def _caltrop_dropped(board: Board, outcome: told.CaltropDropped) -> Board:
    caltrops = tuple(sorted((*board.caltrops, board.track.spaces[outcome.space])))
    return _count_attack(replace(board, caltrops=caltrops))


def _count_attack(board: Board) -> Board:
    return replace_turn(board, attacks_made=current_turn(board).attacks_made + 1)


def _turn_ended(board: Board, outcome: told.TurnEnded) -> Board:
    chariot = chariot_of(board, outcome.chariot)
    is_home = chariot.status == "racing" and front_of(board, chariot) > board.finish_front
    return replace(_set(board, outcome.chariot, is_home=is_home), turn=None)


def _seat_withdrawn(board: Board, outcome: told.SeatWithdrawn) -> Board:
    chariots = tuple(
        replace(chariot, status="withdrawn") if chariot.table.colour in outcome.chariots else chariot
        for chariot in board.chariots
    )
    leaving = tuple(seat for seat in board.leaving if seat != outcome.seat)
    return replace(board, chariots=chariots, leaving=leaving, withdrawn=(*board.withdrawn, outcome.seat))


# One entry for each outcome; a test counts them. A table, since a match of thirty cases costs thirty comparisons.
EVOLUTIONS: dict[type, Callable[[Board, Any], Board]] = {
    DiceRolled: _dice_rolled,
    told.StartOrderDrawn: _unchanged,
    told.FirstChooserDrawn: lambda board, drawn: replace(board, first_chooser=drawn.seat),
    told.BoardChosen: _board_chosen,
    told.ChariotPlaced: _chariot_placed,
    told.RoundBegan: lambda board, begun: replace(board, round=begun.round, order=begun.order, turns_begun=0),
    told.TurnBegan: _turn_began,
    told.ChariotRepaired: lambda board, repaired: _set(
        board, repaired.chariot, damage_left=repaired.damage_left, fate=repaired.fate
    ),
    told.SpeedAdjusted: lambda board, adjusted: _set(board, adjusted.chariot, speed=adjusted.speed),
    told.DiceThrown: _dice_thrown,
    told.DiceKept: lambda board, _: replace_turn(board, phase="manipulation"),
    told.DieTurned: _die_turned,
    told.DiceSettled: lambda board, _: replace_turn(board, phase="move"),
    told.FortunaFavoured: lambda board, favoured: _set(board, favoured.chariot, fate=favoured.fate),
    told.SpeedSet: _speed_set,
    told.ChariotMoved: _chariot_moved,
    told.CornerTaken: lambda board, taken: _set(board, taken.chariot, damage_left=taken.damage_left),
    told.CaltropHit: _caltrop_hit,
    told.HeapStruck: lambda board, struck: _set(board, struck.chariot, damage_left=0),
    told.ChariotRammed: _chariot_rammed,
    told.ChariotSetBack: lambda board, back: _set(board, back.chariot, **_place(board, back.space, back.front)),
    told.ChariotWrecked: _chariot_wrecked,
    told.LapCompleted: _unchanged,
    told.LapUndone: _unchanged,
    told.MoveEnded: lambda board, ended: replace_turn(board, phase="attack", attacks=ended.attacks),
    told.CaltropDropped: _caltrop_dropped,
    told.JavelinThrown: lambda board, thrown: _count_attack(
        _set(board, thrown.target, damage_left=thrown.target_damage_left)
    ),
    told.TurnEnded: _turn_ended,
    told.WithdrawalAnnounced: lambda board, announced: replace(board, leaving=(*board.leaving, announced.seat)),
    told.SeatWithdrawn: _seat_withdrawn,
    told.RaceEnded: lambda board, ended: replace(board, ended=ended.reason, turn=None),
}
