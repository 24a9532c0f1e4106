"""CM-119: the aftermath of a chariot turn, when the movement is over: drivers walk, grab, cut themselves loose, climb.

Always in this order; open stages stand on the board, and each stage is passed once. The frame of the turn calls
`begin_aftermath` once, then `play_aftermath` as long as `owed_aftermath` lists something.
"""

from typing import assert_never

from domain.ids import DecisionId
from domain.ruleset.decision import Decision
from domain.rulesets.chariotmaster.aftermath.dragging import cut_loose, may_cut_loose
from domain.rulesets.chariotmaster.aftermath.shaft import climb_aims, grab, may_grab
from domain.rulesets.chariotmaster.aftermath.walking import check_walk, leave_track, may_walk, walk, walk_to_edge
from domain.rulesets.chariotmaster.race.actions import AftermathAction, Climb, CutLoose, HangOn, StayPut, Walk
from domain.rulesets.chariotmaster.race.aftermath_outcomes import AftermathBegan, DriverClimbed, DriverStayed
from domain.rulesets.chariotmaster.race.board import Aftermath, AftermathStage, Board, Chariot
from domain.rulesets.chariotmaster.race.cascade import AnyScript, Cascade
from domain.rulesets.chariotmaster.race.racetrack import Arena
from domain.rulesets.chariotmaster.turn.chariot_turn import NotNow
from domain.rulesets.chariotmaster.turn.collisions import begin_cascade
from domain.rulesets.chariotmaster.turn.pace import token_now

_STAGES: tuple[AftermathStage, ...] = ("walk", "grab", "cut_loose", "climb", "over")
_ASKED: tuple[AftermathStage, ...] = ("walk", "cut_loose", "climb")


def begin_aftermath(script: AnyScript, arena: Arena, *, chariot: int) -> None:
    """Begin the aftermath of a chariot's movement, and go on until its owner is asked or nothing is left."""
    script.emit(AftermathBegan(chariot=chariot, token=token_now(script.board.chariots[chariot])))
    name = f"g{script.board.game_turns}/c{chariot}/aftermath"
    _go_on(begin_cascade(script, arena, name=name))


def owed_aftermath(board: Board) -> tuple[Decision, ...]:
    """Return the decision that the owner of the chariot owes after its movement."""
    stage = find_stage(board)
    if stage not in _ASKED:
        return ()
    chariot = _aftermath(board).chariot
    word = stage.replace("_", "-")
    name = DecisionId(f"g{board.game_turns}/c{chariot}/{word}")
    return (Decision(id=name, seat=board.chariots[chariot].seat, kind="plain"),)


def check_aftermath(arena: Arena, board: Board, action: AftermathAction) -> None:
    """Raise the reason why this may not be done now."""
    stage, chariot = find_stage(board), _aftermath(board).chariot
    match action:
        case Walk():
            _require(stage, "walk")
            check_walk(arena, board, chariot, action)
        case CutLoose() | HangOn():
            _require(stage, "cut_loose")
        case Climb():
            _require(stage, "climb")
            aims = climb_aims(board.chariots[chariot])
            if action.aim not in aims:
                raise NotNow(expected=" or ".join(aims), found=action.aim)
        case StayPut():
            _require(stage, "climb")
        case _:
            assert_never(action)


def play_aftermath(script: AnyScript, arena: Arena, action: AftermathAction, *, name: str) -> None:
    """Carry out a legal answer, and go on until the next question or the end."""
    cascade = begin_cascade(script, arena, name=name)
    chariot = _aftermath(script.board).chariot
    match action:
        case Walk():
            walk(cascade, chariot, action)
        case CutLoose():
            cut_loose(cascade, chariot)
        case HangOn():
            script.emit(DriverStayed(chariot=chariot, declined="cut_loose"))
        case Climb():
            script.emit(DriverClimbed(chariot=chariot, aim=action.aim))
        case StayPut():
            script.emit(DriverStayed(chariot=chariot, declined="climb"))
        case _:
            assert_never(action)
    _go_on(cascade)


def default_aftermath(arena: Arena, board: Board) -> AftermathAction:
    """CM-136: choose for an absent owner: climb, hang on while health is left, walk to the nearest wall."""
    chariot = _aftermath(board).chariot
    stage, state = find_stage(board), board.chariots[chariot]
    if stage == "walk":
        return walk_to_edge(arena, board, chariot)
    if stage == "cut_loose":
        return HangOn() if state.health else CutLoose()
    assert stage == "climb", f"nothing is asked at {stage}"
    return Climb(aim=climb_aims(state)[0])


def find_stage(board: Board) -> AftermathStage:
    """CM-119: return the next stage that applies; over, where none is left or the aftermath has not begun."""
    aftermath = board.aftermath
    if aftermath is None:
        return "over"
    chariot = board.chariots[aftermath.chariot]
    left = _STAGES[_STAGES.index(aftermath.stage) :]
    return next(stage for stage in left if _applies(chariot, stage))


def _applies(chariot: Chariot, stage: AftermathStage) -> bool:
    match stage:
        case "walk":
            return may_walk(chariot)
        case "grab":
            return may_grab(chariot)
        case "cut_loose":
            return may_cut_loose(chariot)
        case "climb":
            return bool(climb_aims(chariot))
        case "over":
            return True


def _go_on(cascade: Cascade) -> None:
    """Play the stages without a decision; each stage is passed once, so this ends."""
    stage, state = find_stage(cascade.board), _aftermath(cascade.board)
    if stage == "grab":
        grab(cascade, state.chariot, state.token)
        stage = find_stage(cascade.board)
    if stage == "over":
        leave_track(cascade, state.chariot)


def _require(stage: AftermathStage, expected: AftermathStage) -> None:
    if stage != expected:
        raise NotNow(expected=stage, found=expected)


def _aftermath(board: Board) -> Aftermath:
    assert board.aftermath is not None, "the movement is over"
    return board.aftermath
