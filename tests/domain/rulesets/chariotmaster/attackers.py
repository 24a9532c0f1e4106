"""A chariot beside others with an attack to make, and short names for the attacks."""

from typing import Any

from msgspec.structs import replace

from domain.rulesets.chariotmaster.race.actions import Attack, Endure
from domain.rulesets.chariotmaster.race.board import AttackMeans, Board, Chariot, Wreck, team_piece
from domain.rulesets.chariotmaster.race.outcomes import PieceMoved
from domain.rulesets.chariotmaster.table.shapes import Pose
from domain.rulesets.chariotmaster.turn.attacks import list_attacks
from domain.rulesets.chariotmaster.turn.chariot_turn import begin_turn
from tests.domain.rulesets.chariotmaster.fake_ruleset_pileup import ARENA, FITTING, chariot_at
from tests.domain.rulesets.chariotmaster.loaded_script import LoadedScript, pose_at, table
from tests.domain.rulesets.chariotmaster.turns import ahead, go

THEM = team_piece(1)
WOLVES = replace(FITTING, bite=4)
BOARS = replace(FITTING, bite=3, team_value=1, rams_with_horses=True)
HORROR = replace(FITTING, is_frightening=True)
ENDURE = Endure()
# The attacker comes to rest 5 cm further on: these places are beside him then, on his right.
BODY_BESIDE, HORSES_BESIDE = pose_at(50, -20), pose_at(30, -20)


def attacking(
    *faces: int, others: tuple[Chariot, ...], answers: tuple[Any, ...] = (), wrecks: tuple[Wreck, ...] = (), **mine: Any
) -> LoadedScript:
    """Begin a turn in the second game turn and move 5 cm ahead."""
    turns = mine.pop("game_turns", 2)
    board = replace(table(chariot_at(0, pose_at(0), **mine), *others, active=None), wrecks=wrecks, game_turns=turns)
    script = LoadedScript(board, faces=faces, answers=answers)
    begin_turn(script, ARENA, chariot=0, token=5)
    return go(script, ahead(50))


def them(pose: Pose = BODY_BESIDE, **changes: Any) -> Chariot:
    return chariot_at(1, pose, **changes)


def attack(means: AttackMeans, part: int = 1) -> Attack:
    return Attack(target=THEM, part=part, means=means)


def means(board: Board) -> list[tuple[int, int, str]]:
    return [(target.attack.target, target.attack.part, target.attack.means) for target in list_attacks(ARENA, board)]


def moves(script: LoadedScript, piece: int) -> list[tuple[str, int]]:
    told = [moved for moved in script.told(PieceMoved) if moved.piece == piece]
    return [(moved.reason, moved.distance_um // 1_000) for moved in told]
