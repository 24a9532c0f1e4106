"""What Chariot Race costs: whole races by defaults and by bots, and the search for every path of a fast chariot."""

import time
from collections.abc import Callable
from random import Random

from msgspec import Struct
from msgspec.structs import replace

from bench.rate import Rate, build_rate
from domain.ids import Seat
from domain.ruleset.rehearsal import Rehearsal
from domain.rulesets.chariot_race.board import Board
from domain.rulesets.chariot_race.bots import fast_bot
from domain.rulesets.chariot_race.movement import Place, Toll, survey
from domain.rulesets.chariot_race.options import RaceOptions
from domain.rulesets.chariot_race.paths import find_paths
from domain.rulesets.chariot_race.ruleset import ChariotRaceRuleset

RACES = 200
SEARCHES = 2_000
# The fastest that a chariot can be, with two lane changes: some 150 paths of 12 spaces.
SPEED = 12
STEERS = 2
# A crowded track: half of the supply lies on it.
CALTROPS = 10
SEATS = tuple(Seat(seat) for seat in range(4))


class RaceCost(Struct, frozen=True, kw_only=True):
    """On one core; an event is a whole race of four seats, or one search.

    `absent` answers everything by default, which searches all paths but shows no view; `bots` get a view each time.
    """

    absent: Rate
    bots: Rate
    paths: Rate


def measure_chariot_race(rules: ChariotRaceRuleset, *, races: int = RACES, searches: int = SEARCHES) -> RaceCost:
    numbers = Random(7)  # noqa: S311 - made-up boards, the same in every run
    boards = [crowd(rules, numbers) for _ in range(searches)]
    return RaceCost(
        absent=_measure("races, every seat absent", races, lambda seed: _race_by_default(rules, seed)),
        bots=_measure("races of four fast bots", races, lambda seed: _race_by_bots(rules, seed)),
        paths=_measure("paths at speed 12 with two steers", searches, lambda place: _search(boards[place])),
    )


def crowd(rules: ChariotRaceRuleset, numbers: Random) -> Board:
    """Put six chariots and many caltrops anywhere on side A."""
    board = rules.initial_board(tuple(Seat(seat) for seat in range(6)), RaceOptions())
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


def _search(board: Board) -> None:
    chariot = board.chariots[0]
    ground = survey(board, chariot, SPEED)
    toll = Toll(chariot.damage_left, ())
    assert find_paths(ground, Place(chariot.lane, chariot.step), toll, steers=STEERS)


def _race_by_default(rules: ChariotRaceRuleset, seed: int) -> None:
    rehearsal = _begin(rules, seed)
    while owed := rehearsal.owed():
        rehearsal.answer(owed[0], rules.default_action(rehearsal.board, owed[0]))


def _race_by_bots(rules: ChariotRaceRuleset, seed: int) -> None:
    rehearsal = _begin(rules, seed)
    numbers = Random(seed)  # noqa: S311 - a seed makes the race the same everywhere
    while owed := rehearsal.owed():
        view = rules.view(rehearsal.board, owed[0].seat)
        rehearsal.answer(owed[0], fast_bot.choose(view, owed[0].id, numbers))


def _begin(rules: ChariotRaceRuleset, seed: int) -> Rehearsal:
    return Rehearsal(rules, seats=SEATS, options=RaceOptions(), secret=seed.to_bytes(32, "big"))


def _measure(name: str, events: int, run: Callable[[int], None]) -> Rate:
    latencies_s: list[float] = []
    started = time.perf_counter()
    for event in range(events):
        before = time.perf_counter()
        run(event)
        latencies_s.append(time.perf_counter() - before)
    return build_rate(name, latencies_s=latencies_s, events=events, elapsed_s=time.perf_counter() - started)
