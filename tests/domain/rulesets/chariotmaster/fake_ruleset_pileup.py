"""Pile-up: a game that lives in the tests only. Chariots stand where the options put them; one after the other charges.

It plays collisions, losses, crashes and luck through the real script, interruptions included, without the rest.
"""

from collections.abc import Mapping
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from domain.canonical import encode
from domain.chance import Chance, DeckShuffled, DiceRolled
from domain.ids import DecisionId, Seat
from domain.ruleset.decision import Decision, Placing
from domain.ruleset.playout import Playout
from domain.ruleset.script import Script
from domain.rulesets.chariotmaster.box.building import default_build, fit_out
from domain.rulesets.chariotmaster.harm.luck import check_luck
from domain.rulesets.chariotmaster.race.actions import LeaveRoll, ModifyRoll
from domain.rulesets.chariotmaster.race.board import Board, Chariot, team_piece
from domain.rulesets.chariotmaster.race.evolution import evolve
from domain.rulesets.chariotmaster.race.outcomes import OUTCOME_TYPES, Outcome
from domain.rulesets.chariotmaster.race.racetrack import build_arena
from domain.rulesets.chariotmaster.table.shapes import Pose
from domain.rulesets.chariotmaster.turn.collisions import begin_cascade
from tests.domain.rulesets.chariotmaster.cases import CM
from tests.domain.rulesets.chariotmaster.own_components import BOX

ARENA = build_arena(BOX, BOX.courses[0])
FITTING = fit_out(BOX, default_build(BOX, None), stamina=20)


class Charge(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="kind", tag="charge"):
    """Go straight ahead, without control over the consequences."""

    distance_mm: int


class TurnCame(Struct, frozen=True, kw_only=True):
    chariot: int


class PileupOptions(Struct, frozen=True, kw_only=True):
    chariots: tuple[Chariot, ...]


class Pileup:
    """Each chariot charges once, in the order of their numbers."""

    name = "pileup"
    version = 1
    seats = range(1, 13)
    link_chains = 4
    action_type = Charge | ModifyRoll | LeaveRoll
    options_type = PileupOptions
    view_type = Board
    choices_type = Decision
    preview_type = Decision
    components = encode({})
    outcome_types: Mapping[str, type[Any]] = {**OUTCOME_TYPES, "turn_came": TurnCame}

    def initial_board(self, seats: tuple[Seat, ...], options: PileupOptions) -> Board:
        assert len(seats) == len(options.chariots)
        return Board(chariots=options.chariots)

    def begin(self, script: Script[Board, Any, Any]) -> None:
        script.emit(TurnCame(chariot=0))

    def decisions(self, board: Board) -> tuple[Decision, ...]:
        if board.active is None or board.active >= len(board.chariots):
            return ()
        chariot = board.chariots[board.active]
        return (Decision(id=DecisionId(f"charge/{board.active}"), seat=chariot.seat, kind="plain"),)

    def check(self, board: Board, decision: Decision, action: Any) -> None:
        del decision  # the offers suffice
        if not isinstance(action, Charge):
            check_luck(board, action)

    def close(self, script: Script[Board, Any, Any]) -> None:
        del script
        raise AssertionError

    def play(self, script: Script[Board, Any, Any], decision: Decision, action: Charge) -> None:
        del decision  # whose turn it is stands on the board
        active = script.board.active
        assert active is not None
        pose = script.board.chariots[active].team_pose
        cascade = begin_cascade(script, ARENA, name=f"turn/{active}")
        if pose is not None:
            distance_um = action.distance_mm * 1_000
            cascade.drive(team_piece(active), heading=pose.heading, distance_um=distance_um, reason="moved")
        script.emit(TurnCame(chariot=active + 1))

    def forfeit(self, script: Script[Board, Any, Any], decision: Decision) -> None:
        del script, decision
        raise AssertionError

    def resign(self, script: Script[Board, Any, Any], seat: Seat) -> None:
        del script, seat
        raise AssertionError

    def evolve(
        self, board: Board, outcome: Outcome | TurnCame | DiceRolled | DeckShuffled, chance: Chance | None
    ) -> Board:
        del chance  # nothing is hidden
        match outcome:
            case DiceRolled() | DeckShuffled():
                return board
            case TurnCame():
                return replace(board, active=outcome.chariot)
            case _:
                return evolve(board, outcome)

    def view(self, board: Board, seat: Seat | None) -> Struct:
        del seat  # all see the same
        return board

    def legal_actions(self, board: Board, decision: Decision) -> Struct:
        del board
        return decision

    def preview(self, board: Board, decision: Decision, action: Any) -> Struct:
        del board, action
        return decision

    def default_action(self, board: Board, decision: Decision) -> Any:
        del decision
        return LeaveRoll() if board.offered is not None else Charge(distance_mm=10)

    def ranking(self, board: Board) -> tuple[Placing, ...]:
        return tuple(Placing(place=1, seat=chariot.seat) for chariot in board.chariots)


def chariot_at(seat: int, pose: Pose | None, **changes: Any) -> Chariot:
    fresh = Chariot(
        seat=Seat(seat),
        fitting=FITTING,
        stamina=FITTING.stamina,
        structure=FITTING.structure,
        health=FITTING.health,
        skill=FITTING.skill,
        team_pose=pose,
    )
    return replace(fresh, **changes)


def in_a_row(count: int, *, gap_um: int = CM, **changes: Any) -> tuple[Chariot, ...]:
    """Chariots one behind the other on the home straight, the first at the rear."""
    step_um = 4 * CM + gap_um
    return tuple(
        chariot_at(number, Pose(x_um=-25 * CM + number * step_um, y_um=0, heading=0), **changes)
        for number in range(count)
    )


def play_out(chariots: tuple[Chariot, ...], *, seed: int) -> Playout:
    seats = tuple(chariot.seat for chariot in chariots)
    return Playout(Pileup(), seats=seats, options=PileupOptions(chariots=chariots), secret=seed.to_bytes(32, "big"))
