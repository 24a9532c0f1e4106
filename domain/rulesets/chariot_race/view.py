"""The view of a race: all of it is public.

The track is in the view as a client would draw it, so a client needs no rules and no tables of its own.
"""

from typing import Literal

from msgspec import Struct

from domain.ids import Seat
from domain.ruleset.decision import Placing
from domain.ruleset.teams import TeamResult
from domain.rulesets.chariot_race.board import Board, Chariot, front_of, space_of
from domain.rulesets.chariot_race.components import LANE_NAMES, Colour, Face, GridPlace, LaneName
from domain.rulesets.chariot_race.outcomes import EndReason
from domain.rulesets.chariot_race.ranking import list_teams, rank
from domain.rulesets.chariot_race.track import SpaceName, Stretch, Track


class SpacePicture(Struct, frozen=True, kw_only=True):
    """A space from its back border to its front border, in units of the lap; `limit` is the number printed on it."""

    name: SpaceName
    start_units: int
    end_units: int
    limit: int | None
    has_heap: bool


class LanePicture(Struct, frozen=True, kw_only=True):
    name: LaneName
    spaces: tuple[SpacePicture, ...]


class TrackPicture(Struct, frozen=True, kw_only=True):
    lap_units: int
    stretches: tuple[Stretch, ...]
    lanes: tuple[LanePicture, ...]  # from the inside
    grid: tuple[SpaceName, ...]  # the marked spaces: place 1 comes first


class ChariotView(Struct, frozen=True, kw_only=True):
    """`space` and `front` are null off the track. `grid_place` is where it started; `ranking` states which is ahead.

    `speed_by_damage` is the highest speed for a Damage value of 1, 2, …; `dice_up_to` the highest with 5, 4, … dice.
    """

    colour: Colour
    seat: Seat
    status: Literal["waiting", "racing", "wrecked", "withdrawn"]
    damage_left: int
    damage_max: int
    speed: int
    speed_max: int
    fate: int
    fate_max: int
    speed_by_damage: tuple[int, ...]
    dice_up_to: tuple[int, ...]
    grid_place: int
    space: SpaceName | None
    front: int | None
    laps: int
    is_safe: bool


class TurnView(Struct, frozen=True, kw_only=True):
    chariot: Colour
    phase: str
    dice: tuple[Face, ...]
    attacks_left: int


class RaceView(Struct, frozen=True, kw_only=True):
    round: int
    rounds_max: int
    laps: int
    order: tuple[Colour, ...]
    turn: TurnView | None
    chariots: tuple[ChariotView, ...]
    caltrops: tuple[SpaceName, ...]
    caltrops_left: int
    track: TrackPicture
    ranking: tuple[Placing, ...]
    teams: tuple[TeamResult, ...]
    ended: EndReason | None


def draw_track(track: Track, grid: tuple[GridPlace, ...]) -> TrackPicture:
    """Draw the whole track; done once for each pair of halves."""
    return TrackPicture(
        lap_units=track.lap_units,
        stretches=track.stretches,
        lanes=tuple(
            LanePicture(name=name, spaces=tuple(_draw_space(track, lane, index) for index in range(track.sizes[lane])))
            for lane, name in enumerate(LANE_NAMES)
        ),
        grid=tuple(track.names[track.space(lane=LANE_NAMES.index(place.lane), step=-place.row)] for place in grid),
    )


def show(board: Board, picture: TrackPicture) -> RaceView:
    return RaceView(
        round=board.round,
        rounds_max=board.options.rounds_max,
        laps=board.components.numbers.laps,
        order=board.order,
        turn=_show_turn(board),
        chariots=tuple(_show_chariot(board, chariot) for chariot in board.chariots),
        caltrops=tuple(board.track.names[space] for space in board.caltrops),
        caltrops_left=board.caltrops_left,
        track=picture,
        ranking=rank(board),
        teams=list_teams(board),
        ended=board.ended,
    )


def _draw_space(track: Track, lane: int, index: int) -> SpacePicture:
    space = track.space(lane=lane, step=index)
    return SpacePicture(
        name=track.names[space],
        start_units=track.fronts[lane][index - 1] if index else 0,
        end_units=track.fronts[lane][index],
        limit=track.limits[space] or None,
        has_heap=track.heaps[space],
    )


def _show_chariot(board: Board, chariot: Chariot) -> ChariotView:
    is_racing = chariot.status == "racing"
    front = front_of(board, chariot) if is_racing else None
    return ChariotView(
        colour=chariot.colour,
        seat=chariot.seat,
        status=chariot.status,
        damage_left=chariot.damage_left,
        damage_max=chariot.table.damage_max,
        speed=chariot.speed,
        speed_max=chariot.table.speed_max,
        fate=chariot.fate,
        fate_max=chariot.table.fate_max,
        speed_by_damage=chariot.table.speed_by_damage,
        dice_up_to=chariot.table.dice_up_to,
        grid_place=chariot.place,
        space=board.track.names[space_of(board, chariot)] if is_racing else None,
        front=front,
        laps=0 if front is None else board.track.laps(front),
        is_safe=board.options.no_damage_after_line and chariot.is_home,
    )


def _show_turn(board: Board) -> TurnView | None:
    turn = board.turn
    if turn is None:
        return None
    return TurnView(
        chariot=turn.chariot, phase=turn.phase, dice=turn.dice, attacks_left=turn.attacks - turn.attacks_made
    )
