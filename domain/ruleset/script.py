"""The script of the rules. An interrupted play runs again from its start over its earlier events.

Running again must write the same things: a difference is a bug in the ruleset and raises `ScriptDiverged`.
"""

from collections.abc import Callable, Sequence
from typing import Any, Generic, TypeVar

from msgspec import Struct

from domain.chance import Chance, DeckShuffled, DiceRolled, after_dice, after_shuffle, draw_dice, draw_shuffle
from domain.ruleset.decision import Decision

Board = TypeVar("Board")
Action = TypeVar("Action")
Outcome = TypeVar("Outcome", bound=Struct)

# A single command that writes more than this is a ruleset caught in a loop: long cascades write some hundred.
WRITTEN_MAX = 4_096


class Interrupted(Exception):
    """The play needs an answer that is not there yet."""


class ScriptDiverged(AssertionError):
    """A play that ran again did not repeat its events: the ruleset is not deterministic."""

    def __init__(self, *, place: int, expected: object, found: object) -> None:
        self.place = place
        super().__init__(f"entry {place} of the script was {expected!r}, now {found!r}")


class Written(Struct, frozen=True, kw_only=True):
    """One event a script wrote, with the board after it."""

    event: Struct
    board: Any


class Script(Generic[Board, Action, Outcome]):
    """The board as the rules change it, and their events so far.

    `past` are events of earlier runs of the same play; `chance` is as it stands after them. `respond` answers
    `ask`, or raises Interrupted.
    """

    def __init__(
        self,
        *,
        evolve: Callable[[Board, Any, Chance | None], Board],
        board: Board,
        chance: Chance,
        respond: Callable[["Script[Board, Action, Outcome]", Decision], Action],
        past: Sequence[Written] = (),
    ) -> None:
        self.board = board
        self.chance = chance
        self.written: list[Written] = []
        self._evolve = evolve
        self._respond = respond
        self._past = past

    def emit(self, outcome: Outcome) -> None:
        """Write an outcome; the next line of the rule sees its effect on `board`."""
        if not self._repeats(outcome):
            self._write(outcome, self._evolve(self.board, outcome, self._hidden()))

    def roll(self, name: str, *, dice: int, sides: int) -> tuple[int, ...]:
        """Roll dice in the open."""
        past = self.upcoming()
        if past is None:
            rolled = draw_dice(self.chance, name=name, dice=dice, sides=sides)
            self.chance = after_dice(self.chance, rolled)
            self._write(rolled, self._evolve(self.board, rolled, self._hidden()))
            return rolled.faces
        asked = (name, dice, sides)
        if not isinstance(past, DiceRolled) or asked != (_draw_name(past.label), len(past.faces), past.sides):
            raise ScriptDiverged(place=len(self.written), expected=past, found=asked)
        self._repeats(past)
        return past.faces

    def shuffle(self, deck: str, *, size: int) -> None:
        """Shuffle a pile of `size` cards; `evolve` works out the order, which is hidden."""
        past = self.upcoming()
        if past is None:
            shuffled = draw_shuffle(self.chance, deck=deck, size=size)
            self.chance = after_shuffle(self.chance, shuffled)
            self._write(shuffled, self._evolve(self.board, shuffled, self._hidden()))
            return
        if not isinstance(past, DeckShuffled) or (past.deck, past.size) != (deck, size):
            raise ScriptDiverged(place=len(self.written), expected=past, found=(deck, size))
        self._repeats(past)

    def ask(self, decision: Decision) -> Action:
        """Return the answer to a plain decision that arises in the middle of a play, or stop until it comes."""
        return self._respond(self, decision)

    def note(self, event: Struct) -> None:
        """Write an event of the game itself, which leaves the board alone."""
        if not self._repeats(event):
            self._write(event, self.board)

    def upcoming(self) -> Struct | None:
        """Return the event of an earlier run at this place, or None where this run is the first."""
        place = len(self.written)
        return self._past[place].event if place < len(self._past) else None

    def check_repeated(self) -> None:
        """Check that this run wrote all that earlier runs did; raise ScriptDiverged."""
        if self.upcoming() is not None:
            raise ScriptDiverged(place=len(self.written), expected=self.upcoming(), found="the end of the run")

    def _repeats(self, event: Struct) -> bool:
        past = self.upcoming()
        if past is None:
            return False
        if past != event:
            raise ScriptDiverged(place=len(self.written), expected=past, found=event)
        self.board = self._past[len(self.written)].board
        self.written.append(self._past[len(self.written)])
        return True

    def _write(self, event: Struct, board: Board) -> None:
        assert len(self.written) < WRITTEN_MAX, f"one command wrote more than {WRITTEN_MAX} events"
        self.board = board
        self.written.append(Written(event=event, board=board))

    def _hidden(self) -> Chance | None:
        return self.chance if self.chance.secret is not None else None


def _draw_name(label: str) -> str:
    return label.rpartition(":")[0]
