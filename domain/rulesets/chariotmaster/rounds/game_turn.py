"""CM-10: the order of a game turn: the mug is filled, drawn from for each chariot turn, then places are given.

Every step without a decision happens at once; this is the code that carries the race from one decision to the next.
"""

from domain.ruleset.teams import are_mates
from domain.rulesets.chariotmaster.aftermath.aftermath import begin_aftermath
from domain.rulesets.chariotmaster.aftermath.dragging import lose_dragged_health
from domain.rulesets.chariotmaster.race import race_outcomes
from domain.rulesets.chariotmaster.race.board import Board, is_under_control
from domain.rulesets.chariotmaster.race.cascade import AnyScript
from domain.rulesets.chariotmaster.race.outcomes import TurnClosed, TurnEnd, TurnEnded
from domain.rulesets.chariotmaster.race.racetrack import Arena
from domain.rulesets.chariotmaster.race.ranking import crossed, still_racing
from domain.rulesets.chariotmaster.race.resignation import let_leave
from domain.rulesets.chariotmaster.rounds.finish_line import laps_of
from domain.rulesets.chariotmaster.rounds.mug import close_mug, draw_token, fill_mug, halt
from domain.rulesets.chariotmaster.rounds.setup import draw_grid
from domain.rulesets.chariotmaster.table.course import UM_PER_MM
from domain.rulesets.chariotmaster.turn.chariot_turn import begin_turn
from domain.rulesets.chariotmaster.turn.collisions import begin_cascade
from domain.rulesets.chariotmaster.turn.pace import suffer_at_start, token_now
from domain.rulesets.chariotmaster.turn.runaway import begin_uncontrolled


def carry_on(script: AnyScript, arena: Arena) -> bool:
    """Take the next step of a race in which no decision is owed; return False when the race is over."""
    if script.board.ended is not None:
        return False
    if script.board.active is not None:
        _finish_chariot_turn(script, arena)
    elif script.board.mug is None:
        _line_up(script, arena)
    elif not script.board.mug.is_closed:
        # The seats that had a choice left the race before making it.
        close_tokens(script, arena)
    elif draw_token(script):
        begin_chariot_turn(script, arena)
    else:
        _end_game_turn(script, arena)
    return True


def close_tokens(script: AnyScript, arena: Arena) -> None:
    """CM-10: every token is in: draw the first, and go on to its turn if there is nothing to open."""
    close_mug(script)
    begin_chariot_turn(script, arena)


def begin_chariot_turn(script: AnyScript, arena: Arena) -> None:
    """CM-119: begin the turn of the chariot whose token lies open, if one does."""
    chariot = script.board.active
    if chariot is None:
        return
    is_driven = is_under_control(script.board.chariots[chariot])
    turn_end = _suffer(script, arena, chariot)
    now = script.board.chariots[chariot]
    if turn_end is not None:
        script.emit(TurnEnded(chariot=chariot, reason=turn_end))
    elif is_under_control(now):
        begin_turn(script, arena, chariot=chariot, token=token_now(now))
    elif is_driven:
        # Control was lost just now: no driver steers in this turn, and nothing runs away before the next.
        script.emit(TurnEnded(chariot=chariot, reason="control_lost"))
    else:
        begin_uncontrolled(script, arena, chariot=chariot, token=token_now(now))


def forfeit_chariot_turn(script: AnyScript, arena: Arena) -> None:
    """CM-138: halt the chariot whose token was not shown; the losses at the start of a turn are taken all the same."""
    chariot = script.board.active
    assert chariot is not None, "a token was forfeited"
    _suffer(script, arena, chariot)
    halt(script, arena, chariot=chariot)


def _suffer(script: AnyScript, arena: Arena, chariot: int) -> TurnEnd | None:
    """Take the losses at the start of a turn; return why they end it, if they do."""
    name = f"g{script.board.game_turns}/c{chariot}/start"
    cascade = begin_cascade(script, arena, name=name)
    # CM-80: a driver who is dragged from this moment on is hurt by it from his next turn on.
    was_dragged = script.board.chariots[chariot].driver == "dragged"
    suffer_at_start(cascade, chariot)
    if was_dragged:
        lose_dragged_health(cascade, chariot)
    return cascade.turn_end


def _finish_chariot_turn(script: AnyScript, arena: Arena) -> None:
    """Begin the aftermath of the movement, or close the turn if that is over; a halted chariot has no aftermath."""
    chariot = script.board.active
    assert chariot is not None, "no chariot's turn is on"
    if script.board.aftermath is None and not script.board.chariots[chariot].is_halted:
        begin_aftermath(script, arena, chariot=chariot)
        return
    script.emit(TurnClosed(chariot=chariot))
    let_leave(script)


def _line_up(script: AnyScript, arena: Arena) -> None:
    """Draw the grid and begin the first game turn."""
    extra = arena.box.numbers.second_row_stamina if script.board.options.second_row_bonus else 0
    draw_grid(script, arena, second_row_stamina=extra)
    _begin_game_turn(script, arena)


def _begin_game_turn(script: AnyScript, arena: Arena) -> None:
    fill_mug(script)
    begin_chariot_turn(script, arena)


def _end_game_turn(script: AnyScript, arena: Arena) -> None:
    """CM-117: give places to the chariots that crossed the line, and remove them; end the race or begin a game turn."""
    counting = crossed(script.board)
    for crossing in script.board.crossings:
        if crossing.chariot in counting:
            place = len(script.board.finished) + 1
            script.emit(race_outcomes.ChariotFinished(chariot=crossing.chariot, place=place))
        else:
            script.emit(race_outcomes.CrossingVoided(chariot=crossing.chariot))
    reason = _find_end(script.board, arena)
    if reason is None:
        _begin_game_turn(script, arena)
    else:
        script.emit(race_outcomes.RaceEnded(reason=reason))


def _find_end(board: Board, arena: Arena) -> race_outcomes.EndReason | None:
    """CM-08: state why no further game turn begins, if none does."""
    if len(board.finished) >= arena.box.numbers.finishers_end:
        return "places_taken"
    racing = still_racing(board)
    if not racing:
        return "none_left"
    if board.options.survivor == "wins":
        if len(racing) == 1:
            return "one_left"
        first = board.chariots[racing[0]].seat
        if all(are_mates(board.options.teams, first, board.chariots[other].seat) for other in racing):
            return "one_team_racing"
    return "turn_limit" if board.game_turns >= turns_max(arena, board) else None


def turns_max(arena: Arena, board: Board) -> int:
    """XG-08: return after how many game turns a race ends in which no seat wants to arrive."""
    if board.options.turns_max is not None:
        return board.options.turns_max
    length_um = arena.middle.length_um * laps_of(arena, board.options)
    return length_um // (arena.box.numbers.turn_limit_per_mm * UM_PER_MM)
