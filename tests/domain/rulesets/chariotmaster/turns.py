"""One chariot's turn with loaded dice, and short names for its steps."""

from typing import Any

import pytest
from msgspec.structs import replace

from domain.rejection import IllegalAction
from domain.rulesets.chariotmaster.box.component_file import TokenName
from domain.rulesets.chariotmaster.race.actions import (
    AnnounceSubMove,
    ChangeSpeed,
    GoOn,
    MakeSubMove,
    MoveAction,
    Pivot,
    Stop,
    Way,
)
from domain.rulesets.chariotmaster.race.board import Chariot, Turn, Wreck
from domain.rulesets.chariotmaster.race.outcomes import TurnEnded
from domain.rulesets.chariotmaster.table.shapes import Hinge
from domain.rulesets.chariotmaster.turn.chariot_turn import begin_turn, check_move, play_move
from tests.domain.rulesets.chariotmaster.fake_ruleset_pileup import ARENA, chariot_at
from tests.domain.rulesets.chariotmaster.loaded_script import LoadedScript, pose_at, table

BRAKE, SPUR, WHIP = (ChangeSpeed(change=change) for change in ("brake", "spur", "whip"))
ANNOUNCE, GO_ON, STOP = AnnounceSubMove(), GoOn(), Stop()
HERE = pose_at(0)


def turn_of(
    token: TokenName, *faces: int, others: tuple[Chariot, ...] = (), wrecks: tuple[Wreck, ...] = (), **mine: Any
) -> LoadedScript:
    turns = mine.pop("game_turns", 0)
    mine_now = chariot_at(0, mine.pop("pose", HERE), **mine)
    board = replace(table(mine_now, *others, active=None), wrecks=wrecks, game_turns=turns)
    script = LoadedScript(board, faces=faces)
    begin_turn(script, ARENA, chariot=0, token=token)
    return script


def go(script: LoadedScript, *actions: MoveAction) -> LoadedScript:
    for action in actions:
        check_move(ARENA, script.board, action)
        play_move(script, ARENA, action, name="t1")
    return script


def refused(script: LoadedScript, action: MoveAction) -> IllegalAction:
    with pytest.raises(IllegalAction) as refusal:
        check_move(ARENA, script.board, action)
    return refusal.value


def ahead(distance_mm: int | None, pivot: Pivot | None = None, *, way: Way = "ahead") -> MakeSubMove:
    return MakeSubMove(way=way, distance_mm=distance_mm, pivot=pivot)


def left(degrees: int, hinge: Hinge = "centre") -> Pivot:
    return Pivot(hinge=hinge, degrees=degrees)


def state(script: LoadedScript) -> Turn:
    assert script.board.turn is not None
    return script.board.turn


def reach_cm(script: LoadedScript) -> tuple[int, int]:
    return state(script).min_um // 10_000, state(script).max_um // 10_000


def ending(script: LoadedScript) -> list[str]:
    script.assert_done()
    return [ended.reason for ended in script.told(TurnEnded)]
