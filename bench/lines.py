"""Lines of a log and appends of them, made for measurements: valid and chained, with padding for data."""

from uuid import uuid4

from bench.plain_inserts import BODY_SIZE
from domain.canonical import Json, encode
from domain.ids import CommandId, LineHash, StreamId, StreamVersion
from domain.log.record import GENESIS, Line, line_hash
from infra.event_store import Append, StoredCommand

# An envelope without data; the rest of a line is padding.
PADDING = "x" * (BODY_SIZE - 270)


def build_line(stream: StreamId, version: int, prev: LineHash, **data: Json) -> bytes:
    line = Line(
        at="2026-11-18T12:00:00.000Z",
        by="server",
        command=None,
        data={"padding": PADDING, **data},
        kind="outcome",
        prev=prev,
        base=None,
        sig=None,
        stream=stream,
        type="chariot_moved",
        version=StreamVersion(version),
    )
    return encode(line)


def build_game(*, appends: int, lines: int) -> list[Append]:
    """Build the appends of one game, of so many lines each."""
    game = StreamId(str(uuid4()))
    head, built = GENESIS, []
    for first in range(0, appends * lines, lines):
        raws, hashes, before = [], [], head
        for version in range(first + 1, first + lines + 1):
            raws.append(build_line(game, version, head))
            head = line_hash(raws[-1])
            hashes.append(head)
        built.append(
            Append(
                stream=game,
                expected_version=StreamVersion(first),
                expected_head=before,
                lines=tuple(raws),
                types=("chariot_moved",) * lines,
                hashes=tuple(hashes),
                command=StoredCommand(id=CommandId(str(uuid4())), body_hash=bytes(32)),
            )
        )
    return built
