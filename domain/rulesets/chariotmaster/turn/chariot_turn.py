"""CM-11 to CM-24: the turn of a chariot under control, to its end: speed, sub-moves and their tests, skids, U-turns.

Paid stamina always buys its purpose (CM-91); but the roll for a missing point comes first, and may end the turn.
"""

from domain.ids import DecisionId
from domain.rejection import IllegalAction
from domain.ruleset.decision import Decision
from domain.rulesets.chariotmaster.box.component_file import TokenName
from domain.rulesets.chariotmaster.box.tables import is_test_passed, read_token, sub_move_modifier
from domain.rulesets.chariotmaster.harm.losses import lose
from domain.rulesets.chariotmaster.harm.luck import roll_for
from domain.rulesets.chariotmaster.race import actions
from domain.rulesets.chariotmaster.race import outcomes as told
from domain.rulesets.chariotmaster.race.board import Board, Turn, current_turn, is_under_control, team_piece
from domain.rulesets.chariotmaster.race.cascade import AnyScript, Cascade
from domain.rulesets.chariotmaster.race.racetrack import Arena, obstacles, team_base
from domain.rulesets.chariotmaster.table.course import UM_PER_MM
from domain.rulesets.chariotmaster.table.travel import turn as turn_base
from domain.rulesets.chariotmaster.turn.attacks import carry_out_attack, check_attack, list_attacks
from domain.rulesets.chariotmaster.turn.collisions import begin_cascade
from domain.rulesets.chariotmaster.turn.pace import heed_lost_token, shift_speed
from domain.rulesets.chariotmaster.turn.sub_moves import check_u_turn, has_free_way, plan_sub_move, shortened

_UM_PER_CM = 10 * UM_PER_MM


class NotNow(IllegalAction):
    """The turn has not come to that, or is past it."""

    code = "not-now"


def begin_turn(script: AnyScript, arena: Arena, *, chariot: int, token: TokenName) -> None:
    """CM-11: begin the turn of a chariot under control; out of control it must go as far as its token lets it."""
    row = read_token(arena.box, token, script.board.chariots[chariot].fitting.reading)
    is_driven = is_under_control(script.board.chariots[chariot])
    min_mm = row.min_mm if is_driven else row.max_mm
    script.emit(
        told.TurnBegan(
            chariot=chariot,
            token=token,
            is_driven=is_driven,
            min_um=min_mm * UM_PER_MM,
            max_um=row.max_mm * UM_PER_MM,
        )
    )


def owed_step(board: Board) -> tuple[Decision, ...]:
    """Return the decision that the owner of the active chariot owes next, while its turn goes on."""
    if board.turn is None or not board.turn.is_driven:
        return ()
    name = DecisionId(f"g{board.game_turns}/c{board.turn.chariot}/step/{board.turn.steps}")
    return (Decision(id=name, seat=board.chariots[board.turn.chariot].seat, kind="plain"),)


def check_move(arena: Arena, board: Board, action: actions.MoveAction) -> None:
    """Raise the reason why this may not be done now."""
    state = current_turn(board)
    room_um = state.max_um - state.travelled_um
    if state.is_skidding and not isinstance(action, actions.GoOn | actions.ChangeSpeed):
        raise NotNow(expected="brakes or the skid itself", found=type(action).__name__)
    match action:
        case actions.ChangeSpeed():
            _check_speed(arena, board, action.change)
        case actions.MakeUTurn():
            _require(state.min_um <= 0, expected="a minimum of 0", found=f"{state.min_um} µm")
            _require(state.max_um >= _UM_PER_CM, expected="a maximum of 1 cm", found=f"{state.max_um} µm")
            _require(not state.sub_moves, expected="no move yet", found=f"{state.sub_moves} sub-moves")
            check_u_turn(arena, board, action)
        case actions.AnnounceSubMove():
            _require(bool(state.sub_moves), expected="a first sub-move without a test", found="none yet")
            _require(not state.is_cleared, expected="one test a sub-move", found="a second one")
            _require(room_um >= _least_um(arena), expected="a centimetre to go", found=f"{room_um} µm")
        case actions.MakeSubMove():
            _require(not state.sub_moves or state.is_cleared, expected="a test first", found="none")
            plan_sub_move(arena, board, action)
        case actions.GoOn():
            _check_going_on(arena, board)
        case actions.Attack():
            check_attack(arena, board, action)
        case actions.Stop():
            is_far_enough = state.travelled_um >= state.min_um or room_um < _least_um(arena)
            _require(is_far_enough, expected=f"{state.min_um} µm", found=f"{state.travelled_um} µm")


