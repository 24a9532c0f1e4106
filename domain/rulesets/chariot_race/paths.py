"""Every path a chariot may take at a speed, each with its consequences."""

from domain.rulesets.chariot_race.choices import MoveOffer
from domain.rulesets.chariot_race.movement import Ground, Place, Toll, enter, rest
from domain.rulesets.chariot_race.track import LANE_LETTERS


def find_paths(ground: Ground, start: Place, toll: Toll, *, speed: int, steers: int) -> tuple[MoveOffer, ...]:
    """List the paths, those with the latest lane changes first. `toll` is what the sprints have cost already."""
    if not toll.damage_left:
        return (_offer(ground, toll, start, path="", damage_before=_before(toll)),)
    search = _Search(ground, speed, _before(toll))
    search.explore(start, toll, path="", steers=steers)
    return tuple(search.offers)


def _before(toll: Toll) -> int:
    return toll.damage_left + sum(incident.damage for incident in toll.incidents)


def _offer(ground: Ground, toll: Toll, place: Place, *, path: str, damage_before: int) -> MoveOffer:
    track = ground.track
    return MoveOffer(
        path,
        track.names[track.space(place.lane, place.step)],
        track.front(place.lane, place.step),
        damage_before - toll.damage_left,
        toll.damage_left,
        toll.incidents,
    )


class _Search:
    """One walk through the tree of paths. A path ends at full length, or where the chariot is wrecked."""

    def __init__(self, ground: Ground, speed: int, damage_before: int) -> None:
        self.offers: list[MoveOffer] = []
        self._ground = ground
        self._speed = speed
        self._damage_before = damage_before

    def explore(self, place: Place, toll: Toll, *, path: str, steers: int) -> None:
        """Go straight on to the end; then, from the last space back to here, turn off wherever it is possible."""
        track = self._ground.track
        lane, step = place.lane, place.step
        size, base, letter = track.sizes[lane], track.bases[lane], LANE_LETTERS[lane]
        hazards = self._ground.hazards
        junctions: list[tuple[int, Toll, str]] = []
        for at in range(len(path) + 1, self._speed + 1):
            if steers:
                junctions.append((step, toll, path))
            step += 1
            path += letter
            space = base + step % size
            if space in hazards:
                toll = enter(self._ground, toll, space, at)
                if not toll.damage_left:
                    break
        self._close(Place(lane, step), toll, path)
        for junction, toll_there, path_there in reversed(junctions):
            lap, index = divmod(junction, size)
            for aside in track.aside[lane][index]:
                target = Place(aside.lane, lap * track.sizes[aside.lane] + aside.step)
                self._turn_off(target, toll_there, path=path_there + LANE_LETTERS[aside.lane], steers=steers - 1)

    def _turn_off(self, place: Place, toll: Toll, *, path: str, steers: int) -> None:
        space = self._ground.track.space(place.lane, place.step)
        if space in self._ground.hazards:
            toll = enter(self._ground, toll, space, len(path))
            if not toll.damage_left:
                self._close(place, toll, path)
                return
        self.explore(place, toll, path=path, steers=steers)

    def _close(self, place: Place, toll: Toll, path: str) -> None:
        if toll.incidents:
            place, toll = rest(self._ground, toll, place, len(path))
        self.offers.append(_offer(self._ground, toll, place, path=path, damage_before=self._damage_before))
