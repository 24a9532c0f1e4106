"""Stone heaps ahead, as a driver sees them: how many lane changes the next spaces need, and with which dice.

A guess about the next turn only; the offers of the game tell the effects of a move now.
"""

from domain.rulesets.chariot_race.view import ChariotView, LanePicture, RaceView

# In percent: no Steer in a throw of so many dice and one more of all of them. The first entry is a throw of none.
_NO_STEER_PERCENT = (100, 44, 20, 9, 4, 2)
# More changes than this are not looked for; a chariot that needs them is as good as wrecked.
CHANGES_MAX = 3


class Lookout:
    """The lanes of a view. Answers are kept, as many moves end on the same space."""

    def __init__(self, view: RaceView) -> None:
        self._lanes = view.track.lanes
        self._places = {
            space.name: (lane, index)
            for lane, picture in enumerate(self._lanes)
            for index, space in enumerate(picture.spaces)
        }
        self._has_heaps = any(space.has_heap for lane in self._lanes for space in lane.spaces)
        self._needed: dict[tuple[str, int], int] = {}

    def changes_needed(self, space: str | None, steps: int) -> int:
        """Count the fewest lane changes with which a chariot drives so many spaces on and enters no heap."""
        if not self._has_heaps or space is None:
            return 0
        if (space, steps) not in self._needed:
            self._needed[space, steps] = self._search(space, steps)
        return self._needed[space, steps]

    def wreck_percent(self, chariot: ChariotView, space: str, speed: int, *, fate_for_steer: int) -> int:
        """Guess how likely a chariot that stands there at this speed is to be wrecked by a heap in its next turn."""
        missing = self.changes_needed(space, speed + 1) - chariot.fate // fate_for_steer
        if missing <= 0:
            return 0
        dice = sum(speed <= highest for highest in chariot.dice_up_to)
        return min(100, missing * _NO_STEER_PERCENT[dice])

    def _search(self, space: str, steps: int) -> int:
        reached = {self._places[space]: 0}
        for _ in range(steps):
            ahead: dict[tuple[int, int], int] = {}
            for (lane, index), changes in reached.items():
                for other in (lane - 1, lane, lane + 1):
                    if not 0 <= other < len(self._lanes):
                        continue
                    place = other, self._next(lane, index, other)
                    count = changes + (other != lane)
                    if not self._lanes[place[0]].spaces[place[1]].has_heap and count <= CHANGES_MAX:
                        ahead[place] = min(count, ahead.get(place, count))
            reached = ahead
        return min(reached.values(), default=CHANGES_MAX + 1)

    def _next(self, lane: int, index: int, other: int) -> int:
        """Find the first space of a lane whose front border is ahead, on the next lap if need be."""
        picture: LanePicture = self._lanes[other]
        if lane == other:
            return (index + 1) % len(picture.spaces)
        front = self._lanes[lane].spaces[index].end_units
        found = sum(space.end_units <= front for space in picture.spaces)
        return found % len(picture.spaces)
