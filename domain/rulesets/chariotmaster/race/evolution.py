"""The board after an outcome. Decides nothing and refuses nothing: an outcome is already true."""

from typing import assert_never

from msgspec.structs import replace

from domain.rulesets.chariotmaster.box.component_file import Points
from domain.rulesets.chariotmaster.race import aftermath_outcomes
from domain.rulesets.chariotmaster.race import outcomes as told
from domain.rulesets.chariotmaster.race.board import (
    Board,
    Chariot,
    OfferedRoll,
    Threat,
    Wreck,
    chariot_of,
    is_on_foot,
    is_wreck,
    wreck_piece,
)
from domain.rulesets.chariotmaster.race.mug_outcomes import (
    ChariotDrawn,
    ChariotPlaced,
    MugClosed,
    MugFilled,
    TokenForfeited,
    TokenLapsed,
    TokenShown,
)
from domain.rulesets.chariotmaster.race.race_evolution import after_mug_outcome, after_race_outcome
from domain.rulesets.chariotmaster.race.race_outcomes import (
    BuildsClosed,
    ChariotBuilt,
    ChariotFinished,
    CrossingVoided,
    LapCompleted,
    LineCrossed,
    RaceEnded,
    SeatWithdrawn,
    WithdrawalAnnounced,
)
from domain.rulesets.chariotmaster.race.turn_evolution import after_aftermath_outcome, after_turn_outcome, after_way


def evolve(board: Board, outcome: told.Outcome) -> Board:
    """Return the board as the outcome leaves it."""
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
        case told.TurnBegan() | told.SpeedChanged() | told.TokenReplaced() | told.SubMoveTested() | told.SubMoveMade():
            return after_turn_outcome(board, outcome)
        case told.AttackAnnounced() | told.TurnEnded() | told.TurnClosed():
            return after_turn_outcome(board, outcome)
        case MugFilled() | MugClosed() | ChariotDrawn() | TokenShown() | TokenLapsed() | TokenForfeited():
            return after_mug_outcome(board, outcome)
        case BuildsClosed() | ChariotBuilt() | SeatWithdrawn() | WithdrawalAnnounced() | RaceEnded():
            return after_race_outcome(board, outcome)
        case LapCompleted() | LineCrossed() | ChariotFinished() | CrossingVoided():
            return after_race_outcome(board, outcome)
        case (
            aftermath_outcomes.AftermathBegan()
            | aftermath_outcomes.DriverWalked()
            | aftermath_outcomes.GrabTested()
            | aftermath_outcomes.CutLooseTested()
        ):
            return after_aftermath_outcome(board, outcome)
        case aftermath_outcomes.DriverClimbed() | aftermath_outcomes.DriverStayed() | aftermath_outcomes.DriverLeft():
            return after_aftermath_outcome(board, outcome)
        case _:
            return _with_chariot(board, outcome.chariot, outcome)


ChariotOutcome = (
    told.RollModified
    | told.PointsLost
    | told.TableRolled
    | told.ConditionGained
    | told.TokenLost
    | told.HorseDied
    | told.ChariotCrashed
    | told.DriverSetDown
    | told.DriverDied
    | ChariotPlaced
)


def _threat(board: Board) -> Threat:
    assert board.threat is not None, "somebody is attacked"
    return board.threat


def _with_chariot(board: Board, number: int, outcome: ChariotOutcome) -> Board:
    chariots = list(board.chariots)
    chariots[number] = _chariot_after(chariots[number], outcome)
    return replace(board, chariots=tuple(chariots))


def _chariot_after(chariot: Chariot, outcome: ChariotOutcome) -> Chariot:
    match outcome:
        case told.RollModified():
            return replace(chariot, modifies=chariot.modifies - 1)
        case told.PointsLost():
            return _with_points(chariot, outcome.kind, outcome.left)
        case told.TableRolled():
            return _with_modifier(chariot, outcome.kind, outcome.next_modifier)
        case told.ConditionGained():
            return _with_condition(chariot, outcome.condition, outcome.turn_ends)
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


def _with_points(chariot: Chariot, kind: Points, left: int) -> Chariot:
    match kind:
        case "stamina":
            return replace(chariot, stamina=left)
        case "structure":
            return replace(chariot, structure=left)
        case "health":
            return replace(chariot, health=left)
        case "skill":
            return replace(chariot, skill=left)


def _with_modifier(chariot: Chariot, kind: Points, modifier: int) -> Chariot:
    match kind:
        case "stamina":
            return replace(chariot, stamina_modifier=modifier)
        case "structure":
            return replace(chariot, structure_modifier=modifier)
        case "health":
            return replace(chariot, health_modifier=modifier)
        case "skill":
            return replace(chariot, skill_modifier=modifier)


def _with_condition(chariot: Chariot, condition: told.Condition, turn_ends: int) -> Chariot:
    match condition:
        case "exhausted":
            return replace(chariot, is_exhausted=True)
        case "damaged_wheel":
            return replace(chariot, has_damaged_wheel=True)
        case "no_reins":
            return replace(chariot, has_reins=False)
        case "no_knife":
            return replace(chariot, has_knife=False)
        case "no_whip":
            return replace(chariot, has_whip=False)
        case "unconscious":
            return replace(chariot, unconscious_for=max(chariot.unconscious_for, turn_ends))
        case "out_of_control":
            return replace(chariot, out_of_control_for=max(chariot.out_of_control_for, turn_ends))
        case "fallen":
            return replace(chariot, fallen_for=max(chariot.fallen_for, turn_ends))


def _after_move(board: Board, moved: told.PieceMoved) -> Board:
    if is_wreck(moved.piece):
        wrecks = tuple(
            replace(wreck, pose=moved.after) if wreck_piece(wreck.chariot) == moved.piece else wreck
            for wreck in board.wrecks
        )
        return replace(board, wrecks=wrecks)
    number = chariot_of(moved.piece)
    assert number is not None, "walls do not move"
    chariots = list(board.chariots)
    if is_on_foot(moved.piece):
        chariots[number] = replace(chariots[number], driver_pose=moved.after)
    else:
        chariots[number] = replace(chariots[number], team_pose=moved.after)
    return replace(board, chariots=tuple(chariots), turn=after_way(board.turn, moved))
