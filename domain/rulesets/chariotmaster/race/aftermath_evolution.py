"""The board after the outcomes of an aftermath. Decides nothing and refuses nothing."""

from typing import assert_never

from msgspec.structs import replace

from domain.rulesets.chariotmaster.race.aftermath_outcomes import (
    AftermathBegan,
    AftermathOutcome,
    CutLooseTested,
    DriverClimbed,
    DriverLeft,
    DriverStayed,
    DriverWalked,
    GrabTested,
)
from domain.rulesets.chariotmaster.race.board import Aftermath, AftermathStage, Board, Chariot, Grasp


def after_aftermath_outcome(board: Board, outcome: AftermathOutcome) -> Board:
    """Return the board as a step after the movement leaves it."""
    if isinstance(outcome, AftermathBegan):
        return replace(board, aftermath=Aftermath(chariot=outcome.chariot, token=outcome.token))
    assert board.aftermath is not None, "the movement is over"
    chariots = list(board.chariots)
    chariots[outcome.chariot] = _chariot_after(chariots[outcome.chariot], outcome)
    after = replace(board.aftermath, stage=_stage_after(outcome))
    return replace(board, aftermath=after, chariots=tuple(chariots))


def _stage_after(
    outcome: DriverWalked | GrabTested | CutLooseTested | DriverClimbed | DriverStayed | DriverLeft,
) -> AftermathStage:
    match outcome:
        case DriverWalked():
            return "grab"
        case GrabTested():
            return "cut_loose"
        case CutLooseTested() | DriverStayed(declined="cut_loose"):
            return "climb"
        case DriverClimbed() | DriverStayed() | DriverLeft():
            return "over"
        case _:
            assert_never(outcome)


def _chariot_after(
    chariot: Chariot, outcome: DriverWalked | GrabTested | CutLooseTested | DriverClimbed | DriverStayed | DriverLeft
) -> Chariot:
    match outcome:
        case GrabTested(is_passed=True, aim="reins"):
            return replace(chariot, has_reins=True, grasp=None)
        case GrabTested(is_passed=True):
            assert chariot.grasp is not None, "who cuts a horse free is on the shaft"
            return replace(chariot, dead_horses=0, has_reins=chariot.grasp.held_reins, grasp=None)
        case DriverClimbed():
            grasp = Grasp(aim=outcome.aim, held_reins=chariot.has_reins)
            return replace(chariot, has_reins=False, grasp=grasp)
        case DriverLeft():
            return replace(chariot, driver="left", driver_pose=None)
        case _:
            return chariot
