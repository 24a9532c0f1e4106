"""A game after one of its lines, as readers see it: shown and encoded once for each view, when first asked for."""

import asyncio
from collections.abc import Iterable, Sequence

import msgspec
from msgspec import Struct, field

from domain.canonical import Json
from domain.game.entry import Entry, read_entry
from domain.game.evolve import evolve
from domain.game.state import Game
from domain.ids import GameId, Seat, StreamVersion
from infra.event_store import EventStore
from services.api.shown import BoardShown, show_board, show_game
from services.histories import Histories, Knowing
from services.live.merge_patch import JsonObject, build_patch, drop_nulls
from services.live.messages import Frame
from services.whole_frames import frame_text

# Readers who read from before the film at the same time; after a restart all others wait for their turn.
RESUMING_MAX = 4


class Shelf(Struct, frozen=True, kw_only=True):
    """Where games are read from."""

    histories: Histories
    store: EventStore
    # Guards nothing: it bounds how many resume at once.
    resuming: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(RESUMING_MAX))


class Shown(Struct, frozen=True, kw_only=True):
    """A game as one viewer sees it; `members` has what is read over HTTP."""

    game: Game
    board: BoardShown
    members: JsonObject


class Step:
    """Only what is computed from the rest is ever added to it."""

    __slots__ = ("_frames", "_shown", "game", "is_complete", "line")

    def __init__(self, line: bytes, game: Game, *, is_complete: bool) -> None:
        self.line = line
        self.game = game
        self.is_complete = is_complete
        self._shown: dict[Seat | None, Shown] = {}
        self._frames: dict[tuple[Seat | None, bool], Frame] = {}

    @property
    def version(self) -> StreamVersion:
        return self.game.version

    def whole(self, seat: Seat | None) -> Frame:
        """Return the frame of somebody who has no board yet."""
        frame = self._frames.get((seat, True))
        if frame is None:
            frame = self._frames[seat, True] = self._encode(drop_nulls(self.show(seat).members))
        return frame

    def patch(self, before: "Step", seat: Seat | None) -> Frame:
        """Return the frame of somebody who has the board of the step before."""
        frame = self._frames.get((seat, False))
        if frame is None:
            assert before.version == self.version - 1, f"a patch from {before.version} to {self.version}"
            old = before.show(seat)
            changes = build_patch(old.members, self.show(seat, old).members)
            frame = self._frames[seat, False] = self._encode(changes)
            # Needed once: whoever sees the same gets the same frame.
            before.fade(seat)
        return frame

    def show(self, seat: Seat | None, known: Shown | None = None) -> Shown:
        """Return the game as it is read over HTTP; what has not changed since it was known is the very same value."""
        shown = self._shown.get(seat)
        if shown is None:
            shown = self._shown[seat] = show_since(known, self.game, seat, is_complete=self.is_complete)
        return shown

    def fade(self, seat: Seat | None) -> None:
        """Let go of what was shown; it can be shown again."""
        self._shown.pop(seat, None)

    def _encode(self, board: Json) -> Frame:
        parts = (b'{"version":%d,"line":' % self.version, self.line, b',"board":', msgspec.json.encode(board), b"}")
        body = b"".join(parts)
        return Frame(version=self.version, body=body, framed=frame_text(body))


def show_since(known: Shown | None, game: Game, seat: Seat | None, *, is_complete: bool) -> Shown:
    """Show a game to one viewer; what has not changed since this viewer knew it is taken from there."""
    is_same_board = known is not None and known.game.board is game.board
    board = known.board if known is not None and is_same_board else show_board(game, seat)
    members = msgspec.to_builtins(show_game(game, seat, is_complete=is_complete, board=board))
    if known is not None:
        same = (
            ("terms", known.game.opened is game.opened),
            ("seats", known.game.seats is game.seats),
            ("ranking", is_same_board),
            ("board", is_same_board),
        )
        members.update((name, known.members[name]) for name, is_same in same if is_same)
    return Shown(game=game, board=board, members=members)


def fold_steps(game: Game, lines: Sequence[bytes], *, count: int) -> list[Step]:
    """Return the steps after a game; a line more than is counted tells whether the last one is complete."""
    steps = fold_entries(game, (read_entry(raw, game.ruleset) for raw in lines[:count]))
    if len(lines) > count:
        steps[-1].is_complete = read_entry(lines[count], game.ruleset).line.kind == "input"
    return steps


def fold_entries(game: Game, entries: Iterable[Entry]) -> list[Step]:
    """Return the steps after a game for all lines of some commands."""
    steps: list[Step] = []
    for entry in entries:
        if steps:
            steps[-1].is_complete = entry.line.kind == "input"
        game = evolve(game, entry)
        # The lines of a command are committed together: after the last one that is there it is complete.
        steps.append(Step(entry.raw, game, is_complete=True))
    return steps


async def read_steps(
    shelf: Shelf, game: GameId, first: StreamVersion, last: StreamVersion, knowing: Knowing
) -> list[Step]:
    """Read the steps from `first` to `last`, which are there and no more than a page."""
    lines = await shelf.store.read_stream(game, after=StreamVersion(first - 1), limit=last - first + 1)
    moments = await shelf.histories.read_range(game, first, last, knowing)
    return [
        Step(line, moment.game, is_complete=moment.is_complete) for line, moment in zip(lines, moments, strict=True)
    ]
