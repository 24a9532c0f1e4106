"""How far points lead on the track of a view, with the rivals where they stand now.

A guess only: rivals move too, and only the rules of the game decide the outcome.
"""

from domain.rulesets.charioteer.bots.choices import own_view
from domain.rulesets.charioteer.view import View


class Road:
    """The road ahead of the own chariot. Answers are kept, as many moves ask the same."""

    def __init__(self, view: View) -> None:
        me = next(each for each in view.drivers if each.seat == own_view(view).seat)
        self._is_outer = tuple(space.kind == "outer" for space in view.track.spaces)
        self._size = len(self._is_outer)
        self._finish = view.laps * self._size
        self._rivals: dict[int, int] = {}
        for each in view.drivers:
            if each.space is not None and each.seat != me.seat:
                self._rivals[each.space] = self._rivals.get(each.space, 0) + 1
        self._beside = len(me.beside)
        self._is_free = view.turn == 1
        self._known: dict[tuple[int, bool], int] = {}
        self.progress = me.progress
        self.left = self._finish - me.progress

    def gain(self, points: int, *, is_black: bool) -> int:
        """Count the spaces that points lead ahead, rivals passed and outer spaces skipped."""
        key = (points, is_black)
        if key not in self._known:
            self._known[key] = self._walk(points, is_black=is_black) - self.progress
        return self._known[key]

    def _walk(self, points: int, *, is_black: bool) -> int:
        progress, inside = self.progress, self._beside
        while points > 0:
            if inside and not self._is_free:
                inside, points = inside - 1, points - 1
                continue
            progress += 1
            if self._is_outer[progress % self._size] and (is_black or progress >= self._finish):
                progress += 1
            points -= 1
            inside = self._rivals.get(progress % self._size, 0)
        return progress
