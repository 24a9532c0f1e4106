"""CM-116: progress along the middle of the track, laps, and the line at the end of the last one.

The front of the team counts. A team driven backwards across the line has to come past it again.
"""

from typing import Any

from msgspec.structs import replace

from domain.ruleset.decision import Decision
from domain.rulesets.chariotmaster.race.board import Board, Chariot, can_finish
from domain.rulesets.chariotmaster.race.cascade import AnyScript
from domain.rulesets.chariotmaster.race.options import Options
from domain.rulesets.chariotmaster.race.race_outcomes import LapCompleted, LineCrossed
from domain.rulesets.chariotmaster.race.racetrack import Arena, team_base
from domain.rulesets.chariotmaster.table.laps import find_place, unwrapped
from domain.rulesets.chariotmaster.table.shapes import bounds, shifted


class WatchedScript:
    """Passes everything on to a script; behind every move it writes the outcomes for laps and places."""

    def __init__(self, script: AnyScript, arena: Arena) -> None:
        self._script = script
        self.arena = arena

    @property
    def board(self) -> Board:
        return self._script.board

    def emit(self, outcome: Any) -> None:
        """Write an outcome, and the crossings of the line that it causes."""
        before = self._script.board.chariots
        self._script.emit(outcome)
        after = self._script.board.chariots
        for number, (old, new) in enumerate(zip(before, after, strict=True)):
            if new is not old and new.progress_um > old.progress_um and can_finish(new):
                self._tell_progress(number, new)

    def roll(self, name: str, *, dice: int, sides: int) -> tuple[int, ...]:
        """Roll dice in the open."""
        return self._script.roll(name, dice=dice, sides=sides)

    def ask(self, decision: Decision) -> Any:
        """Return the answer to a decision in the middle of a play."""
        return self._script.ask(decision)

    def _tell_progress(self, number: int, chariot: Chariot) -> None:
        laps = laps_of(self.arena, self.board.options)
        done = min(chariot.progress_um // self.arena.middle.length_um, laps)
        if done > chariot.laps_completed:
            self._script.emit(LapCompleted(chariot=number, lap=done))
            if done == laps:
                self._script.emit(LineCrossed(chariot=number, is_dragged=chariot.driver == "dragged"))


def laps_of(arena: Arena, options: Options) -> int:
    """MO-3: return how many laps a race has: as many as the table, else the course, else the box states."""
    return options.laps or arena.plan.laps or arena.box.numbers.laps


def measured(arena: Arena, before: Board, after: Board) -> Board:
    """CM-116: return a board on which the progress of every chariot whose team has moved is measured anew."""
    if after.chariots is before.chariots:
        return after
    chariots = tuple(
        _measured(arena, old, new) if new is not old else new
        for old, new in zip(before.chariots, after.chariots, strict=True)
    )
    return replace(after, chariots=chariots)


def _measured(arena: Arena, old: Chariot, new: Chariot) -> Chariot:
    pose = new.team_pose
    if pose is None or (pose == old.team_pose and team_base(arena, new) == team_base(arena, old)):
        return new
    front = shifted(pose, ahead_um=bounds(team_base(arena, new))[1], left_um=0)
    place = find_place(arena.middle, (front.x_um, front.y_um))
    progress_um = unwrapped(arena.middle, progress_um=old.progress_um, along_um=place.along_um)
    return new if progress_um == new.progress_um else replace(new, progress_um=progress_um)
