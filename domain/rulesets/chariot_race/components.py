"""The content of the box, typed and checked: numbers, die, lanes, grid, heaps, chariot boards.

Data decides nothing; the other files read these values and never repeat one.
"""

from typing import Annotated, Literal

import msgspec
from msgspec import Meta, Struct

from domain.canonical import Json

Colour = Literal["blue", "red", "green", "yellow", "purple", "white"]
LaneName = Literal["inner", "middle", "outer"]
Face = Literal["plus_minus", "sprint", "steer", "attack", "fortuna"]

# Names in the order of the lanes, from the spina outwards; a lane's number is its place here.
LANE_NAMES: tuple[LaneName, ...] = ("inner", "middle", "outer")
CHARIOTS_MAX = 6
# The dice in the box, and so the most that any speed can have.
DICE_MAX = 5

Count = Annotated[int, Meta(ge=1, le=1_000)]
# Every way of a move is looked at: a speed of twice the fastest chariot of the box at most.
SPEED_MAX = 24
Speed = Annotated[int, Meta(ge=1, le=SPEED_MAX)]
Speeds = Annotated[tuple[Speed, ...], Meta(max_length=SPEED_MAX)]


class ComponentsInvalid(ValueError):
    """The data is no box this ruleset could be played with."""

    def __init__(self, *, path: str, expected: str, found: object) -> None:
        self.path = path
        super().__init__(f"{path}: expected {expected}, found {found}")