def may_move(arena: Arena, board: Board, action: actions.MoveAction) -> bool:
    """Return whether this may be done now."""
    try:
        check_move(arena, board, action)
    except IllegalAction:
        return False
    return True


def play_move(script: AnyScript, arena: Arena, action: actions.MoveAction, *, name: str) -> None:
    """Carry out a legal step of the turn, and end the turn if nothing more can be done in it."""
    cascade = begin_cascade(script, arena, name=name)
    match action:
        case actions.ChangeSpeed():
            _change_speed(cascade, action.change)
        case actions.MakeUTurn():
            _pivot(cascade, action.pivot)
            _end(cascade, "u_turn")
        case actions.AnnounceSubMove():
            _test(cascade)
        case actions.MakeSubMove():
            _make_sub_move(cascade, action)
        case actions.GoOn():
            _go_on(cascade)
        case actions.Attack():
            _attack(cascade, action, name)
        case actions.Stop():
            _end(cascade, "stopped")
    if script.board.turn is not None:
        _end_if_done(cascade)


def _check_speed(arena: Arena, board: Board, change: told.SpeedChange) -> None:
    state = current_turn(board)
    # CM-24: no chariot goes on beyond the maximum, even while an attack keeps the turn open.
    _require(not _has_come_all_the_way(arena, state), expected="a centimetre to go", found=f"{state.travelled_um} µm")
    match change:
        case "brake":
            return
        case "spur":
            _require(not state.has_spurred, expected="one spur a turn", found="a second")
        case "whip":
            _require(not state.has_whipped, expected="one whip a turn", found="a second")
            _require(board.chariots[state.chariot].has_whip, expected="a whip", found="none")
    _require(not state.is_skidding, expected="only brakes in a skid", found=change)


def _check_going_on(arena: Arena, board: Board) -> None:
    """CM-32: let skids go on; else only a chariot without a way and without stamina may collide."""
    state = current_turn(board)
    if state.is_skidding:
        return
    _require(not state.sub_moves or state.is_cleared, expected="a test first", found="none")
    _require(state.travelled_um < state.min_um, expected="a minimum not reached", found=f"{state.travelled_um} µm")
    stamina = board.chariots[state.chariot].stamina
    _require(stamina == 0, expected="no stamina to brake or sweep with", found=str(stamina))
    _require(not has_free_way(arena, board), expected="no free way ahead", found="one")


def _change_speed(cascade: Cascade, change: told.SpeedChange) -> None:
    if _pay(cascade):
        shift_speed(cascade, change)


def _test(cascade: Cascade) -> None:
    state = current_turn(cascade.board)
    (face,) = roll_for(cascade, "sub-move", state.chariot)
    modifier = sub_move_modifier(cascade.box, state.token, sub_moves_done=state.sub_moves)
    skill = cascade.board.chariots[state.chariot].skill
    is_passed = is_test_passed(cascade.box, face, modifier=modifier, skill=skill)
    cascade.script.emit(told.SubMoveTested(chariot=state.chariot, face=face, modifier=modifier, is_passed=is_passed))


def _make_sub_move(cascade: Cascade, action: actions.MakeSubMove) -> None:
    plan = plan_sub_move(cascade.arena, cascade.board, action)
    if action.way != "ahead":
        if not _pay(cascade):
            return
        # The payment may have moved the chariot or cost it its token: it goes as far as it still may.
        plan = shortened(cascade.arena, cascade.board, action, plan)
        if plan.distance_um < _least_um(cascade.arena):
            cascade.script.emit(told.SubMoveLost(chariot=current_turn(cascade.board).chariot))
            return
    _drive(cascade, plan.heading, plan.distance_um)
    if cascade.board.turn is None:
        return
    if cascade.collisions and plan.across is None:
        _end(cascade, "collision")
    elif action.pivot is not None and not cascade.collisions:
        _pivot(cascade, action.pivot)


def _go_on(cascade: Cascade) -> None:
    state = current_turn(cascade.board)
    pose = cascade.board.chariots[state.chariot].team_pose
    assert pose is not None, "who moves is on the table"
    way = state.way if state.is_skidding and state.way is not None else pose.heading
    is_skid = state.is_skidding
    _drive(cascade, way, state.max_um - state.travelled_um)
    if cascade.board.turn is not None:
        _end(cascade, "skid" if is_skid else "collision")


