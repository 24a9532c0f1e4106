"""The phases after a movement, with loaded dice: short names for beginning one and for answering."""

from collections.abc import Iterable
from typing import Any

import pytest
from msgspec.structs import replace

from domain.rejection import IllegalAction
from domain.rulesets.chariotmaster.aftermath.aftermath import (
    begin_aftermath,
    check_aftermath,
    owed_aftermath,
    play_aftermath,
)
from domain.rulesets.chariotmaster.race.actions import AftermathAction
from domain.rulesets.chariotmaster.race.board import Chariot, Grasp, Wreck
from domain.rulesets.chariotmaster.race.outcomes import TurnClosed
from tests.domain.rulesets.chariotmaster.fake_ruleset_pileup import ARENA, chariot_at
from tests.domain.rulesets.chariotmaster.loaded_script import LoadedScript, pose_at, table

HERE = pose_at(0)
NO_REINS: dict[str, Any] = {"has_reins": False}
ON_SHAFT: dict[str, Any] = {"has_reins": False, "grasp": Grasp(aim="reins", held_reins=False)}
CUTTING: dict[str, Any] = {
    "has_reins": False,
    "horses": 1,
    "dead_horses": 1,
    "grasp": Grasp(aim="dead_horse", held_reins=True),
}
DRAGGED: dict[str, Any] = {"driver": "dragged", "has_body": False, "has_reins": False}


def on_foot(x_mm: int, y_mm: int, **changes: Any) -> dict[str, Any]:
    return {"driver": "on_foot", "has_reins": False, "driver_pose": pose_at(x_mm, y_mm)} | changes


def after_turn(
    *faces: int,
    others: tuple[Chariot, ...] = (),
    wrecks: tuple[Wreck, ...] = (),
    answers: Iterable[Any] = (),
    **mine: Any,
) -> LoadedScript:
    """One chariot has just moved."""
    board = replace(table(chariot_at(0, mine.pop("pose", HERE), **mine), *others), wrecks=wrecks)
    script = LoadedScript(board, faces=faces, answers=answers)
    begin_aftermath(script, ARENA, chariot=0)
    return script


def answer(script: LoadedScript, *actions: AftermathAction) -> LoadedScript:
    for action in actions:
        check_aftermath(ARENA, script.board, action)
        play_aftermath(script, ARENA, action, name="a1")
    return script


def refused(script: LoadedScript, action: AftermathAction) -> IllegalAction:
    with pytest.raises(IllegalAction) as refusal:
        check_aftermath(ARENA, script.board, action)
    return refusal.value


def owed(script: LoadedScript) -> list[str]:
    return [decision.id for decision in owed_aftermath(script.board)]


def closed(script: LoadedScript) -> Chariot:
    """End the turn, every die used up, nothing owed, and return the chariot."""
    script.assert_done()
    assert owed(script) == []
    script.emit(TurnClosed(chariot=0))
    return script.board.chariots[0]
