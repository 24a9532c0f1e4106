"""CH-30 to CH-38, CH-88: movement has no choices. Each point passes a rival inside a space, or leads to the next."""

from msgspec import Struct

from domain.ids import Seat
from domain.rulesets.charioteer.board import Board, Driver, driver_of, race_order
from domain.rulesets.charioteer.cards import Symbol
from domain.rulesets.charioteer.components import Components
from domain.rulesets.charioteer.outcomes import ChariotMoved, RivalPassed
from domain.rulesets.charioteer.track import is_outer, space_at


def next_progress(components: Components, board: Board, progress: int, *, is_black: bool) -> int:
    """Find the progress after one step forward."""
    ahead = progress + 1
    if (is_black or ahead >= finish_progress(components, board)) and is_outer(components.track, ahead):
        return ahead + 1
    return ahead


def finish_progress(components: Components, board: Board) -> int:
    """Find the first progress beyond the line after the last lap."""
    return board.options.laps * len(components.track.spaces)


def is_cornering(symbol: Symbol) -> bool:
    return symbol.colour == "black"


class Stride(Struct, frozen=True, kw_only=True):
    """How a chariot goes: points or steps to spend, and whether it skips outer spaces as a black move does."""

    points: int
    is_black: bool


class Walk(Struct, frozen=True, kw_only=True):
    """Where points lead. `inside_of` is the rival passed last in the space where it ends."""

    entered: tuple[int, ...]
    passed: tuple[RivalPassed, ...]
    inside_of: Seat | None
    progress: int


def moving_order(board: Board) -> tuple[Seat, ...]:
    """CH-30: race order as it stands now. On turn 1 that is play order, as the chariots stand in Start by it."""
    return tuple(driver.seat for driver in race_order(board))


def rivals_by_space(components: Components, board: Board, seat: Seat) -> dict[int, list[Seat]]:
    """List the rivals standing in each space, inside first; lapped chariots stand there like any others (CO-21)."""
    progress = {driver.seat: driver.progress for driver in board.drivers}
    spaces: dict[int, list[Seat]] = {}
    for other in board.row:
        if other != seat:
            spaces.setdefault(space_at(components.track, progress[other]), []).append(other)
    return spaces


def rivals_inside(board: Board, components: Components, seat: Seat) -> list[Seat]:
    """List the chariots to be passed before this one may leave its space, innermost first."""
    space = space_at(components.track, driver_of(board, seat).progress)
    mates = rivals_by_space(components, board, seat).get(space, [])
    return [other for other in mates if board.row.index(other) < board.row.index(seat)]


def walk(components: Components, board: Board, driver: Driver, stride: Stride) -> Walk:
    """Spend the points. On turn 1 passing is free: on the way to a further space, or also in the last one (CH-38)."""
    spaces = rivals_by_space(components, board, driver.seat)
    inside = rivals_inside(board, components, driver.seat)
    price = 0 if board.turn == 1 else 1
    slips_inside = board.turn == 1 and board.options.first_turn == "inside"
    progress, points = driver.progress, stride.points
    entered: list[int] = []
    passed: list[RivalPassed] = []
    inside_of: Seat | None = None
    while points > 0 or (slips_inside and entered and inside):
        here = space_at(components.track, progress)
        if inside:
            inside_of = inside.pop()
            passed.append(RivalPassed(rival=inside_of, space=here, price=price))
            points -= price
            continue
        ahead = next_progress(components, board, progress, is_black=stride.is_black)
        for skipped in range(progress + 1, ahead):
            passed += _passed_aside(spaces, space_at(components.track, skipped))
        progress, points, inside_of = ahead, points - 1, None
        entered.append(space_at(components.track, progress))
        inside = list(spaces.get(entered[-1], ()))
    return Walk(entered=tuple(entered), passed=tuple(passed), inside_of=inside_of, progress=progress)


def tell_walk(components: Components, driver: Driver, walked: Walk, *, distance: int) -> ChariotMoved:
    return ChariotMoved(
        seat=driver.seat,
        distance=distance,
        came_from=space_at(components.track, driver.progress),
        entered=walked.entered,
        passed=walked.passed,
        inside_of=walked.inside_of,
        progress=walked.progress,
    )


def _passed_aside(spaces: dict[int, list[Seat]], space: int) -> list[RivalPassed]:
    """CH-37, CO-20: rivals on a skipped outer space cost nothing, but they have been passed."""
    return [RivalPassed(rival=rival, space=space, price=0) for rival in reversed(spaces.get(space, ()))]