class Numbers(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    laps: Count
    caltrops: Count
    repair_fate: Count
    repair_damage: Count
    manipulation_fate: Count
    fortuna_fate: Count
    sprint_speed: Speed
    sprint_damage: Count
    ram_damage: Count
    caltrop_damage: Count
    javelin_damage: Count
    javelin_range: Count


class Die(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    faces: Annotated[tuple[Face, ...], Meta(min_length=2, max_length=20)]


class Straight(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One of the four straights of a lap, the same in every lane."""

    spaces: Count
    space_units: Count


class Lane(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    name: LaneName
    corner_spaces: Count
    corner_space_units: Count
    corner_limit: Count


class Corner(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    numbered: tuple[Count, ...]


class GridPlace(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    lane: LaneName
    row: Count


class Heap(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    lane: LaneName
    straight: Literal["before_corner", "after_corner"]
    space: Count


class Heaps(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    first: tuple[Heap, ...]
    second: tuple[Heap, ...]


class BasicBoard(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    colours: Annotated[tuple[Colour, ...], Meta(min_length=CHARIOTS_MAX, max_length=CHARIOTS_MAX)]
    speed_by_damage: Speeds
    dice_up_to: Speeds
    speed: Speed
    fate: Count
    fate_max: Count


class ChariotBoard(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The three tracks of one chariot. `speed_by_damage[d - 1]` is the highest speed a Damage value of d allows."""

    colour: Colour
    speed_by_damage: Speeds
    dice_up_to: Speeds
    speed: Speed
    fate: Count
    fate_max: Count

    @property
    def damage_max(self) -> int:
        return len(self.speed_by_damage)

    @property
    def speed_max(self) -> int:
        return self.speed_by_damage[-1]

    def dice_at(self, speed: int) -> int:
        """Count the dice of an initial speed: the faster, the fewer."""
        return DICE_MAX - sum(speed > highest for highest in self.dice_up_to)


class Components(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    numbers: Numbers
    die: Die
    straight: Straight
    lanes: Annotated[tuple[Lane, ...], Meta(min_length=3, max_length=3)]
    corner: Corner
    grid: Annotated[tuple[GridPlace, ...], Meta(min_length=CHARIOTS_MAX, max_length=CHARIOTS_MAX)]
    heaps: Heaps
    basic: BasicBoard
    alternate: Annotated[tuple[ChariotBoard, ...], Meta(min_length=CHARIOTS_MAX, max_length=CHARIOTS_MAX)]

    def basic_boards(self) -> tuple[ChariotBoard, ...]:
        basic = self.basic
        return tuple(
            ChariotBoard(
                colour=colour,
                speed_by_damage=basic.speed_by_damage,
                dice_up_to=basic.dice_up_to,
                speed=basic.speed,
                fate=basic.fate,
                fate_max=basic.fate_max,
            )
            for colour in basic.colours
        )


def read_components(data: Json) -> Components:
    """Read the data of a components file, or raise ComponentsInvalid with the path of the first fault."""
    try:
        components = msgspec.convert(data, Components)
    except msgspec.ValidationError as error:
        said, _, path = str(error).rpartition(" - at `")
        raise ComponentsInvalid(
            path=path.rstrip("`") or "$", expected="a box of the game", found=said or error
        ) from error
    _check_lanes(components)
    _check_grid(components)
    _check_heaps(components)
    _check_boards(components)
    return components


def _require(holds: object, *, path: str, expected: str, found: object) -> None:
    if not holds:
        raise ComponentsInvalid(path=path, expected=expected, found=found)


def _check_lanes(components: Components) -> None:
    lanes = components.lanes
    names = tuple(lane.name for lane in lanes)
    _require(names == LANE_NAMES, path="$.lanes[...].name", expected=f"{LANE_NAMES}", found=names)
    lengths = tuple(lane.corner_spaces * lane.corner_space_units for lane in lanes)
    _require(
        len(set(lengths)) == 1, path="$.lanes", expected="corners that are equally long in every lane", found=lengths
    )
    shortest = min(lane.corner_spaces for lane in lanes)
    numbered = components.corner.numbered
    _require(
        numbered and max(numbered) <= shortest,
        path="$.corner.numbered",
        expected=f"spaces 1 to {shortest}, which every lane has",
        found=numbered,
    )


def _check_grid(components: Components) -> None:
    places = [(place.lane, place.row) for place in components.grid]
    _require(len(set(places)) == CHARIOTS_MAX, path="$.grid", expected="six different spaces", found=places)
    rows = max(place.row for place in components.grid)
    spaces = components.straight.spaces
    _require(rows <= spaces, path="$.grid[...].row", expected=f"rows on the straight, at most {spaces}", found=rows)


def _check_heaps(components: Components) -> None:
    heaps = components.heaps.first + components.heaps.second
    lanes = {heap.lane for heap in heaps}
    _require(len(lanes) == len(LANE_NAMES), path="$.heaps", expected="a heap in each lane", found=sorted(lanes))
    farthest = max(heap.space for heap in heaps)
    spaces = components.straight.spaces
    _require(
        farthest <= spaces,
        path="$.heaps[...].space",
        expected=f"a space on the straight, 1 to {spaces}",
        found=farthest,
    )


def _check_boards(components: Components) -> None:
    colours = sorted(board.colour for board in components.alternate)
    _require(
        colours == sorted(set(components.basic.colours)),
        path="$.alternate[...].colour",
        expected="the six colours of the basic game",
        found=colours,
    )
    for path, board in (
        ("$.basic", components.basic_boards()[0]),
        *((f"$.alternate[{place}]", board) for place, board in enumerate(components.alternate)),
    ):
        _check_board(path, board)


def _check_board(path: str, board: ChariotBoard) -> None:
    speeds = board.speed_by_damage
    _require(
        speeds and list(speeds) == sorted(speeds),
        path=f"{path}.speed_by_damage",
        expected="speeds that never fall",
        found=speeds,
    )
    dice = board.dice_up_to
    _require(
        dice and len(dice) <= DICE_MAX and list(dice) == sorted(set(dice)) and dice[-1] == board.speed_max,
        path=f"{path}.dice_up_to",
        expected=f"at most {DICE_MAX} rising speeds, the last of them {board.speed_max}",
        found=dice,
    )
    _require(board.speed <= board.speed_max, path=f"{path}.speed", expected=f"<= {board.speed_max}", found=board.speed)
    _require(board.fate <= board.fate_max, path=f"{path}.fate", expected=f"<= {board.fate_max}", found=board.fate)
