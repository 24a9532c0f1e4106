"""CH-35 to CH-37, CH-88: the next space. Black moves skip outer spaces, and so do chariots that have finished."""

from domain.rulesets.charioteer.board import Board
from domain.rulesets.charioteer.cards import Symbol
from domain.rulesets.charioteer.components import Components
from domain.rulesets.charioteer.track import is_outer


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
