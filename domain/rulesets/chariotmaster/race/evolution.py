"""The board after an outcome. Decides nothing and refuses nothing: an outcome is already true."""

from typing import assert_never

from msgspec.structs import replace

from domain.rulesets.chariotmaster.race import outcomes as told
from domain.rulesets.chariotmaster.race.aftermath_outcomes import AftermathOutcome
from domain.rulesets.chariotmaster.race.board import (
    Board,
    Chariot,
    OfferedRoll,
    Threat,
    Wreck,
    chariot_of,
    is_on_foot,
    is_wreck,
    with_chariot,
    wreck_piece,
)
from domain.rulesets.chariotmaster.race.mug_outcomes import ChariotPlaced
from domain.rulesets.chariotmaster.race.race_evolution import MugOutcome, after_mug_outcome, after_race_outcome
from domain.rulesets.chariotmaster.race.race_outcomes import RaceOutcome
from domain.rulesets.chariotmaster.race.turn_evolution import (
    after_aftermath_outcome,
    after_turn_outcome,
    after_way,
)

# Conditions without an end; the others last for so many ends of the chariot's turns.
_FOR_GOOD: dict[told.Condition, dict[str, bool]] = {
    "exhausted": {"is_exhausted": True},
    "damaged_wheel": {"has_damaged_wheel": True},
    "no_reins": {"has_reins": False},
    "no_knife": {"has_knife": False},
    "no_whip": {"has_whip": False},
}


def evolve(board: Board, outcome: told.Outcome) -> Board:
    """Return the board as the outcome leaves it."""
    if isinstance(outcome, told.TurnOutcome):
        return after_turn_outcome(board, outcome)
    if isinstance(outcome, MugOutcome):
        return after_mug_outcome(board, outcome)
    if isinstance(outcome, RaceOutcome):
        return after_race_outcome(board, outcome)
    if isinstance(outcome, AftermathOutcome):
        return after_aftermath_outcome(board, outcome)
    return _after_table_outcome(board, outcome)


def _after_table_outcome(board: Board, outcome: told.TableOutcome) -> Board:
    match outcome:
        case told.RollOffered():
            return replace(
                board, offered=OfferedRoll(chariot=outcome.chariot, faces=outcome.faces, decision=outcome.decision)
            )
        case told.RollLeft():
            return replace(board, offered=None)
        case told.PieceMoved():
            return _after_move(board, outcome)
        case told.WreckDestroyed():
            left = tuple(wreck for wreck in board.wrecks if wreck.chariot != outcome.chariot)
            return replace(board, wrecks=left)
        case told.ChariotCrashed():
            wreck = Wreck(chariot=outcome.chariot, pose=outcome.wreck_pose)
            return _with_chariot(replace(board, wrecks=(*board.wrecks, wreck)), outcome.chariot, outcome)
        case told.RollModified():
            return _with_chariot(replace(board, offered=None), outcome.chariot, outcome)
        case told.AttackEnded():
            return replace(board, threat=None)
        case told.DefenceOffered():
            return replace(board, threat=replace(_threat(board), decision=outcome.decision))
        case told.DefenceChosen():
            return replace(board, threat=replace(_threat(board), decision=None))
        case told.PiecesCollided() | told.CascadeEnded() | told.DefenceTried():
            return board
        case _:
            return _with_chariot(board, outcome.chariot, outcome)


def _threat(board: Board) -> Threat:
    assert board.threat is not None, "no chariot is attacked"
    return board.threat


def _with_chariot(board: Board, number: int, outcome: told.ChariotOutcome) -> Board:
    return with_chariot(board, number, _chariot_after(board.chariots[number], outcome))


def _chariot_after(chariot: Chariot, outcome: told.ChariotOutcome) -> Chariot:
    match outcome:
        case told.RollModified():
            return replace(chariot, modifies=chariot.modifies - 1)
        case told.PointsLost():
            return replace(chariot, **{outcome.kind: outcome.left})
        case told.TableRolled():
            return replace(chariot, **{f"{outcome.kind}_modifier": outcome.next_modifier})
        case told.ConditionGained():
            return _with_condition(chariot, outcome)
        case told.TokenLost():
            return replace(chariot, tokens=tuple(token for token in chariot.tokens if token != outcome.token))
        case told.HorseDied():
            is_bare = not chariot.has_body and chariot.driver != "dragged"
            pose = None if is_bare and not outcome.horses_left else chariot.team_pose
            return replace(chariot, horses=outcome.horses_left, dead_horses=chariot.dead_horses + 1, team_pose=pose)
        case told.ChariotCrashed():
            driver = "dragged" if outcome.is_driver_dragged else chariot.driver
            return replace(chariot, has_body=False, driver=driver, team_pose=outcome.team_pose, grasp=None)
        case ChariotPlaced():
            return replace(chariot, team_pose=outcome.pose, stamina=chariot.stamina + outcome.extra_stamina)
        case told.DriverSetDown():
            return replace(
                chariot,
                driver="on_foot",
                driver_pose=outcome.pose,
                team_pose=outcome.team_pose,
                has_reins=False,
                grasp=None,
                is_resting=outcome.is_resting,
            )
        case told.DriverDied():
            gone = replace(chariot, driver="dead", driver_pose=None, has_reins=False, grasp=None)
            return replace(gone, team_pose=outcome.team_pose)
        case _:
            assert_never(outcome)


def _with_condition(chariot: Chariot, gained: told.ConditionGained) -> Chariot:
    if gained.condition in _FOR_GOOD:
        return replace(chariot, **_FOR_GOOD[gained.condition])
    field = f"{gained.condition}_for"
    return replace(chariot, **{field: max(getattr(chariot, field), gained.turn_ends)})


def _after_move(board: Board, moved: told.PieceMoved) -> Board:
    if is_wreck(moved.piece):
        wrecks = tuple(
            replace(wreck, pose=moved.after) if wreck_piece(wreck.chariot) == moved.piece else wreck
            for wreck in board.wrecks
        )
        return replace(board, wrecks=wrecks)
    number = chariot_of(moved.piece)
    assert number is not None, "walls do not move"
    pose = "driver_pose" if is_on_foot(moved.piece) else "team_pose"
    board = with_chariot(board, number, replace(board.chariots[number], **{pose: moved.after}))
    return replace(board, turn=after_way(board.turn, moved))
