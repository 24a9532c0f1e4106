"""Logs to fold: the golden games of both rulesets and random games with everything that can happen, in one order."""

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

import tests.domain.rulesets.chariot_race
import tests.domain.rulesets.charioteer
from domain.canonical import encode
from domain.ids import GameId, LogPosition, StreamId
from domain.log.record import Line, line_hash, parse_line
from infra.event_store import StoredEvent
from projections.folding import Projection, Row, fold
from tests.domain.game.random_play import play_game

GOLDEN = [
    path
    for package in (tests.domain.rulesets.charioteer, tests.domain.rulesets.chariot_race)
    for path in sorted(Path(package.__path__[0], "golden").glob("*.ndjson"))
]
CHAOS_GAMES = 12
SEED = 20261118


def game_id(number: int) -> GameId:
    return GameId(StreamId(f"0199c0de-0000-7000-8000-{number:012d}"))


@cache
def golden_games() -> tuple[tuple[bytes, ...], ...]:
    return tuple(tuple(path.read_bytes().splitlines()) for path in GOLDEN)


@cache
def random_games(count: int = CHAOS_GAMES) -> tuple[tuple[bytes, ...], ...]:
    return tuple(tuple(play_game(seed).raws) for seed in range(count))


def renamed(raws: Sequence[bytes], game: GameId) -> list[bytes]:
    """Make the lines those of another game. Their hashes no longer fit, and no projection looks at them."""
    own = parse_line(raws[0]).stream.encode()
    return [raw.replace(own, game.encode()) for raw in raws]


class MemoryLog:
    """Events in the order of their commits."""

    def __init__(self, events: Sequence[StoredEvent]) -> None:
        self.events = list(events)

    async def read_log(self, *, after: LogPosition, limit: int) -> list[StoredEvent]:
        return self.events[after : after + limit]

    async def read_head(self) -> LogPosition:
        return LogPosition(len(self.events))


def interleave(games: Sequence[Sequence[bytes]], *, seed: int = SEED) -> list[StoredEvent]:
    """Let the games go on side by side, some lines at a time."""
    random = Random(seed)  # noqa: S311 - a seed that can be repeated
    left = [iter(renamed(raws, game_id(number))) for number, raws in enumerate(games, start=1)]
    events: list[StoredEvent] = []
    while left:
        lines = random.choice(left)
        taken = list(islice(lines, random.randrange(1, 12)))
        if not taken:
            left.remove(lines)
        for raw in taken:
            line = parse_line(raw)
            position = LogPosition(len(events) + 1)
            stored = StoredEvent(
                position=position, stream=line.stream, version=line.version, hash=line_hash(raw), body=raw
            )
            events.append(stored)
    return events


def fold_whole(projection: Projection[Any], raws: Sequence[bytes]) -> dict[tuple[str, bytes], Row]:
    """Fold lines at once, and give the rows that are there in the end."""
    folded = fold(projection, {}, [parse_line(raw) for raw in raws])
    return {(row.owner, row.place): row for row in folded.rows}


def lines_of(raws: Sequence[bytes]) -> Iterator[Line]:
    return (parse_line(raw) for raw in raws)


def rewritten(raw: bytes, **fields: Any) -> bytes:
    """Encode a line again with other fields."""
    line = parse_line(raw)
    return encode({name: fields.get(name, getattr(line, name)) for name in line.__struct_fields__})
