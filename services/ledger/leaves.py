"""From events to leaves: hashes each line itself and checks its place.

The store's word about a line is compared, never taken over. A line that does not fit stops the ledger: no line is
skipped, as the ledger vouches for all.
"""

from collections import OrderedDict
from collections.abc import Sequence

import msgspec
from msgspec import Struct

from domain.ids import LineHash, LogPosition, StreamId, StreamVersion
from domain.ledger.leaf import LEAF_KEY_SIZE, build_leaf
from domain.log.record import GENESIS, line_hash
from infra.event_store import StoredEvent
from infra.ledger_store import Ledger, LedgerEntry, LedgerStream

# Games whose last line is remembered: a few hundred bytes each, as many as play at once on a busy server. The others
# are asked of the store again.
STREAMS_MAX = 10_000


class BrokenLog(Exception):
    """An event in an impossible place. The log was changed past its rules, or we have a bug."""

    def __init__(self, event: StoredEvent, *, expected: str, found: str) -> None:
        self.position = event.position
        self.stream = event.stream
        self.version = event.version
        super().__init__(
            f"event {event.position}, line {event.version} of {event.stream}: expected {expected}, found {found}"
        )


class Leaves(Struct, frozen=True, kw_only=True):
    entries: tuple[LedgerEntry, ...]
    # Where each of their games stands after them.
    moved: dict[StreamId, LedgerStream]


class _Place(Struct, frozen=True):
    """The place that a line claims; the rest is for verifiers of the game."""

    prev: str
    stream: str
    version: int


class _Keyed(Struct, frozen=True):
    leaf_key: str


class _First(Struct, frozen=True):
    data: _Keyed


_PLACE = msgspec.json.Decoder(_Place)
_FIRST = msgspec.json.Decoder(_First)


class LeafMaker:
    """Remembers where games stand, as far as they were stored with their leaves."""

    def __init__(self, ledger: Ledger, *, streams_max: int = STREAMS_MAX) -> None:
        self._ledger = ledger
        self._streams_max = streams_max
        self._streams: OrderedDict[StreamId, LedgerStream] = OrderedDict()

    async def build(self, events: Sequence[StoredEvent], *, after: LogPosition) -> Leaves:
        """Make the leaves of events that follow a position. Raises BrokenLog: nothing of them may be stored then."""
        known = await self._find_streams({event.stream for event in events})
        moved: dict[StreamId, LedgerStream] = {}
        entries = []
        for event in events:
            if event.position <= after:
                raise BrokenLog(event, expected=f"a position after {after}", found=f"{event.position}")
            after = event.position
            stream = moved[event.stream] = _follow(event, moved.get(event.stream) or known.get(event.stream))
            leaf = build_leaf(stream.leaf_key, stream=event.stream, version=event.version, line=stream.head)
            entries.append(LedgerEntry(position=event.position, leaf=leaf))
        return Leaves(entries=tuple(entries), moved=moved)

    def keep(self, moved: dict[StreamId, LedgerStream]) -> None:
        """Remember the stored leaves."""
        for stream, standing in moved.items():
            self._streams[stream] = standing
            self._streams.move_to_end(stream)
        while len(self._streams) > self._streams_max:
            self._streams.popitem(last=False)

    async def _find_streams(self, streams: set[StreamId]) -> dict[StreamId, LedgerStream]:
        known = {stream: self._streams[stream] for stream in streams if stream in self._streams}
        unknown = sorted(streams - known.keys())
        return known | await self._ledger.read_streams(unknown) if unknown else known


def _follow(event: StoredEvent, before: LedgerStream | None) -> LedgerStream:
    """Check one event against the line before it in its game."""
    found = line_hash(event.body)
    if found != event.hash:
        raise BrokenLog(event, expected=f"a line with the hash {event.hash}", found=found)
    version, prev = (1, GENESIS) if before is None else (before.version + 1, before.head)
    if event.version != version:
        raise BrokenLog(event, expected=f"version {version}", found=f"{event.version}")
    try:
        place = _PLACE.decode(event.body)
        leaf_key = _read_leaf_key(event) if before is None else before.leaf_key
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise BrokenLog(event, expected="a line that says where it stands", found=str(error)) from error
    expected = _Place(prev, event.stream, version)
    if place != expected:
        raise BrokenLog(event, expected=f"{expected}", found=f"{place}")
    return LedgerStream(version=StreamVersion(version), head=LineHash(found), leaf_key=leaf_key)


def _read_leaf_key(event: StoredEvent) -> bytes:
    text = _FIRST.decode(event.body).data.leaf_key
    try:
        leaf_key = bytes.fromhex(text)
    except ValueError:
        leaf_key = b""
    if len(leaf_key) != LEAF_KEY_SIZE or leaf_key.hex() != text:
        raise BrokenLog(event, expected=f"a leaf key of {LEAF_KEY_SIZE} bytes in hex", found=f"{len(text)} characters")
    return leaf_key
