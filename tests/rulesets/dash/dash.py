"""Dash, the smallest race: walk a space or dare a die of which a 1 is no step; the first over the line wins."""

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from msgspec import Meta, Struct
from msgspec.structs import replace

from domain.canonical import Json, encode
from domain.chance import Chance, DeckShuffled, DiceRolled
from domain.ids import DecisionId, Seat
from domain.rejection import IllegalAction
from domain.ruleset.chapter import Chapter, ChapteredRuleset
from domain.ruleset.decision import Decision, Placing
from domain.ruleset.script import Script

FACES = 6


class Run(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    kind: Literal["walk", "dare"]


class Options(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    head_start: Annotated[int, Meta(ge=0, le=3)] = 0


class DashBegan(Struct, frozen=True, kw_only=True):
    number: int


class RunnerMoved(Struct, frozen=True, kw_only=True):
    seat: Seat
    die: int | None
    spaces: int
    space: int


class DashWon(Struct, frozen=True, kw_only=True):
    seat: Seat


Outcome = DashBegan | RunnerMoved | DashWon
AnyScript = Script[Any, Run, Outcome]


class Runner(Struct, frozen=True, kw_only=True):
    seat: Seat
    space: int


class Board(Struct, frozen=True, kw_only=True):
    runners: tuple[Runner, ...]
    dash: int = 0
    moves: int = 0
    winner: Seat | None = None


class Effect(Struct, frozen=True, kw_only=True):
    spaces_min: int
    spaces_max: int


class RunChoices(Struct, frozen=True, kw_only=True, tag_field="kind", tag="run"):
    candidates: tuple[Run, ...]


class View(Struct, frozen=True, kw_only=True):
    length: int
    dash: int
    runners: tuple[Runner, ...]
    winner: Seat | None


def owed_run(board: Board) -> tuple[Decision, ...]:
    if board.winner is not None:
        return ()
    seat = board.runners[board.moves % len(board.runners)].seat
    return (Decision(id=DecisionId(f"d{board.moves}/run/{seat}"), seat=seat, kind="plain"),)


def play_run(script: AnyScript, length: int, decision: Decision, action: Run) -> None:
    die = script.roll("dare", dice=1, sides=FACES)[0] if action.kind == "dare" else None
    spaces = 1 if die is None else 0 if die == 1 else die
    runner = next(runner for runner in script.board.runners if runner.seat == decision.seat)
    script.emit(RunnerMoved(seat=decision.seat, die=die, spaces=spaces, space=runner.space + spaces))
    if runner.space + spaces >= length:
        script.emit(DashWon(seat=decision.seat))
    elif script.board.moves % len(script.board.runners) == 0:
        script.emit(DashBegan(number=script.board.dash + 1))


def foresee_run(_length: int, _board: Board, _decision: Decision, action: Run) -> Effect:
    return Effect(spaces_min=1, spaces_max=1) if action.kind == "walk" else Effect(spaces_min=0, spaces_max=FACES)


RUN = Chapter[int, Board](
    answers=(Run,),
    owed=owed_run,
    choices=lambda *_: RunChoices(candidates=(Run(kind="walk"), Run(kind="dare"))),
    foresee=foresee_run,
    default=lambda *_: Run(kind="walk"),
    play=play_run,
)


class Dash(ChapteredRuleset[int, Board, Run, RunChoices, Effect]):
    name = "dash"
    version = 1
    seats = range(2, 5)
    link_chains = 1
    action_type: Any = Run
    options_type = Options
    view_type: Any = View
    choices_type: Any = RunChoices
    preview_type: Any = Effect
    outcome_types: Mapping[str, type[Outcome]] = {
        "dash_began": DashBegan,
        "runner_moved": RunnerMoved,
        "dash_won": DashWon,
    }
    chapters = (RUN,)

    def __init__(self, length: int) -> None:
        self._length = length
        self.components = encode({"length": length})

    def initial_board(self, seats: tuple[Seat, ...], options: Options) -> Board:
        starts = {seats[-1]: options.head_start}
        return Board(runners=tuple(Runner(seat=seat, space=starts.get(seat, 0)) for seat in seats))

    def ground(self, board: Board) -> int:  # noqa: ARG002  one length for all boards
        return self._length

    def set_up(self, script: AnyScript) -> None:
        script.emit(DashBegan(number=1))

    def withdraw(self, script: AnyScript, seat: Seat) -> None:
        """Leave the runner where it stands; its seat walks on by default."""

    def evolve(self, board: Board, outcome: Outcome | DiceRolled | DeckShuffled, chance: Chance | None) -> Board:  # noqa: ARG002  as rulesets are asked
        match outcome:
            case DashBegan(number=number):
                return replace(board, dash=number)
            case RunnerMoved(seat=seat, space=space):
                runners = tuple(
                    replace(runner, space=space) if runner.seat == seat else runner for runner in board.runners
                )
                return replace(board, runners=runners, moves=board.moves + 1)
            case DashWon(seat=seat):
                return replace(board, winner=seat)
            case _:
                return board

    def view(self, board: Board, seat: Seat | None) -> View:  # noqa: ARG002  as rulesets are asked
        return View(length=self._length, dash=board.dash, runners=board.runners, winner=board.winner)

    def ranking(self, board: Board) -> tuple[Placing, ...]:
        ordered = sorted(board.runners, key=lambda runner: -runner.space)
        return tuple(
            Placing(place=1 + sum(other.space > runner.space for other in ordered), seat=runner.seat)
            for runner in ordered
        )


def build_dash(components: Json) -> Dash:
    if not isinstance(components, dict) or components.keys() != {"length"} or not isinstance(components["length"], int):
        raise IllegalAction(expected="length, a number", found=repr(components))
    return Dash(components["length"])