def _attack(cascade: Cascade, action: actions.Attack, name: str) -> None:
    """Attack, and go on with the turn unless it cost too much."""
    chariot = current_turn(cascade.board).chariot
    cascade.turn_end = carry_out_attack(cascade.script, cascade.arena, action, name=name)
    heed_lost_token(cascade)
    _end_if_thrown(cascade, chariot)


def _drive(cascade: Cascade, heading: int, distance_um: int) -> None:
    """Travel, with all collisions on the way, and end the turn if one of them does."""
    chariot = current_turn(cascade.board).chariot
    cascade.drive(team_piece(chariot), heading=heading, distance_um=distance_um, reason="moved")
    state = current_turn(cascade.board)
    # CM-51: after a collision, a passage or a skid there is no attack; nor is there any in the first game turn.
    is_early = cascade.board.game_turns < cascade.box.numbers.attack_turn_min
    may_attack = not (cascade.collisions or state.is_skidding or is_early)
    cascade.script.emit(
        told.SubMoveMade(chariot=chariot, way=heading, travelled_um=state.travelled_um, may_attack=may_attack)
    )
    heed_lost_token(cascade)
    _end_if_thrown(cascade, chariot)


def _end_if_thrown(cascade: Cascade, chariot: int) -> None:
    """CM-24, CM-124: end the turn of a chariot that lost control, or collided."""
    if not is_under_control(cascade.board.chariots[chariot]):
        _end(cascade, "control_lost")
    elif cascade.turn_end is not None:
        _end(cascade, cascade.turn_end)


def _pivot(cascade: Cascade, pivot: actions.Pivot) -> None:
    """CM-20: pivot as far as there is room: all the way, unless a payment has moved the chariot meanwhile."""
    number = current_turn(cascade.board).chariot
    chariot = cascade.board.chariots[number]
    assert chariot.team_pose is not None, "who moves is on the table"
    others = obstacles(cascade.arena, cascade.board, without=(team_piece(number),))
    base = team_base(cascade.arena, chariot)
    turned = turn_base(base, chariot.team_pose, others, hinge=pivot.hinge, degrees=pivot.degrees)
    if turned.pose != chariot.team_pose:
        cascade.script.emit(
            told.PieceMoved(
                piece=team_piece(number),
                reason="pivoted",
                before=chariot.team_pose,
                after=turned.pose,
                distance_um=0,
            )
        )


def _pay(cascade: Cascade) -> bool:
    """CM-91: pay a stamina point; the roll for a missing one comes first. State whether the turn goes on."""
    chariot = current_turn(cascade.board).chariot
    lose(cascade, chariot, "stamina")
    heed_lost_token(cascade)
    _end_if_thrown(cascade, chariot)
    return cascade.board.turn is not None


def _end_if_done(cascade: Cascade) -> None:
    """CM-24: end a turn in which less than a centimetre is left to go, unless a boost could still change that."""
    state = current_turn(cascade.board)
    room_um = state.max_um - state.travelled_um
    if state.is_skidding:
        if room_um <= 0:
            _end(cascade, "skid")
        return
    if room_um >= _least_um(cascade.arena) or list_attacks(cascade.arena, cascade.board):
        return
    may_boost = not state.has_spurred or (not state.has_whipped and cascade.board.chariots[state.chariot].has_whip)
    if not may_boost or _has_come_all_the_way(cascade.arena, state):
        _end(cascade, "maximum")


def _has_come_all_the_way(arena: Arena, state: Turn) -> bool:
    """CM-24: state whether the maximum is used up. Before the first way and after a lost token a boost may raise it."""
    is_used_up = state.max_um - state.travelled_um < _least_um(arena)
    return is_used_up and state.travelled_um > 0 and not state.has_lost_token


def _end(cascade: Cascade, reason: told.TurnEnd) -> None:
    cascade.script.emit(told.TurnEnded(chariot=current_turn(cascade.board).chariot, reason=reason))


def _least_um(arena: Arena) -> int:
    return arena.box.numbers.sub_move_min_mm * UM_PER_MM


def _require(condition: bool, *, expected: str, found: str) -> None:  # noqa: FBT001 - the requirement itself
    if not condition:
        raise NotNow(expected=expected, found=found)
