"""CH-05, CH-23, CH-50 to CH-54: the skills track.

A place counts from the lowest start space: start spaces, middle spaces, then the bonus box, where markers stay.
"""

from typing import Literal

from msgspec import Struct

from domain.rulesets.charioteer.cards import COLOURS, Colour

EmperorFace = Literal["sprint", "attack", "recover", "corner", "all", "disrupt"]

Places = tuple[int, ...]

WISHES: dict[EmperorFace, tuple[Colour, ...]] = {
    "sprint": ("green",),
    "attack": ("red",),
    "recover": ("yellow",),
    "corner": ("black",),
    "all": COLOURS,
    "disrupt": (),
}


class SkillsTrack(Struct, frozen=True, kw_only=True):
    start_spaces: int
    start_bonus: int
    middle_spaces: int
    middle_bonus: int
    box_bonuses: tuple[int, ...]

    @property
    def box(self) -> int:
        """The place of the lowest space in the bonus box."""
        return self.start_spaces + self.middle_spaces


def starting_places(track: SkillsTrack, order: tuple[Colour, ...]) -> Places:
    """Put the colour listed first on the highest start space."""
    return tuple(track.start_spaces - 1 - order.index(colour) for colour in COLOURS)


def skill_bonus(track: SkillsTrack, place: int) -> int:
    if place >= track.box:
        return track.box_bonuses[place - track.box]
    return track.start_bonus if place < track.start_spaces else track.middle_bonus


def advanced_place(track: SkillsTrack, places: Places, colour_index: int, steps: int) -> int:
    """Find where a marker comes to stand: in the bonus box on the lowest free space, left-over steps being lost."""
    place = places[colour_index]
    if place >= track.box:
        return place
    if place + steps < track.box:
        return place + steps
    return next(space for space in range(track.box, track.box + len(track.box_bonuses)) if space not in places)


def emperor_steps(wish: EmperorFace, colour: Colour) -> int:
    """CH-51: one step more for a move of the colour the emperor wants to see."""
    return 1 if colour in WISHES[wish] else 0
