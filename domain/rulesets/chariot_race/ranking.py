"""Places, live and in the end (CR-41 to CR-43, CR-67, XG-09)."""

from msgspec import UnsetType

from domain.ids import Seat
from domain.ruleset.decision import Placing
from domain.ruleset.teams import TeamResult, rank_teams
from domain.rulesets.chariot_race.board import Board, Chariot, front_of

# A seat stands by its best chariot: on the track, then wrecked; a seat that withdrew stands last.
_RACING, _WRECKED, _WITHDRAWN = range(3)
Standing = tuple[int, int]


def rank(board: Board) -> tuple[Placing, ...]:
    """Rank every seat; equal standings share a place. Without a chariot left no seat wins, and places begin at 2."""
    standings = {seat: _standing_of(board, seat) for seat in board.seats}
    for result in list_teams(board):
        standings |= {seat: (_RACING, result.place) for seat in result.seats if seat not in board.withdrawn}
    ordered = sorted((standing, seat) for seat, standing in standings.items())
    places = [standing for standing, _ in ordered]
    return tuple(Placing(place=_first(board) + places.index(standing), seat=seat) for standing, seat in ordered)


def list_teams(board: Board) -> tuple[TeamResult, ...]:
    """CR-75: rank the teams by all their chariots."""
    teams = board.options.teams
    if isinstance(teams, UnsetType):
        return ()
    units = [(chariot.seat, _standing(board, chariot)) for chariot in board.chariots]
    # In a draft a seat has no chariot yet.
    units += [(seat, _standing_of(board, seat)) for seat in board.seats if seat not in {seat for seat, _ in units}]
    return rank_teams(teams, units, board.withdrawn, first=_first(board))


def _first(board: Board) -> int:
    return 2 if board.ended == "no_chariot_left" else 1


def _standing_of(board: Board, seat: Seat) -> Standing:
    if seat in board.withdrawn:
        # A later resignation stands above an earlier one.
        return (_WITHDRAWN, -board.withdrawn.index(seat))
    chariots = [chariot for chariot in board.chariots if chariot.seat == seat]
    return min((_standing(board, chariot) for chariot in chariots), default=(_RACING, 0))


def _standing(board: Board, chariot: Chariot) -> Standing:
    match chariot.status:
        case "racing":
            return (_RACING, -front_of(board, chariot))
        case "wrecked":
            return (_WRECKED, -chariot.wreck_moment)
        case "withdrawn":
            return (_WITHDRAWN, -board.withdrawn.index(chariot.seat))
        case "waiting":
            # Still without a place on the grid: level with everyone else.
            return (_RACING, 0)
