"""The one chapter of decisions: every turn each seat owes one sealed choice, opened when all are in."""

from domain.ids import DecisionId, Seat
from domain.ruleset.chapter import Chapter
from domain.ruleset.decision import Decision
from domain.rulesets.charioteer.actions import Action, Move, Reset
from domain.rulesets.charioteer.board import Board, driver_of, racing
from domain.rulesets.charioteer.choices import list_legal_actions
from domain.rulesets.charioteer.components import Components
from domain.rulesets.charioteer.defaults import default_action
from domain.rulesets.charioteer.legality import check_action
from domain.rulesets.charioteer.outcomes import MovesClosed
from domain.rulesets.charioteer.previews import preview_action
from domain.rulesets.charioteer.revealing import tell_forfeit, tell_reveal
from domain.rulesets.charioteer.writing import CharioteerScript


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


def _close(script: CharioteerScript, _: Components) -> None:
    script.emit(MovesClosed(turn=script.board.turn))


def _play(script: CharioteerScript, box: Components, decision: Decision, action: Action) -> None:
    script.emit(tell_reveal(box, script.board, driver_of(script.board, decision.seat), action))


def _forfeit(script: CharioteerScript, box: Components, decision: Decision) -> None:
    script.emit(tell_forfeit(box, driver_of(script.board, decision.seat)))


CHAPTERS = (
    Chapter[Components, Board](
        answers=(Move, Reset),
        owed=list_decisions,
        choices=lambda box, board, decision: list_legal_actions(box, board, driver_of(board, decision.seat)),
        check=lambda box, board, decision, action: check_action(box, board, driver_of(board, decision.seat), action),
        foresee=lambda box, board, decision, action: preview_action(
            box, board, driver_of(board, decision.seat), action
        ),
        default=lambda box, board, decision: default_action(box, board, driver_of(board, decision.seat)),
        play=_play,
        close=_close,
        forfeit=_forfeit,
    ),
)
