"""The smallest ruleset there is: two seats add one in turn. It measures the code around the rules, not the rules.

As the game that other servers are measured with: no chance, nothing hidden, one number on the board.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal

import msgspec
from msgspec import Struct

from domain.canonical import encode
from domain.chance import Chance
from domain.ids import DecisionId, Seat
from domain.rejection import IllegalAction
from domain.ruleset.decision import Decision, Placing
from domain.ruleset.kit import Kit
from domain.ruleset.script import Script

# More than any measurement adds, and fewer lines than a log may have.
ADDED_MAX = 15_000


class Add(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    kind: Literal["add"]


class Options(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """There are none."""


class Added(Struct, frozen=True, kw_only=True):
    total: int


class Board(Struct, frozen=True, kw_only=True):
    seats: tuple[Seat, ...]
    total: int = 0


class View(Struct, frozen=True, kw_only=True):
    total: int
    padding: str


AnyScript = Script[Board, Add, Added]


class Tally:
    """The ruleset. `padding` is how many bytes a view has that state nothing."""

    name = "tally"
    version = 1
    seats = range(2, 3)
    link_chains = 1
    action_type = Add
    options_type = Options
    view_type = View
    choices_type = Add
    preview_type = Added
    outcome_types: Mapping[str, type[Added]] = {"added": Added}

    def __init__(self, padding: int) -> None:
        self._padding = "x" * padding
        self.components = encode({"padding": padding})

    def initial_board(self, seats: tuple[Seat, ...], options: Options) -> Board:  # noqa: ARG002  as rulesets are asked
        return Board(seats=seats)

    def begin(self, script: AnyScript) -> None:
        """There is nothing to set up."""

    def decisions(self, board: Board) -> tuple[Decision, ...]:
        if board.total == ADDED_MAX:
            return ()
        seat = board.seats[board.total % len(board.seats)]
        return (Decision(id=DecisionId(f"add/{board.total}"), seat=seat, kind="plain"),)

    def check(self, board: Board, decision: Decision, action: Add) -> None:
        """Refuse a seat out of its turn."""

    def close(self, script: AnyScript) -> None:  # noqa: ARG002  as rulesets are asked
        raise AssertionError("nothing is sealed")

    def play(self, script: AnyScript, decision: Decision, action: Add) -> None:  # noqa: ARG002  as rulesets are asked
        script.emit(Added(total=script.board.total + 1))

    def forfeit(self, script: AnyScript, decision: Decision) -> None:  # noqa: ARG002  as rulesets are asked
        raise AssertionError("nothing is sealed")

    def resign(self, script: AnyScript, seat: Seat) -> None:
        """Change nothing."""

    def evolve(self, board: Board, outcome: Any, chance: Chance | None) -> Board:  # noqa: ARG002  as rulesets are asked
        return msgspec.structs.replace(board, total=outcome.total)

    def view(self, board: Board, seat: Seat | None) -> View:  # noqa: ARG002  as rulesets are asked
        return View(total=board.total, padding=self._padding)

    def legal_actions(self, board: Board, decision: Decision) -> Add:  # noqa: ARG002  as rulesets are asked
        return Add(kind="add")

    def preview(self, board: Board, decision: Decision, action: Add) -> Added:  # noqa: ARG002  as rulesets are asked
        return Added(total=board.total + 1)

    def default_action(self, board: Board, decision: Decision) -> Add:  # noqa: ARG002  as rulesets are asked
        return Add(kind="add")

    def ranking(self, board: Board) -> tuple[Placing, ...]:
        return tuple(Placing(place=1, seat=seat) for seat in board.seats)


def build_tally(components: Any) -> Tally:
    if not isinstance(components, dict) or not isinstance(components.get("padding"), int):
        raise IllegalAction(expected="padding, a number", found=repr(components))
    return Tally(components["padding"])


TALLY = Kit(ruleset=Tally, build=build_tally, folder=str(Path(__file__).with_name("tally_box")))
