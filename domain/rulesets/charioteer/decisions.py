"""The decision that each seat owes: every turn one sealed choice, opened when all are in."""

from domain.ids import DecisionId, Seat
from domain.ruleset.decision import Decision
from domain.rulesets.charioteer.board import Board, racing


def list_decisions(board: Board) -> tuple[Decision, ...]:
    """In seat order; nothing when the race is over."""
    match board.phase:
        case "choosing":
            return tuple(
                Decision(id=decision_id(board, driver.seat), seat=driver.seat, kind="sealed")
                for driver in racing(board)
            )
        case "opening":
            return tuple(
                Decision(id=decision_id(board, driver.seat), seat=driver.seat, kind="opening")
                for driver in racing(board)
                if driver.played is None
            )
        case "setting_up" | "over":
            return ()


def decision_id(board: Board, seat: Seat) -> DecisionId:
    return DecisionId(f"t{board.turn}/move/{seat}")
