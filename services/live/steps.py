"""A game after one of its lines, as readers see it: shown and encoded once for each view, when first asked for.

Readers get boards as JSON merge patches (RFC 7396). A patch states null where a member is gone, so no member of a board
is null for readers: it is left out, everywhere.
"""

import asyncio

import msgspec
from msgspec import Struct, field

from domain.canonical import Json
from domain.game.evolve import settle
from domain.game.state import Game
from domain.ids import GameId, Seat, StreamVersion
from infra.event_store import EventStore
from services.live.framed_text import frame_text
from services.live.messages import Frame
from services.reading.access import Looks
from services.reading.histories import GameHistories, Knowledge, Moment
from services.reading.shown import BoardShown, list_choosing, show_game, show_view

JsonObject = dict[str, Json]

# Readers who read from before the buffer at the same time; after a restart all others wait for their turn.
RESUMING_MAX = 4


def drop_nulls(value: Json) -> Json:
    """Return a value of which no object has a member that is null. An element of an array may be."""
    if isinstance(value, dict):
        return {name: drop_nulls(each) for name, each in value.items() if each is not None}
    if isinstance(value, list | tuple):
        return [drop_nulls(item) for item in value]
    return value


def build_patch(before: JsonObject, after: JsonObject) -> JsonObject:
    """Return the patch from `before` to `after`, for readers of both without members that are null.

    {"lap": 1, "led": {"by": 0}}  and then  {"lap": 2, "led": {}}  is the patch  {"lap": 2, "led": {"by": null}}

    Only changed members are compared closely; of a board that is mostly a small part.
    """
    patch: JsonObject = {name: None for name, old in before.items() if old is not None and after.get(name) is None}
    for name, value in after.items():
        old = before.get(name)
        # The very same, as most of a board is from one line to the next.
        if value is old:
            continue
        if isinstance(value, dict) and isinstance(old, dict):
            inner = build_patch(old, value)
            if inner:
                patch[name] = inner
        elif value is not None and not _is_same(old, value):
            patch[name] = drop_nulls(value)
    return patch


def apply_patch(before: Json, patch: Json) -> Json:
    """Return a value after a patch, by the algorithm of the RFC; both stay as they are."""
    if not isinstance(patch, dict):
        return patch
    after = dict(before) if isinstance(before, dict) else {}
    for name, value in patch.items():
        if value is None:
            after.pop(name, None)
        else:
            after[name] = apply_patch(after.get(name), value)
    return after


def _is_same(one: Json, other: Json) -> bool:
    if one != other:
        return False
    # To Python True is 1, at any depth; to a reader of JSON it is not.
    if isinstance(one, bool | int | str):
        return type(one) is type(other)
    return msgspec.json.encode(one) == msgspec.json.encode(other)


class StepSources(Struct, frozen=True, kw_only=True):
    """The sources from which steps are read."""

    histories: GameHistories
    store: EventStore
    # None where no look is on record: in the simulated world.
    looks: Looks | None = None
    # Guards nothing: it bounds how many resume at once.
    resuming: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(RESUMING_MAX))


