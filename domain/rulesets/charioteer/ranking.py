"""CH-90, CH-98: places, live and in the end, of seats and of teams."""

from msgspec import UnsetType

from domain.ids import Seat
from domain.ruleset.decision import Placing
from domain.ruleset.teams import TeamResult, rank_teams
from domain.rulesets.charioteer.board import Board
from domain.rulesets.charioteer.end_of_turn import final_order


def rank(board: Board) -> tuple[Placing, ...]:
    """Rank every seat. Seats of a team share its place, but for those that resigned."""
    places = {seat: (0, place) for place, seat in enumerate(final_order(board), start=1)}
    withdrawn = _list_withdrawn(board)
    for result in list_teams(board):
        places |= dict.fromkeys(result.seats, (0, result.place))
    last = {seat: (1, place) for place, seat in enumerate(final_order(board)) if seat in withdrawn}
    ordered = sorted((place, seat) for seat, place in (places | last).items())
    standings = [place for place, _ in ordered]
    return tuple(Placing(place=1 + standings.index(place), seat=seat) for place, seat in ordered)


def list_teams(board: Board) -> tuple[TeamResult, ...]:
    """CH-98: rank the teams by all their chariots."""
    teams = board.options.teams
    if isinstance(teams, UnsetType):
        return ()
    units = [(seat, place) for place, seat in enumerate(final_order(board))]
    return rank_teams(teams, units, _list_withdrawn(board))


def _list_withdrawn(board: Board) -> tuple[Seat, ...]:
    return tuple(driver.seat for driver in board.drivers if not driver.is_racing)
