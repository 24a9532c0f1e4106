"""A heat: a ruleset of the tests only. A few game turns of tokens, mug and moving, without a winner.

It plays sealed tokens, openings one at a time and questions in the middle of moves through the real script.
"""

from collections.abc import Mapping
from typing import Any

from msgspec import Struct

from domain.canonical import encode
from domain.chance import Chance, DeckShuffled, DiceRolled
from domain.ids import Seat
from domain.ruleset.decision import Decision, Placing
from domain.ruleset.playout import Playout
from domain.ruleset.script import Script
from domain.rulesets.chariotmaster.harm.luck import check_luck
from domain.rulesets.chariotmaster.race.actions import DefenceAction, Defend, Endure, LuckAction, MoveAction, PutToken
from domain.rulesets.chariotmaster.race.board import Board, Chariot, is_under_control
from domain.rulesets.chariotmaster.race.evolution import evolve
from domain.rulesets.chariotmaster.race.mug_outcomes import TokenShown
from domain.rulesets.chariotmaster.race.outcomes import OUTCOME_TYPES, Outcome, TurnClosed
from domain.rulesets.chariotmaster.rounds.mug import (
    check_token,
    close_mug,
    draw_token,
    fill_mug,
    forfeit_token,
    halt,
    owed_tokens,
    show_token,
)
from domain.rulesets.chariotmaster.turn.chariot_turn import begin_turn, check_move, owed_step, play_move
from tests.domain.rulesets.chariotmaster.fake_ruleset_pileup import ARENA

GAME_TURNS = 4


class HeatOptions(Struct, frozen=True, kw_only=True):
    chariots: tuple[Chariot, ...]


class Heat:
    """Who is not under control stands still when drawn."""

    name = "heat"
    version = 1
    seats = range(1, 13)
    link_chains = 4
    action_type = PutToken | LuckAction | DefenceAction | MoveAction
    options_type = HeatOptions
    view_type = Board
    choices_type = Decision
    preview_type = Decision
    components = encode({})
    outcome_types: Mapping[str, type[Any]] = OUTCOME_TYPES

    def initial_board(self, seats: tuple[Seat, ...], options: HeatOptions) -> Board:
        assert len(seats) <= len(options.chariots)
        return Board(chariots=options.chariots)

    def begin(self, script: Script[Board, Any, Any]) -> None:
        fill_mug(script)
        self._go_on(script)

    def decisions(self, board: Board) -> tuple[Decision, ...]:
        return owed_step(board) or owed_tokens(board)

    def check(self, board: Board, decision: Decision, action: Any) -> None:
        if isinstance(action, PutToken):
            check_token(board, decision, action)
        elif isinstance(action, Defend | Endure):
            assert board.threat is not None
        elif board.offered is not None:
            check_luck(board, action)
        else:
            check_move(ARENA, board, action)

    def close(self, script: Script[Board, Any, Any]) -> None:
        close_mug(script)
        self._go_on(script)

    def play(self, script: Script[Board, Any, Any], decision: Decision, action: Any) -> None:
        if isinstance(action, PutToken):
            show_token(script, action.token)
        else:
            play_move(script, ARENA, action, name=decision.id)
        self._go_on(script)

    def forfeit(self, script: Script[Board, Any, Any], decision: Decision) -> None:
        assert decision in owed_tokens(script.board)
        forfeit_token(script)
        assert script.board.active is not None
        halt(script, ARENA, chariot=script.board.active)
        self._go_on(script)

    def _go_on(self, script: Script[Board, Any, Any]) -> None:
        """Go from the token that lies open to its turn, and from the end of a turn to the next draw."""
        while script.board.turn is None and not owed_tokens(script.board):
            last = script.written[-1].event
            if isinstance(last, TokenShown):
                if is_under_control(script.board.chariots[last.chariot]):
                    begin_turn(script, ARENA, chariot=last.chariot, token=last.token)
                    return
                script.emit(TurnClosed(chariot=last.chariot))
            elif script.board.active is not None:
                script.emit(TurnClosed(chariot=script.board.active))
            elif not draw_token(script):
                if script.board.game_turns == GAME_TURNS:
                    return
                fill_mug(script)

    def resign(self, script: Script[Board, Any, Any], seat: Seat) -> None:
        del script, seat
        raise AssertionError

    def evolve(self, board: Board, outcome: Outcome | DiceRolled | DeckShuffled, chance: Chance | None) -> Board:
        del chance
        return board if isinstance(outcome, DiceRolled | DeckShuffled) else evolve(board, outcome)

    def view(self, board: Board, seat: Seat | None) -> Struct:
        del seat
        return board

    def legal_actions(self, board: Board, decision: Decision) -> Struct:
        del board
        return decision

    def preview(self, board: Board, decision: Decision, action: Any) -> Struct:
        del board, action
        return decision

    def default_action(self, board: Board, decision: Decision) -> Any:
        del board, decision
        return PutToken(token=0)

    def ranking(self, board: Board) -> tuple[Placing, ...]:
        return tuple(Placing(place=1, seat=chariot.seat) for chariot in board.chariots)


def play_out(chariots: tuple[Chariot, ...], *, seed: int) -> Playout:
    seats = tuple(sorted({chariot.seat for chariot in chariots}))
    options, secret = HeatOptions(chariots=chariots), seed.to_bytes(32, "big")
    # No seat leaves a heat, however often it forfeits.
    return Playout(Heat(), seats=seats, options=options, secret=secret, forfeits_max=None)