class Step:
    """Immutable, but for values computed from the rest and kept."""

    __slots__ = ("_changes", "_choices", "_frames", "_shared", "_views", "game", "is_complete", "line")

    def __init__(self, moment: Moment[Game]) -> None:
        self.line = moment.line
        self.game = moment.state
        self.is_complete = moment.is_complete
        # The part shown to all viewers alike, and its difference from the step before, encoded.
        self._shared: JsonObject | None = None
        self._changes: bytes | None = None
        self._views: dict[Seat | None, Json] = {}
        self._choices: dict[Seat | None, JsonObject] = {}
        self._frames: dict[tuple[Seat | None, bool], Frame] = {}

    @property
    def version(self) -> StreamVersion:
        return self.game.version

    def whole(self, seat: Seat | None) -> Frame:
        """Return the frame for a reader without a board."""
        frame = self._frames.get((seat, True))
        if frame is None:
            members = {**self.share(), "your_seat": seat, "board": self.view(seat), "choices": self.choices(seat)}
            frame = self._frames[seat, True] = self._encode(msgspec.json.encode(drop_nulls(members)))
        return frame

    def patch(self, before: "Step", seat: Seat | None) -> Frame:
        """Return the frame for a reader with the board of the step before."""
        frame = self._frames.get((seat, False))
        if frame is None:
            assert before.version == self.version - 1, f"a patch from {before.version} to {self.version}"
            changes = self._change(before)
            old = {"board": before.view(seat), "choices": before.choices(seat)}
            own = build_patch(old, {"board": self.view(seat, before), "choices": self.choices(seat, before)})
            if own:
                # The version changes with every line, so that neither of the two objects is without members.
                changes = b"%b,%b" % (changes[:-1], msgspec.json.encode(own)[1:])
            frame = self._frames[seat, False] = self._encode(changes)
            # Needed once: all viewers of the same get the same frame.
            before.fade(seat)
        return frame

    def fade(self, seat: Seat | None) -> None:
        """Let go of a view and its choices; they can be computed again."""
        self._views.pop(seat, None)
        self._choices.pop(seat, None)

    def fade_shared(self) -> None:
        self._shared = None

    def share(self, before: "Step | None" = None) -> JsonObject:
        """Return the part that all viewers are shown alike; values unchanged since `before` are the same objects."""
        if self._shared is None:
            self._shared = show_shared(self, before)
        return self._shared

    def view(self, seat: Seat | None, before: "Step | None" = None) -> Json:
        """Return a viewer's view of the board; the very same object where it has not changed since `before`."""
        if seat not in self._views:
            self._views[seat] = (
                before.view(seat)
                if before is not None and before.game.board is self.game.board
                else show_view(self.game, seat)
            )
        return self._views[seat]

    def choices(self, seat: Seat | None, before: "Step | None" = None) -> JsonObject:
        """Return a viewer's choices; for a decision that was owed on the same board before, the very same object."""
        if seat not in self._choices:
            known = before.choices(seat) if before is not None and before.game.board is self.game.board else {}
            owed = list_choosing(settle(self.game), seat) if self.is_complete and seat is not None else ()
            self._choices[seat] = {
                decision.id: known[decision.id]
                if decision.id in known
                else msgspec.to_builtins(self.game.ruleset.legal_actions(self.game.board, decision))
                for decision in owed
            }
        return self._choices[seat]

    def _change(self, before: "Step") -> bytes:
        if self._changes is None:
            old = before.share()
            self._changes = msgspec.json.encode(build_patch(old, self.share(before)))
            # As it is needed once.
            before.fade_shared()
        return self._changes

    def _encode(self, board: bytes) -> Frame:
        body = b"".join((b'{"version":%d,"line":' % self.version, self.line, b',"board":', board, b"}"))
        return Frame(version=self.version, body=body, framed=frame_text(body))


def show_shared(step: Step, before: Step | None) -> JsonObject:
    """Show the members for all viewers alike, among each viewer's own members, which are null."""
    game = step.game
    is_same_board = before is not None and before.game.board is game.board
    ranking = None if is_same_board or game.board is None else game.ruleset.ranking(game.board)
    board = BoardShown(ranking=ranking, view=None)
    members: JsonObject = msgspec.to_builtins(show_game(game, None, is_complete=step.is_complete, board=board))
    if before is not None:
        known = before.share()
        same = (
            ("terms", before.game.opened is game.opened),
            ("seats", before.game.seats is game.seats),
            ("ranking", is_same_board),
        )
        members.update((name, known[name]) for name, is_same in same if is_same)
    return members


async def read_steps(
    sources: StepSources, game: GameId, first: StreamVersion, last: StreamVersion, knowledge: Knowledge
) -> list[Step]:
    """Read the steps from `first` to `last`, which are there and no more than a page."""
    return [Step(moment) for moment in await sources.histories.read_range(game, first, last, knowledge)]
