"""The contract between a game and its rules: the duties of a ruleset, and its assumptions.

A ruleset is a pure library. It never sees an account, a game id, a clock or a socket.
"""

from collections.abc import Mapping
from typing import Any, Protocol, TypeVar

from msgspec import Struct

from domain.chance import Chance, DeckShuffled, DiceRolled
from domain.ids import Seat
from domain.ruleset.decision import Decision, Placing
from domain.ruleset.script import Script

# The second forfeit of a game retires the seat.
FORFEITS_MAX = 2

Board = TypeVar("Board")
Action = TypeVar("Action")
Outcome = TypeVar("Outcome", bound=Struct)
Options = TypeVar("Options", bound=Struct)


class Ruleset(Protocol[Board, Action, Outcome, Options]):
    """One ruleset with one set of components.

    The game promises: `play` only gets an action that `check` accepted for a decision that is owed; openings are
    checked on the board as it stood when the last of them was in, then forfeits are applied, then the others are played
    in seat order; and only `begin`, `close`, `play`, `forfeit` and `resign` are given a script.

    The ruleset promises: the same bytes for the same arguments on every machine (no float, no set order, no `hash()`);
    decision ids unique in the game; `decisions`, `view` and `ranking` answer on every board that `evolve` can reach,
    also in the middle of a play; checking one opening does not depend on the others; `legal_actions` of a decision are
    a function of what its seat may see.
    """

    @property
    def name(self) -> str: ...
    @property
    def version(self) -> int: ...
    @property
    def seats(self) -> range: ...  # how many may play
    @property
    def link_chains(self) -> int: ...  # chains of 1,024 links: an upper bound of the public rolls of a game
    @property
    def components(self) -> bytes: ...  # canonical bytes of the decks, tracks and tables it was built from
    @property
    def action_type(self) -> Any: ...  # of a decoded action: a struct or a tagged union, unknown fields forbidden
    @property
    def options_type(self) -> type[Options]: ...
    @property
    def view_type(self) -> Any: ...  # the type that `view` returns: a struct, to describe boards to clients
    @property
    def choices_type(self) -> Any: ...  # the type that `legal_actions` returns: structs tagged by `kind`
    @property
    def preview_type(self) -> Any: ...  # the type that `preview` returns: a struct or a tagged union
    @property
    def outcome_types(self) -> Mapping[str, type[Outcome]]: ...  # snake_case tag in the log -> struct

    def initial_board(self, seats: tuple[Seat, ...], options: Options) -> Board:
        """Return the board before anything was drawn; raise a Rejection if these options do not fit together."""
        ...

    def begin(self, script: Script[Board, Action, Outcome]) -> None:
        """Set the game up: first shuffles, deals and rolls."""
        ...

    def decisions(self, board: Board) -> tuple[Decision, ...]:
        """List the decisions owed now, in a fixed order; the game is over when there are none."""
        ...

    def check(self, board: Board, decision: Decision, action: Action) -> None:
        """Raise the Rejection that states why this action is not legal here. Draws nothing, changes nothing."""
        ...

    def close(self, script: Script[Board, Action, Outcome]) -> None:
        """Every sealed decision is in: go on, so that nothing sealed is owed (usually, openings are)."""
        ...

    def play(self, script: Script[Board, Action, Outcome], decision: Decision, action: Action) -> None:
        """Carry out a legal action, plain or opened."""
        ...

    def forfeit(self, script: Script[Board, Action, Outcome], decision: Decision) -> None:
        """Give the seat its forfeit for a seal that was not opened, or opened to an illegal action."""
        ...

    def resign(self, script: Script[Board, Action, Outcome], seat: Seat) -> None:
        """Take a seat out of the game. Decisions it still owes afterwards, the game answers by default."""
        ...

    def evolve(self, board: Board, outcome: Outcome | DiceRolled | DeckShuffled, chance: Chance | None) -> Board:
        """Return the board after an outcome. Refuses nothing. Without chance, hidden values are unknown."""
        ...

    def view(self, board: Board, seat: Seat | None) -> Struct:
        """Show the view of a seat, or of the public (None): the same bytes folded with or without the secret.

        It holds no decisions and no choices: a game shows those beside the view of any ruleset.
        """
        ...

    def legal_actions(self, board: Board, decision: Decision) -> Struct:
        """Describe every legal answer to an owed decision, plain or sealed, in factors or ranges if there are many."""
        ...

    def preview(self, board: Board, decision: Decision, action: Action) -> Struct:
        """Return the certain effects of an action. Consumes no chance, logs nothing."""
        ...

    def default_action(self, board: Board, decision: Decision) -> Action:
        """Choose for a seat whose clock ran out before it chose: legal, found without chance."""
        ...

    def ranking(self, board: Board) -> tuple[Placing, ...]:
        """Rank every seat: live order, and the final result when the game is over."""
        ...


# A ruleset whose types the caller does not look into: the field of a game.
AnyRuleset = Ruleset[Any, Any, Any, Any]
