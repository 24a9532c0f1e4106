"""The story of a move as outcomes: stretches, corners, caltrops, rams, wrecks, laps (CR-30 to CR-36, CR-62)."""

from domain.rulesets.chariot_race import outcomes
from domain.rulesets.chariot_race.board import Chariot, chariot_of, front_of
from domain.rulesets.chariot_race.choices import Incident
from domain.rulesets.chariot_race.components import Colour
from domain.rulesets.chariot_race.movement import Place, Walk
from domain.rulesets.chariot_race.wreck import RaceScript, wreck, wreck_together


def tell_walk(script: RaceScript, colour: Colour, walked: Walk) -> None:
    """List the stretches and incidents of a path in the order in which they happen."""
    told = 0
    incidents = walked.toll.incidents
    for number, incident in enumerate(incidents):
        if incident.at > told:
            _tell_stretch(script, colour, walked.places[told : incident.at])
            told = incident.at
        is_set_back = number + 1 < len(incidents) and incidents[number + 1].kind == "set_back"
        if incident.kind == "ram" and is_set_back:
            # CR-33: first the rammer is placed behind, only then a wreck is removed.
            _tell_ram(script, colour, incident)
            _tell_set_back(script, colour, incidents[number + 1], walked.stands)
            _tell_wrecks(script, colour, incident)
        elif incident.kind != "set_back":
            _tell_incident(script, colour, incident)
            _tell_wrecks(script, colour, incident)
    if told < len(walked.places):
        _tell_stretch(script, colour, walked.places[told:])


def _tell_stretch(script: RaceScript, colour: Colour, places: tuple[Place, ...]) -> None:
    track = script.board.track
    path = tuple(track.names[track.space(lane=place.lane, step=place.step)] for place in places)
    script.emit(
        outcomes.ChariotMoved(chariot=colour, path=path, front=track.front(lane=places[-1].lane, step=places[-1].step))
    )


def _tell_incident(script: RaceScript, colour: Colour, incident: Incident) -> None:
    match incident.kind:
        case "corner":
            script.emit(
                outcomes.CornerTaken(
                    chariot=colour,
                    space=incident.space,
                    limit=script.board.track.limits[script.board.track.spaces[incident.space]],
                    speed=chariot_of(script.board, colour).speed,
                    damage=incident.damage,
                    damage_left=incident.damage_left,
                )
            )
        case "caltrop":
            script.emit(
                outcomes.CaltropHit(
                    chariot=colour, space=incident.space, damage=incident.damage, damage_left=incident.damage_left
                )
            )
        case "heap":
            script.emit(outcomes.HeapStruck(chariot=colour, space=incident.space))
        case "ram":
            _tell_ram(script, colour, incident)
        case _:
            assert incident.kind == "sprint", incident  # emitted with the speed


def _tell_ram(script: RaceScript, colour: Colour, incident: Incident) -> None:
    assert incident.other is not None, incident
    assert incident.other_damage_left is not None, incident
    script.emit(
        outcomes.ChariotRammed(
            chariot=colour,
            rammed=incident.other,
            space=incident.space,
            damage=incident.damage,
            damage_left=incident.damage_left,
            rammed_damage=chariot_of(script.board, incident.other).damage_left - incident.other_damage_left,
            rammed_damage_left=incident.other_damage_left,
        )
    )


def _tell_set_back(script: RaceScript, colour: Colour, incident: Incident, stands: Place) -> None:
    assert incident.other is not None, incident
    front = script.board.track.front(lane=stands.lane, step=stands.step)
    script.emit(outcomes.ChariotSetBack(chariot=colour, behind=incident.other, space=incident.space, front=front))


def _tell_wrecks(script: RaceScript, colour: Colour, incident: Incident) -> None:
    """Remove chariots without damage left after an incident; both wrecked by a ram are wrecked at the same moment."""
    is_other_wrecked = incident.kind == "ram" and incident.other_damage_left == 0
    if is_other_wrecked:
        assert incident.other is not None, incident
        wreck(script, incident.other, "ram", incident.space)
    if incident.damage_left or incident.kind in ("sprint", "set_back"):
        return
    assert incident.kind in ("corner", "caltrop", "heap", "ram"), incident
    remove = wreck_together if is_other_wrecked else wreck
    remove(script, colour, incident.kind, incident.space)


def tell_laps(script: RaceScript, chariot: Chariot, laps_before: int) -> None:
    """Describe how the whole move changed the laps; they are read from where the chariot stands (CR-32)."""
    track = script.board.track
    front = front_of(script.board, chariot)
    laps = track.laps(front)
    if laps > laps_before:
        beyond = front - laps * track.lap_units
        script.emit(outcomes.LapCompleted(chariot=chariot.colour, laps=laps, beyond_line_units=beyond))
    elif laps < laps_before:
        script.emit(outcomes.LapUndone(chariot=chariot.colour, laps=laps))
