"""Movement: the hazards on a chariot's path, space by space (CR-28 to CR-33, CR-60 to CR-62).

Pure and certain: the offers, the check and the outcomes of a move all walk through here, so they cannot differ.
"""

from collections.abc import Iterator

from msgspec import Struct

from domain.rulesets.chariot_race.board import Board, Chariot, is_safe, racing, space_of
from domain.rulesets.chariot_race.choices import Incident
from domain.rulesets.chariot_race.components import Colour, Numbers
from domain.rulesets.chariot_race.track import LANE_LETTERS, Track


class Hazard(Struct, frozen=True):
    """The hazards of entering a space, each with its outcome."""

    has_heap: bool
    corner_damage: int
    has_caltrop: bool
    chariot: Chariot | None
    chariot_is_safe: bool


class Ground(Struct, frozen=True, kw_only=True):
    """The track as one chariot finds it at one speed: hazards by space, and nothing where the way is clear."""

    track: Track
    numbers: Numbers
    speed: int
    hazards: dict[int, Hazard]
    caltrops: tuple[int, ...]
    caltrops_left: int


class Toll(Struct, frozen=True):
    """The cost of a path so far."""

    damage_left: int
    incidents: tuple[Incident, ...]


class Place(Struct, frozen=True):
    lane: int
    step: int


class Walk(Struct, frozen=True, kw_only=True):
    """A move as it goes: the places entered, the hazards there, and where the chariot stands in the end."""

    places: tuple[Place, ...]
    toll: Toll
    stands: Place


def survey(board: Board, chariot: Chariot, speed: int) -> Ground:
    """Look at the track from one chariot's seat; its own space is free."""
    track = board.track
    others = {space_of(board, other): other for other in racing(board) if other is not chariot}
    hazards: dict[int, Hazard] = {}
    # Only possible hazards are looked at: the whole track would cost more than the search for paths.
    for space in (*track.marked, *board.caltrops, *others):
        limit, has_heap, other = track.limits[space], track.heaps[space], others.get(space)
        has_caltrop = space in board.caltrops
        damage = max(0, speed - limit) if limit else 0
        if has_heap or damage or has_caltrop or other is not None:
            safe = other is not None and is_safe(board, other)
            hazards[space] = Hazard(has_heap, damage, has_caltrop, other, safe)
    return Ground(
        track=track,
        numbers=board.components.numbers,
        speed=speed,
        hazards=hazards,
        caltrops=board.caltrops,
        caltrops_left=board.caltrops_left,
    )


def steps_from(track: Track, place: Place, steers: int) -> Iterator[tuple[str, Place]]:
    """List where the next step may lead, with its letter: straight on, and aside while there are steers (CR-29)."""
    lane, step = place.lane, place.step
    yield LANE_LETTERS[lane], Place(lane, step + 1)
    if steers:
        lap, index = divmod(step, track.sizes[lane])
        for aside in track.aside[lane][index]:
            yield LANE_LETTERS[aside.lane], Place(aside.lane, lap * track.sizes[aside.lane] + aside.step)


def enter(ground: Ground, toll: Toll, space: int, *, at: int) -> Toll:
    """Enter a space: heap, corner, caltrop, ram, in this order, each only by a chariot that is still whole (CR-61)."""
    hazard = ground.hazards.get(space)
    if hazard is None:
        return toll
    name = ground.track.names[space]
    if hazard.has_heap:
        return Toll(0, (*toll.incidents, Incident("heap", at, name, toll.damage_left, 0)))
    if hazard.corner_damage:
        toll = _suffer(toll, Incident("corner", at, name, hazard.corner_damage, 0))
    if hazard.has_caltrop and toll.damage_left:
        toll = _suffer(toll, Incident("caltrop", at, name, ground.numbers.caltrop_damage, 0))
    if hazard.chariot is not None and toll.damage_left:
        ram = ground.numbers.ram_damage
        other = hazard.chariot
        left = other.damage_left if hazard.chariot_is_safe else max(0, other.damage_left - ram)
        toll = _suffer(toll, Incident("ram", at, name, ram, 0, other.colour, left))
    return toll


def rest(ground: Ground, toll: Toll, place: Place, *, at: int) -> tuple[Place, Toll]:
    """End the move here; on a rammed chariot, be set back behind it (CR-32, CR-62)."""
    if not toll.damage_left:
        return place, toll
    hazard = ground.hazards.get(ground.track.space(lane=place.lane, step=place.step))
    if hazard is None or hazard.chariot is None:
        return place, toll
    free = _first_free_behind(ground, toll, place)
    space = ground.track.space(lane=free.lane, step=free.step)
    name = ground.track.names[space]
    set_back = Incident("set_back", at, name, 0, toll.damage_left, hazard.chariot.colour)
    toll = Toll(toll.damage_left, (*toll.incidents, set_back))
    if space in _caltrops_after(ground, toll):
        toll = _suffer(toll, Incident("caltrop", at, name, ground.numbers.caltrop_damage, 0))
    return free, toll


def _suffer(toll: Toll, incident: Incident) -> Toll:
    # A chariot loses no more than is left.
    damage = min(incident.damage, toll.damage_left)
    left = toll.damage_left - damage
    told = Incident(
        incident.kind, incident.at, incident.space, damage, left, incident.other, incident.other_damage_left
    )
    return Toll(left, (*toll.incidents, told))


def _first_free_behind(ground: Ground, toll: Toll, place: Place) -> Place:
    wrecked = _wrecked_others(toll)
    step = place.step - 1
    while True:
        hazard = ground.hazards.get(ground.track.space(lane=place.lane, step=step))
        is_occupied = hazard is not None and hazard.chariot is not None and hazard.chariot.colour not in wrecked
        if not is_occupied and not (hazard is not None and hazard.has_heap):
            return Place(place.lane, step)
        step -= 1


def _wrecked_others(toll: Toll) -> tuple[Colour, ...]:
    return tuple(
        incident.other for incident in toll.incidents if incident.other is not None and incident.other_damage_left == 0
    )


def _caltrops_after(ground: Ground, toll: Toll) -> list[int]:
    """Find where caltrops lie once this path's own are taken and its wrecks have left theirs."""
    lying = list(ground.caltrops)
    left = ground.caltrops_left
    for incident in toll.incidents:
        space = ground.track.spaces[incident.space]
        if incident.kind == "caltrop":
            lying.remove(space)
            left += 1
        elif incident.kind == "ram" and incident.other_damage_left == 0 and left and space not in lying:
            lying.append(space)
            left -= 1
    return lying
