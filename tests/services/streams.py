"""Streams of the log that are no games: lines whose chain holds, which only those who know their kind can read."""

from collections.abc import Sequence
from typing import Any

from domain.ids import CommandId, LineHash, StreamId, StreamVersion
from domain.log.record import GENESIS, Line, encode_line, format_at, line_hash
from infra.event_store import Append, EventStore, StoredCommand
from tests.domain.game.game_harness import ADA, NOON

STREAM = StreamId("0199c0de-0000-7000-8000-00000000f00d")
LEAF_KEY = "5a" * 32

# A tournament's log as readers of games may meet it, with types that games have too.
OTHER: tuple[tuple[str, dict[str, Any]], ...] = (
    (
        "tournament_opened",
        {
            "anchors": [],
            "bye_points": 3,
            "check_in_ms": 60_000,
            "clock": None,
            "commit": "00" * 32,
            "delay_s": 0,
            "demands": [],
            "entries_max": 64,
            "format": {"kind": "score", "rounds": 5},
            "leaf_key": LEAF_KEY,
            "name": "Consualia",
            "options": {},
            "organisers": {},
            "points": {"2": [3, 1]},
            "ruleset": {"components": "00" * 32, "name": "torches", "version": 1},
            "sit_down_ms": 60_000,
            "tables": {"max": 2, "min": 2, "preferred": 2},
            "tie_breaks": ["wins"],
        },
    ),
    ("entrant_entered", {"entrant": 0, "player": ADA}),
    ("opening_witnessed", {"proof": "none"}),
    ("round_called", {"round": 1}),
    ("dice_rolled", {"label": "lots", "faces": [3]}),
    ("secret_disclosed", {"secret": "00" * 32}),
)
OUTCOMES = ("dice_rolled", "secret_disclosed")


def build_stream(told: Sequence[tuple[str, dict[str, Any]]] = OTHER, stream: StreamId = STREAM) -> list[bytes]:
    raws: list[bytes] = []
    for version, (type_, data) in enumerate(told, start=1):
        is_outcome = type_ in OUTCOMES
        line = Line(
            at=format_at(NOON),
            by="server" if is_outcome else f"player:{ADA}",
            command=None if is_outcome else CommandId(stream if version == 1 else f"{stream[:-4]}{version:04x}"),
            data=data,
            kind="outcome" if is_outcome else "input",
            prev=line_hash(raws[-1]) if raws else GENESIS,
            base=None,
            sig=None,
            stream=stream,
            type=type_,
            version=StreamVersion(version),
        )
        raws.append(encode_line(line))
    return raws


async def store_stream(store: EventStore, raws: Sequence[bytes], stream: StreamId = STREAM) -> None:
    await store.append(
        Append(
            stream=stream,
            expected_version=StreamVersion(0),
            expected_head=LineHash(GENESIS),
            lines=tuple(raws),
            types=tuple(type_ for type_, _ in OTHER[: len(raws)]),
            hashes=tuple(line_hash(raw) for raw in raws),
            command=StoredCommand(id=CommandId(stream), body_hash=bytes(32)),
            secret_box=b"a box that no reader of games opens",
        )
    )
