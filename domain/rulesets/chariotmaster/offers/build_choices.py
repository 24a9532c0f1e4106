"""The choices of a build: the whole table, and builds a step or two from the plainest."""

from collections.abc import Iterable, Iterator
from itertools import combinations

from domain.rejection import IllegalAction
from domain.rulesets.chariotmaster.box.building import Build, default_build, points_of
from domain.rulesets.chariotmaster.box.component_file import Components, Equipment
from domain.rulesets.chariotmaster.offers.choices import BuildChoices, EquipmentOffer, RaceOffer
from domain.rulesets.chariotmaster.offers.foreseen import BuildForeseen
from domain.rulesets.chariotmaster.race.actions import BuildChariot
from domain.rulesets.chariotmaster.race.board import Board
from domain.rulesets.chariotmaster.race.racetrack import Arena
from domain.rulesets.chariotmaster.rounds.finish_line import laps_of
from domain.rulesets.chariotmaster.rounds.setup import build_fitting
from domain.rulesets.chariotmaster.rounds.workshop import check_choice
from domain.rulesets.chariotmaster.rounds.workshop import points_of as points_max


def list_builds(arena: Arena, board: Board, chariot: int) -> BuildChoices:
    """List the equipment on offer, the limits that each race sets, and some builds."""
    box, options = arena.box, board.options
    races = box.races if options.equipment == "races" else ()
    return BuildChoices(
        chariot=chariot,
        points_max=points_max(arena, options, board.chariots[chariot].seat),
        equipment=tuple(
            EquipmentOffer(category=item.category, name=item.name, points=item.points, excludes=item.excludes)
            for item in box.equipment
        ),
        races=tuple(
            RaceOffer(name=race.name, may_choose=race.may_choose, must_take=race.must_take, may_add=race.may_add)
            for race in races
        ),
        candidates=tuple(_list_candidates(arena, board, chariot, [race.name for race in races] or [None])),
    )


def foresee_build(arena: Arena, board: Board, action: BuildChariot) -> BuildForeseen:
    """Foresee the cost of a build and its effect on a chariot."""
    build = Build(equipment=action.equipment)
    fitting = build_fitting(arena, build, laps=laps_of(arena, board.options))
    return BuildForeseen(points=points_of(arena.box, build), fitting=fitting)


def _list_candidates(arena: Arena, board: Board, chariot: int, races: Iterable[str | None]) -> Iterator[BuildChariot]:
    """Yield for each race the plainest build, and all that differ from it in one or two categories."""
    for race in races:
        plain = default_build(arena.box, race)
        builds = [plain]
        for item in arena.box.equipment:
            builds += [_with(arena.box, plain, (item,)), _plus(arena.box, plain, item)]
        builds += [_with(arena.box, plain, pair) for pair in combinations(arena.box.equipment, 2)]
        for build in dict.fromkeys(builds):
            choice = BuildChariot(race=race, equipment=build.equipment)
            if _is_legal(arena, board, chariot, choice):
                yield choice


def _with(box: Components, plain: Build, taken: tuple[Equipment, ...]) -> Build:
    """Take some equipment instead of the plain build's in those categories."""
    categories = [item.category for item in taken]
    names = [item.name for item in taken]
    kept = [item.name for item in box.equipment if item.name in plain.equipment and item.category not in categories]
    return Build(equipment=tuple(item.name for item in box.equipment if item.name in (*kept, *names)))


def _plus(box: Components, plain: Build, added: Equipment) -> Build:
    """Take some equipment besides the plain build's: some races may."""
    names = (*plain.equipment, added.name)
    return Build(equipment=tuple(item.name for item in box.equipment for _ in range(names.count(item.name))))


def _is_legal(arena: Arena, board: Board, chariot: int, choice: BuildChariot) -> bool:
    try:
        check_choice(arena, board, chariot, choice)
    except IllegalAction:
        return False
    return True
