"""CM-60 to CM-63, CM-125: a team out of control: to the middle of the track, along it, round obstacles and back.

It goes as far as its token lets it. A payment may throw it off its way: then it looks round anew, and the stamina
paid stays paid. Every leg uses up some way or ends the movement, so it ends.
"""

from msgspec import Struct
from msgspec.structs import replace

from domain.rulesets.chariotmaster.box.component_file import TokenName
from domain.rulesets.chariotmaster.harm.losses import lose
from domain.rulesets.chariotmaster.race.board import PieceId, current_turn, find_pose, is_wall, team_piece
from domain.rulesets.chariotmaster.race.cascade import AnyScript, Cascade
from domain.rulesets.chariotmaster.race.outcomes import MoveReason, PieceMoved, TurnEnd, TurnEnded
from domain.rulesets.chariotmaster.race.racetrack import Arena, base_of
from domain.rulesets.chariotmaster.table.course import UM_PER_MM
from domain.rulesets.chariotmaster.table.lane import Following, follow
from domain.rulesets.chariotmaster.table.shapes import Pose
from domain.rulesets.chariotmaster.table.sines import FULL_TURN, smallest_turn
from domain.rulesets.chariotmaster.table.travel import Contact, travel, turn
from domain.rulesets.chariotmaster.turn import way_round
from domain.rulesets.chariotmaster.turn.chariot_turn import begin_turn
from domain.rulesets.chariotmaster.turn.collisions import begin_cascade, is_small
from domain.rulesets.chariotmaster.turn.lanes import start_on
from domain.rulesets.chariotmaster.turn.pace import heed_lost_token, shift_speed

# A leg goes a millimetre at least, or pays; no movement of a turn has so many, and none may go on for ever.
_LEGS_MAX = 400
# A team that cannot turn where it stands tries again after so much of its way.
_TRY_AGAIN_UM = 10 * UM_PER_MM


class _Halt(Struct, frozen=True, kw_only=True):
    """The movement is over, for this reason."""

    reason: TurnEnd


def begin_uncontrolled(script: AnyScript, arena: Arena, *, chariot: int, token: TokenName) -> None:
    """CM-60: begin and end the movement of a chariot that is not under control; without a team nothing moves."""
    begin_turn(script, arena, chariot=chariot, token=token)
    assert not current_turn(script.board).is_driven, "a chariot under control moves as its driver wants"
    cascade = begin_cascade(script, arena, name=f"g{script.board.game_turns}/c{chariot}/run")
    script.emit(TurnEnded(chariot=chariot, reason=_Run(cascade, chariot).finish()))


