"""Crowd: each round all seats choose a gait in secret, and runners of the same gait crowd each other."""

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from msgspec import Meta, Struct
from msgspec.structs import replace

from domain.canonical import Json, encode
from domain.chance import Chance
from domain.ids import DecisionId, Seat
from domain.ruleset.chapter import Chapter, ChapteredRuleset
from domain.ruleset.decision import Decision, Placing
from domain.ruleset.script import Script

Gait = Literal["trot", "canter", "gallop"]
DICE: dict[str, int] = {"trot": 1, "canter": 2, "gallop": 3}


class Choose(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    kind: Gait


class Options(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    rounds_max: Annotated[int, Meta(ge=1, le=100)] = 30


class RoundBegan(Struct, frozen=True, kw_only=True):
    round: int


class GaitsClosed(Struct, frozen=True, kw_only=True):
    round: int


class GaitShown(Struct, frozen=True, kw_only=True):
    seat: Seat
    gait: Gait


class GaitForfeited(Struct, frozen=True, kw_only=True):
    seat: Seat


class RunnerMoved(Struct, frozen=True, kw_only=True):
    seat: Seat
    crowded: bool
    dice: tuple[int, ...]
    spaces: int
    space: int


class RunnerLeft(Struct, frozen=True, kw_only=True):
    seat: Seat


class RaceEnded(Struct, frozen=True, kw_only=True):
    round: int


Outcome = RoundBegan | GaitsClosed | GaitShown | GaitForfeited | RunnerMoved | RunnerLeft | RaceEnded


class Runner(Struct, frozen=True, kw_only=True):
    """`gait` is the one shown in this round, `none` for a seat that showed none; null before."""

    seat: Seat
    space: int = 0
    gait: Gait | Literal["none"] | None = None
    has_left: bool = False


class Board(Struct, frozen=True, kw_only=True):
    runners: tuple[Runner, ...]
    options: Options
    round: int = 0
    phase: Literal["choosing", "showing", "over"] = "choosing"


class View(Struct, frozen=True, kw_only=True):
    length: int
    round: int
    phase: Literal["choosing", "showing", "over"]
    runners: tuple[Runner, ...]


class GaitChoices(Struct, frozen=True, kw_only=True, tag_field="kind", tag="gait"):
    candidates: tuple[Choose, ...]


class Effect(Struct, frozen=True, kw_only=True):
    dice: int


def racing(board: Board) -> tuple[Runner, ...]:
    return tuple(runner for runner in board.runners if not runner.has_left)


def owed_gaits(board: Board) -> tuple[Decision, ...]:
    """Owe a sealed gait of every runner, and then its opening under the same id."""
    if board.phase == "over" or not board.round:
        return ()
    return tuple(
        Decision(
            id=DecisionId(f"r{board.round}/gait/{runner.seat}"),
            seat=runner.seat,
            kind="sealed" if board.phase == "choosing" else "opening",
        )
        for runner in racing(board)
        if board.phase == "choosing" or runner.gait is None
    )


GAITS = Chapter[Mapping[str, int], Board](
    answers=(Choose,),
    owed=owed_gaits,
    choices=lambda *_: GaitChoices(candidates=tuple(Choose(kind=gait) for gait in ("trot", "canter", "gallop"))),
    foresee=lambda _, __, ___, action: Effect(dice=DICE[action.kind]),
    default=lambda *_: Choose(kind="trot"),
    close=lambda script, _: script.emit(GaitsClosed(round=script.board.round)),
    play=lambda script, _, decision, action: script.emit(GaitShown(seat=decision.seat, gait=action.kind)),
    forfeit=lambda script, _, decision: script.emit(GaitForfeited(seat=decision.seat)),
)


def run(script: Script[Board, Choose, Outcome], box: Mapping[str, int], runner: Runner) -> None:
    gaits = [other.gait for other in racing(script.board)]
    crowded = runner.gait != "none" and gaits.count(runner.gait) > 1
    count = DICE.get(str(runner.gait), 0) - crowded
    dice = script.roll(f"gait-{runner.seat}", dice=count, sides=box["sides"]) if count > 0 else ()
    stumbles = len(dice) == DICE["gallop"] and len(set(dice)) < len(dice)
    spaces = 0 if stumbles else sum(dice)
    script.emit(RunnerMoved(seat=runner.seat, crowded=crowded, dice=dice, spaces=spaces, space=runner.space + spaces))


class Crowd(ChapteredRuleset[Mapping[str, int], Board, Choose, GaitChoices, Effect]):
    name = "crowd"
    version = 1
    seats = range(2, 7)
    link_chains = 1  # six rolls a round, a hundred rounds: below 1,024
    action_type: Any = Choose
    options_type = Options
    view_type: Any = View
    choices_type: Any = GaitChoices
    preview_type: Any = Effect
    outcome_types: Mapping[str, type[Outcome]] = {
        "round_began": RoundBegan,
        "gaits_closed": GaitsClosed,
        "gait_shown": GaitShown,
        "gait_forfeited": GaitForfeited,
        "runner_moved": RunnerMoved,
        "runner_left": RunnerLeft,
        "race_ended": RaceEnded,
    }
    chapters = (GAITS,)

    def __init__(self, box: Mapping[str, int]) -> None:
        self._box = box
        self.components = encode(dict(box))

    def initial_board(self, seats: tuple[Seat, ...], options: Options) -> Board:
        return Board(runners=tuple(Runner(seat=seat) for seat in seats), options=options)

    def ground(self, board: Board) -> Mapping[str, int]:
        return self._box

    def set_up(self, script: Any) -> None:
        script.emit(RoundBegan(round=1))

    def withdraw(self, script: Any, seat: Seat) -> None:
        script.emit(RunnerLeft(seat=seat))

    def carry_on(self, script: Any) -> bool:
        """End the race, or run the round once every gait is shown."""
        board = script.board
        if board.phase == "over":
            return False
        if len(racing(board)) > 1 and board.phase == "showing":
            for runner in racing(board):
                run(script, self._box, runner)
        is_over = any(runner.space >= self._box["length"] for runner in script.board.runners)
        if is_over or len(racing(board)) < 2 or board.round == board.options.rounds_max:
            script.emit(RaceEnded(round=board.round))
        else:
            script.emit(RoundBegan(round=board.round + 1))
        return True

    def evolve(self, board: Board, outcome: Any, chance: Chance | None) -> Board:
        match outcome:
            case RoundBegan(round=number):
                runners = tuple(replace(runner, gait=None) for runner in board.runners)
                return replace(board, round=number, phase="choosing", runners=runners)
            case GaitsClosed():
                return replace(board, phase="showing")
            case GaitShown(seat=seat, gait=gait):
                return _change(board, seat, gait=gait)
            case GaitForfeited(seat=seat):
                return _change(board, seat, gait="none")
            case RunnerMoved(seat=seat, space=space):
                return _change(board, seat, space=space)
            case RunnerLeft(seat=seat):
                return _change(board, seat, has_left=True)
            case RaceEnded():
                return replace(board, phase="over")
            case _:
                return board

    def view(self, board: Board, seat: Seat | None) -> View:
        return View(length=self._box["length"], round=board.round, phase=board.phase, runners=board.runners)

    def ranking(self, board: Board) -> tuple[Placing, ...]:
        order = {runner.seat: (runner.has_left, -runner.space) for runner in board.runners}
        return tuple(
            Placing(place=1 + sum(other < own for other in order.values()), seat=seat)
            for seat, own in sorted(order.items(), key=lambda item: (item[1], item[0]))
        )


def _change(board: Board, seat: Seat, **changes: Any) -> Board:
    return replace(
        board, runners=tuple(replace(runner, **changes) if runner.seat == seat else runner for runner in board.runners)
    )


def build_crowd(components: Json) -> Crowd:
    box = components if isinstance(components, dict) else {}
    if box.keys() != {"length", "sides"} or not all(isinstance(value, int) and value > 1 for value in box.values()):
        raise ValueError(f"expected length and sides, numbers above 1, found {components!r}")
    return Crowd(box)
