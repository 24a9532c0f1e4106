"""The dearest search of Chariot Race: every path of the fastest chariot on a crowded track."""

from collections.abc import Callable

from msgspec.structs import replace

from domain.ids import Seat
from domain.ruleset.bot import Numbers
from domain.rulesets.chariot_race.board import Board
from domain.rulesets.chariot_race.movement import Place, Toll, survey
from domain.rulesets.chariot_race.options import RaceOptions
from domain.rulesets.chariot_race.paths import find_paths
from domain.rulesets.chariot_race.ruleset import ChariotRaceRuleset

# Some 150 paths of 12 spaces.
SPEED = 12
STEERS = 2
# Half of the supply.
CALTROPS = 10
SEATS = tuple(Seat(seat) for seat in range(6))


def search_paths(rules: ChariotRaceRuleset, numbers: Numbers) -> Callable[[], object]:
    board = crowd(rules, numbers)
    chariot = board.chariots[0]

    def search() -> object:
        ground = survey(board, chariot, SPEED)
        return find_paths(ground, Place(chariot.lane, chariot.step), Toll(chariot.damage_left, ()), steers=STEERS)

    return search


def crowd(rules: ChariotRaceRuleset, numbers: Numbers) -> Board:
    """Put six chariots and many caltrops anywhere on side A."""
    board = rules.initial_board(SEATS, RaceOptions())
    spaces = numbers.sample(range(len(board.track.names)), len(board.chariots) + CALTROPS)
    chariots = tuple(
        replace(
            chariot,
            status="racing",
            lane=board.track.lane(space),
            step=space - board.track.bases[board.track.lane(space)],
        )
        for chariot, space in zip(board.chariots, spaces, strict=False)
    )
    return replace(board, chariots=chariots, caltrops=tuple(sorted(spaces[len(chariots) :])))
