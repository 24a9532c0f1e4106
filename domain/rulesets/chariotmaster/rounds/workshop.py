"""CM-110: before the race: every chariot is built in secret, all builds are opened together, then the grid is drawn.

A seat that does not show a build drives the plainest chariot there is.
"""

from typing import Literal

from msgspec import UnsetType

from domain.ids import DecisionId, Seat
from domain.rejection import IllegalAction
from domain.ruleset.by_seat import read_seat
from domain.ruleset.decision import Decision
from domain.ruleset.teams import check_teams
from domain.rulesets.chariotmaster.box.building import (
    Build,
    IllegalBuild,
    UnknownRace,
    check_build,
    default_build,
)
from domain.rulesets.chariotmaster.race.actions import BuildChariot
from domain.rulesets.chariotmaster.race.board import Board
from domain.rulesets.chariotmaster.race.cascade import AnyScript
from domain.rulesets.chariotmaster.race.options import CHARIOT_TURNS_LIMIT, CHARIOT_WAY_LIMIT_MM, Options
from domain.rulesets.chariotmaster.race.race_outcomes import BuildsClosed, ChariotBuilt
from domain.rulesets.chariotmaster.race.racetrack import Arena
from domain.rulesets.chariotmaster.rounds.finish_line import laps_of
from domain.rulesets.chariotmaster.rounds.setup import build_chariot, build_fitting
from domain.rulesets.chariotmaster.table.course import UM_PER_MM


class UnfitRaceOptions(IllegalAction):
    """These options cannot be played together, or not by so many seats."""

    code = "unfit-race-options"


def lay_out(arena: Arena, seats: tuple[Seat, ...], options: Options) -> Board:
    """CM-110: return the board before anything was built or drawn; every chariot is the plainest one, for now."""
    numbers = arena.box.numbers
    if not numbers.seats_min <= len(seats) <= numbers.seats_max:
        raise UnfitRaceOptions(expected=f"{numbers.seats_min} to {numbers.seats_max} seats", found=str(len(seats)))
    each_max = min(numbers.chariots_per_seat_max, numbers.chariots_max // len(seats))
    if options.chariots_each > each_max:
        raise UnfitRaceOptions(expected=f"at most {each_max} chariots a seat", found=str(options.chariots_each))
    if options.equipment == "none" and not isinstance(options.handicap, UnsetType):
        raise UnfitRaceOptions(expected="equipment to spend the points of a handicap on", found="none")
    if options.teams is not None:
        check_teams(options.teams, seats)
    laps = laps_of(arena, options)
    way_mm = arena.middle.length_um * laps * options.chariots_each * len(seats) // UM_PER_MM
    if way_mm > CHARIOT_WAY_LIMIT_MM:
        raise UnfitRaceOptions(
            expected=f"at most {CHARIOT_WAY_LIMIT_MM} mm of all chariots together", found=f"{way_mm} mm"
        )
    chariot_turns = (options.turns_max or 0) * options.chariots_each * len(seats)
    if chariot_turns > CHARIOT_TURNS_LIMIT:
        raise UnfitRaceOptions(
            expected=f"at most {CHARIOT_TURNS_LIMIT} turns of all chariots together", found=str(chariot_turns)
        )
    plain = default_choice(arena, options)
    chariots = tuple(
        build_chariot(arena, Build(equipment=plain.equipment), seat=seat, laps=laps)
        for seat in seats
        for _ in range(options.chariots_each)
    )
    unbuilt = () if options.equipment == "none" else tuple(range(len(chariots)))
    return Board(chariots=chariots, seats=seats, options=options, unbuilt=unbuilt)


def owed_builds(board: Board) -> tuple[Decision, ...]:
    """CM-110: list the builds that are still owed: all at once, first sealed, then opened."""
    kind: Literal["sealed", "opening"] = "opening" if board.are_builds_closed else "sealed"
    return tuple(Decision(id=_name(number), seat=board.chariots[number].seat, kind=kind) for number in board.unbuilt)


def close_builds(script: AnyScript) -> None:
    """Every build is in."""
    script.emit(BuildsClosed(chariots=script.board.unbuilt))


def check_choice(arena: Arena, board: Board, chariot: int, action: BuildChariot) -> None:
    """CM-100: raise IllegalBuild or UnknownRace unless a chariot may be built so."""
    options = board.options
    races = [race.name for race in arena.box.races]
    if options.equipment == "races" and action.race is None:
        raise UnknownRace(expected=f"one of {', '.join(races)}", found="none")
    if options.equipment != "races" and action.race is not None:
        raise UnknownRace(expected="none, as races do not count", found=action.race)
    points_max = points_of(arena, options, board.chariots[chariot].seat)
    check_build(arena.box, Build(equipment=action.equipment), race=action.race, points_max=points_max)


def open_build(script: AnyScript, arena: Arena, chariot: int, action: BuildChariot) -> None:
    """Fit out a chariot as it was chosen."""
    build = Build(equipment=action.equipment)
    fitting = build_fitting(arena, build, laps=laps_of(arena, script.board.options))
    script.emit(ChariotBuilt(chariot=chariot, race=action.race, equipment=action.equipment, fitting=fitting))


def chariot_to_build(decision: Decision) -> int:
    """Return which chariot a build is for."""
    return int(decision.id.removeprefix(_PREFIX))


def default_choice(arena: Arena, options: Options) -> BuildChariot:
    """CM-136: return the plainest chariot; where races count, of the first race that can have one for so few points."""
    races = [race.name for race in arena.box.races] if options.equipment == "races" else [None]
    for race in races:
        build = default_build(arena.box, race)
        try:
            check_build(arena.box, build, race=race, points_max=_points_of_all(arena, options))
        except IllegalBuild:
            continue
        return BuildChariot(race=race, equipment=build.equipment)
    raise UnfitRaceOptions(expected="points enough for some chariot", found=str(_points_of_all(arena, options)))


def points_of(arena: Arena, options: Options, seat: Seat) -> int:
    """CM-100, CM-142: return how many equipment points a chariot of a seat may cost."""
    more = 0 if isinstance(options.handicap, UnsetType) else int(read_seat(options.handicap, seat))
    return _points_of_all(arena, options) + more


def _points_of_all(arena: Arena, options: Options) -> int:
    return arena.box.numbers.equipment_points if options.equipment_points is None else options.equipment_points


_PREFIX = "build/c"


def _name(chariot: int) -> DecisionId:
    return DecisionId(f"{_PREFIX}{chariot}")
