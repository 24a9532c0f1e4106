"""Phase 6: one caltrop or javelin for each attack face, each resolved before the next is chosen (CR-34)."""

from domain.rulesets.chariot_race.actions import Action, DropCaltrop, Pass, ThrowJavelin
from domain.rulesets.chariot_race.board import (
    Board,
    chariot_of,
    current_chariot,
    current_turn,
    is_safe,
    racing,
    space_of,
)
from domain.rulesets.chariot_race.choices import AttackChoices, Target
from domain.rulesets.chariot_race.outcomes import CaltropDropped, JavelinThrown, TurnEnded
from domain.rulesets.chariot_race.rejections import JavelinOutOfRange, NoCaltropThere
from domain.rulesets.chariot_race.track import SpaceName
from domain.rulesets.chariot_race.wreck import RaceScript, wreck


def choices(board: Board) -> AttackChoices:
    return AttackChoices(attacks_left=_attacks_left(board), spaces=_spaces(board), targets=_targets(board))


def sole_answer(board: Board) -> Action | None:
    if _attacks_left(board) and (_spaces(board) or _targets(board)):
        return None
    return Pass()


def check(board: Board, action: DropCaltrop | ThrowJavelin | Pass) -> None:
    match action:
        case Pass():
            pass
        case DropCaltrop():
            spaces = _spaces(board)
            if action.space not in spaces:
                raise NoCaltropThere(expected=f"one of {', '.join(spaces) or 'no spaces'}", found=action.space)
        case ThrowJavelin():
            targets = tuple(target.chariot for target in _targets(board))
            if action.chariot not in targets:
                raise JavelinOutOfRange(expected=f"one of {', '.join(targets) or 'no chariots'}", found=action.chariot)


def play(script: RaceScript, action: DropCaltrop | ThrowJavelin | Pass) -> None:
    chariot = current_chariot(script.board)
    match action:
        case DropCaltrop():
            script.emit(CaltropDropped(chariot=chariot.colour, space=action.space))
        case ThrowJavelin():
            _throw(script, action)
        case Pass():
            script.emit(TurnEnded(chariot=chariot.colour))


def default(_: Board) -> Action:
    """Answer for an absent seat: no attack."""
    return Pass()


def _attacks_left(board: Board) -> int:
    turn = current_turn(board)
    return turn.attacks - turn.attacks_made


def _spaces(board: Board) -> tuple[SpaceName, ...]:
    """List the spaces entered, but for the last and the one stood on; the first of the move was never entered."""
    if not board.caltrops_left:
        return ()
    turn = current_turn(board)
    closed = (space_of(board, current_chariot(board)), *turn.entered[-1:], *board.caltrops)
    track = board.track
    return tuple(track.names[space] for space in turn.entered if space not in closed and not track.heaps[space])


def _targets(board: Board) -> tuple[Target, ...]:
    """List the chariots in range of a javelin, in the order of the board."""
    chariot = current_chariot(board)
    numbers = board.components.numbers
    distances = board.track.distances(space_of(board, chariot), farthest=numbers.javelin_range)
    return tuple(
        Target(
            chariot=other.colour,
            distance=distances[space_of(board, other)],
            damage_left=max(0, other.damage_left - numbers.javelin_damage),
        )
        for other in racing(board)
        if space_of(board, other) in distances and not is_safe(board, other)
    )


def _throw(script: RaceScript, action: ThrowJavelin) -> None:
    target = next(target for target in _targets(script.board) if target.chariot == action.chariot)
    hit = chariot_of(script.board, action.chariot)
    script.emit(
        JavelinThrown(
            chariot=current_chariot(script.board).colour,
            target=target.chariot,
            distance=target.distance,
            damage=hit.damage_left - target.damage_left,
            target_damage_left=target.damage_left,
        )
    )
    if not target.damage_left:
        wreck(script, target.chariot, "javelin", script.board.track.names[space_of(script.board, hit)])
