"""Wrecks: a chariot without damage left is out at once, and a caltrop marks the place (CR-36)."""

from typing import TypeAlias

from msgspec.structs import replace

from domain.ruleset.script import Script
from domain.rulesets.chariot_race.actions import Action
from domain.rulesets.chariot_race.board import Board
from domain.rulesets.chariot_race.components import Colour
from domain.rulesets.chariot_race.outcomes import ChariotWrecked, Outcome, WreckCause
from domain.rulesets.chariot_race.track import SpaceName

RaceScript: TypeAlias = Script[Board, Action, Outcome]


def wreck(script: RaceScript, colour: Colour, cause: WreckCause, space: SpaceName) -> None:
    """Remove a chariot. A space never holds two caltrops, and an empty supply leaves none."""
    script.emit(_wrecked(script.board, colour, cause, space))


def wreck_together(script: RaceScript, colour: Colour, cause: WreckCause, space: SpaceName) -> None:
    """Remove a chariot in the same moment as the one before it; they share their place."""
    told = _wrecked(script.board, colour, cause, space)
    script.emit(replace(told, moment=script.board.wreck_moments))


def _wrecked(board: Board, colour: Colour, cause: WreckCause, space: SpaceName) -> ChariotWrecked:
    leaves_caltrop = board.caltrops_left > 0 and board.track.spaces[space] not in board.caltrops
    return ChariotWrecked(
        chariot=colour, cause=cause, space=space, caltrop=leaves_caltrop, moment=board.wreck_moments + 1
    )
