"""Every path a chariot may take at a speed, each with its consequences."""

from domain.rulesets.chariot_race.choices import MoveOffer
from domain.rulesets.chariot_race.movement import Ground, Place, Toll, enter, rest
from domain.rulesets.chariot_race.track import LANE_LETTERS


def find_paths(ground: Ground, start: Place, toll: Toll, *, steers: int) -> tuple[MoveOffer, ...]:
    """List the paths, those with the latest lane changes first. `toll` is the cost of the sprints so far."""
    search = _Search(ground, toll)
    if toll.damage_left:
        search.explore(start, toll, path="", steers=steers)
    else:
        search.close(start, toll, path="")
    return tuple(search.offers)


class _Search:
    """One walk through the tree of paths. A path ends at full length, or where the chariot is wrecked."""

    def __init__(self, ground: Ground, sprints: Toll) -> None:
        self.offers: list[MoveOffer] = []
        self._ground = ground
        self._damage_before = sprints.damage_left + sum(incident.damage for incident in sprints.incidents)

    def explore(self, place: Place, toll: Toll, *, path: str, steers: int) -> None:
        """Go straight on to the end; then, from the last space back to here, turn off wherever it is possible."""
        track = self._ground.track
        lane, step = place.lane, place.step
        size, base, letter = track.sizes[lane], track.bases[lane], LANE_LETTERS[lane]
        hazards = self._ground.hazards
        junctions: list[tuple[int, Toll, str]] = []
        for at in range(len(path) + 1, self._ground.speed + 1):
            if steers:
                junctions.append((step, toll, path))
            step += 1
            path += letter
            space = base + step % size
            if space in hazards:
                toll = enter(self._ground, toll, space, at=at)
                if not toll.damage_left:
                    break
        self.close(Place(lane, step), toll, path=path)
        for junction, toll_there, path_there in reversed(junctions):
            lap, index = divmod(junction, size)
            for aside in track.aside[lane][index]:
                target = Place(aside.lane, lap * track.sizes[aside.lane] + aside.step)
                self._turn_off(target, toll_there, path=path_there + LANE_LETTERS[aside.lane], steers=steers - 1)

    def close(self, place: Place, toll: Toll, *, path: str) -> None:
        """Offer a path that ends here."""
        track = self._ground.track
        if toll.incidents:
            place, toll = rest(self._ground, toll, place, at=len(path))
        lap, index = divmod(place.step, track.sizes[place.lane])
        self.offers.append(
            MoveOffer(
                path,
                track.names[track.bases[place.lane] + index],
                lap * track.lap_units + track.fronts[place.lane][index],
                self._damage_before - toll.damage_left,
                toll.damage_left,
                toll.incidents,
            )
        )

    def _turn_off(self, place: Place, toll: Toll, *, path: str, steers: int) -> None:
        space = self._ground.track.space(lane=place.lane, step=place.step)
        if space in self._ground.hazards:
            toll = enter(self._ground, toll, space, at=len(path))
            if not toll.damage_left:
                self.close(place, toll, path=path)
                return
        self.explore(place, toll, path=path, steers=steers)