class _Run:
    """One such movement. `is_paid` states that a sweep was bought and not made yet."""

    def __init__(self, cascade: Cascade, chariot: int) -> None:
        self._cascade = cascade
        self._chariot = chariot
        self._is_paid = False

    def finish(self) -> TurnEnd:
        """Go leg by leg until the movement ends."""
        for _ in range(_LEGS_MAX):
            runner = way_round.build_runner(self._cascade.arena, self._cascade.board, self._chariot)
            if runner is None:
                return "no_team"
            if self._cascade.turn_end is not None:
                return self._cascade.turn_end
            if self._room_um() <= 0:
                return "ran_on"
            halt = self._go_leg(self._face(runner))
            if halt is not None:
                return halt.reason
        return "ran_on"

    def _go_leg(self, runner: way_round.Runner) -> _Halt | None:
        """Sweep back to the middle, or run on as far as the way is free; or get past the obstacles."""
        back = None if way_round.is_in_middle(runner) else way_round.find_way_back(runner, runner.pose, runner.lane)
        if back is not None:
            self._swerve(runner, back)
            return None
        went = self._run_on(runner)
        if went.pose != runner.pose:
            self._move(runner.pose, went.pose, went.distance_um, "ran")
        # At once: looking for a way on first, it could creep along a slanting obstacle by micrometres.
        there = way_round.build_runner(runner.arena, self._cascade.board, self._chariot)
        return self._get_past(there, went.contacts) if went.contacts and there is not None else None

    def _face(self, runner: way_round.Runner) -> way_round.Runner:
        """CM-125: turn along the track on the spot, if there is room for all of that."""
        degrees = smallest_turn(runner.pose.heading, runner.lane.heading)
        if degrees == 0:
            return runner
        turned = turn(runner.base, runner.pose, runner.others, hinge="centre", degrees=degrees)
        if turned.degrees % FULL_TURN != degrees % FULL_TURN:
            return runner
        self._move(runner.pose, turned.pose, 0, "pivoted")
        return way_round.build_runner(runner.arena, self._cascade.board, self._chariot) or runner

    def _run_on(self, runner: way_round.Runner) -> Following:
        """CM-61: follow the lane: in the middle as far as it goes, beside it until the first way back."""
        room_um = self._room_um()
        if runner.pose.heading != runner.lane.heading:
            room_um = min(room_um, _TRY_AGAIN_UM)
        line, now = runner.lane.line.stretches, start_on(runner.lane, runner.pose)
        if way_round.is_in_middle(runner):
            return follow(runner.base, now, runner.others, line=line, distance_um=room_um)
        while now.distance_um < room_um:
            step_um = min(UM_PER_MM, room_um - now.distance_um)
            now = follow(runner.base, now, runner.others, line=line, distance_um=step_um)
            here = replace(runner.lane, stretch=now.stretch)
            if now.contacts or way_round.find_way_back(runner, now.pose, here) is not None:
                return now
        return now

    def _get_past(self, runner: way_round.Runner, contacts: tuple[Contact, ...]) -> _Halt | None:
        """CM-62: go round it; across it, if it is small; or brake, as often as it takes."""
        sweep = way_round.find_way_round(runner, contacts)
        if sweep is not None:
            self._swerve(runner, sweep)
            return None
        met = [PieceId(contact.obstacle[0]) for contact in contacts]
        if all(_is_low(runner, piece) for piece in met):
            return self._run_across(runner, met)
        self._brake(runner.pose)
        return None

    def _swerve(self, runner: way_round.Runner, sweep: way_round.Swerve) -> None:
        """CM-91: pay for a sweep, and make it unless the payment has moved the team: then look round first."""
        if not self._is_paid:
            before = self._cascade.board
            self._pay()
            self._is_paid = True
            if not self._stands(runner.pose) or self._cascade.board.wrecks != before.wrecks:
                return
        distance_um = min(sweep.distance_um, self._room_um())
        went = travel(runner.base, runner.pose, runner.others, heading=sweep.heading, distance_um=distance_um)
        if distance_um > 0 and went.pose != runner.pose:
            self._move(runner.pose, went.pose, went.distance_um, "swerved")
            self._is_paid = False

    def _run_across(self, runner: way_round.Runner, met: list[PieceId]) -> _Halt | None:
        """Run through small pieces, and come clear of them if the way is long enough."""
        self._cascade.drive(
            team_piece(self._chariot),
            heading=runner.lane.heading,
            distance_um=min(self._room_um(), way_round.way_past_um(runner, met)),
            reason="moved",
        )
        heed_lost_token(self._cascade)
        return _Halt(reason="collision") if self._stands(runner.pose) else None

    def _brake(self, pose: Pose) -> None:
        while self._room_um() > 0 and self._stands(pose):
            self._pay()
            if find_pose(self._cascade.board, team_piece(self._chariot)) is not None:
                shift_speed(self._cascade, "brake")

    def _pay(self) -> None:
        lose(self._cascade, self._chariot, "stamina")
        heed_lost_token(self._cascade)

    def _stands(self, pose: Pose) -> bool:
        """Return whether the team is where it was, and its turn goes on."""
        is_there = find_pose(self._cascade.board, team_piece(self._chariot)) == pose
        return is_there and self._cascade.turn_end is None

    def _room_um(self) -> int:
        state = self._cascade.board.turn
        assert state is not None, "nothing else ends this movement"
        return state.max_um - state.travelled_um

    def _move(self, before: Pose, after: Pose, distance_um: int, reason: MoveReason) -> None:
        self._cascade.script.emit(
            PieceMoved(
                piece=team_piece(self._chariot), reason=reason, before=before, after=after, distance_um=distance_um
            )
        )


def _is_low(runner: way_round.Runner, piece: PieceId) -> bool:
    """Return whether all of a piece can be run across: behind a driver who is dragged there are his horses."""
    if is_wall(piece):
        return False
    arena, board = runner.arena, runner.board
    return all(is_small(board, piece, part.name) for part in base_of(arena, board, piece).parts)
