"""Appends as the arena makes them: real lines, chained, with the content that a test gives them."""

from uuid import uuid4

from domain.ids import CommandId, LineHash, StreamId, StreamVersion
from domain.log.record import GENESIS, Line, encode_line, line_hash
from infra.event_store import Append, HeldOpening, StoredCommand

AT = "2026-11-18T12:00:00.000Z"
BODY_HASH = bytes(range(32))
LEAF_KEY = "55" * 32


def new_game() -> StreamId:
    return StreamId(str(uuid4()))


def new_command(body_hash: bytes = BODY_HASH) -> StoredCommand:
    return StoredCommand(id=CommandId(str(uuid4())), body_hash=body_hash)


def opening(game: StreamId, count: int = 1, *, said: str = "", command: StoredCommand | None = None) -> Append:
    """The first lines of a game."""
    return _append(game, count, said=said, command=command)


def following(before: Append, count: int = 1, *, said: str = "", command: StoredCommand | None = None) -> Append:
    """Return the events decided on the state after `before`."""
    return _append(before.stream, count, before=before, said=said, command=command)


def at_place(game: StreamId, *, version: int, head: LineHash) -> Append:
    """One line that fits the place it claims, whether or not there can be such a place."""
    raw = _line(game, version + 1, prev=head, said="")
    return Append(
        stream=game,
        expected_version=StreamVersion(version),
        expected_head=head,
        lines=(raw,),
        types=("seat_readied",),
        hashes=(line_hash(raw),),
    )


def held_opening(version: int) -> HeldOpening:
    return HeldOpening(version=StreamVersion(version), sealed_box=b"opening of %d" % version)


def _append(
    game: StreamId, count: int, *, said: str, command: StoredCommand | None, before: Append | None = None
) -> Append:
    version = before.last_version if before else StreamVersion(0)
    head = before.hashes[-1] if before else GENESIS
    lines, hashes, prev = [], [], head
    for number in range(version + 1, version + count + 1):
        raw = _line(game, number, prev=prev, said=said)
        prev = line_hash(raw)
        lines.append(raw)
        hashes.append(prev)
    return Append(
        stream=game,
        expected_version=version,
        expected_head=head,
        lines=tuple(lines),
        types=("seat_readied",) * count,
        hashes=tuple(hashes),
        command=command,
    )


def _line(game: StreamId, version: int, *, prev: LineHash, said: str) -> bytes:
    return encode_line(
        Line(
            at=AT,
            base=None,
            by="seat:0",
            command=None,
            data={"said": said} if version > 1 else {"leaf_key": LEAF_KEY, "said": said},
            kind="input",
            prev=prev,
            sig=None,
            stream=game,
            type="seat_readied",
            version=StreamVersion(version),
        )
    )
