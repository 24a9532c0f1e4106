"""Wrecks: a chariot without damage left is out at once, and a caltrop marks the place (CR-36)."""

from typing import TypeAlias

from domain.rulesets.chariot_race.actions import Action
from domain.rulesets.chariot_race.board import Board
from domain.rulesets.chariot_race.components import Colour
from domain.rulesets.chariot_race.outcomes import ChariotWrecked, Outcome, WreckCause
from domain.rulesets.chariot_race.track import SpaceName
from domain.rulesets.script import Script

RaceScript: TypeAlias = Script[Board, Action, Outcome]


def wreck(script: RaceScript, colour: Colour, cause: WreckCause, space: SpaceName) -> None:
    """Remove a chariot. A space never holds two caltrops, and an empty supply leaves none."""
    _wreck(script, colour, cause, space, moment=script.board.wreck_moments + 1)


def wreck_together(script: RaceScript, colour: Colour, cause: WreckCause, space: SpaceName) -> None:
    """Remove a chariot in the same moment as the one before it; they share their place."""
    _wreck(script, colour, cause, space, moment=script.board.wreck_moments)


def _wreck(  # the rules' four facts, and the moment that tells the two callers apart
    script: RaceScript, colour: Colour, cause: WreckCause, space: SpaceName, *, moment: int
) -> None:
    board = script.board
    leaves_caltrop = board.caltrops_left > 0 and board.track.spaces[space] not in board.caltrops
    script.emit(ChariotWrecked(chariot=colour, cause=cause, space=space, caltrop=leaves_caltrop, moment=moment))
