"""The cost of reading a log: the strict parser and the chain against decoding and hashing alone."""

import hashlib
import random

import msgspec

from bench.figures import Asked, Figures, time_side_by_side
from domain.canonical import Json
from domain.ids import CommandId, GameId, LineHash, StreamId, StreamVersion
from domain.log.record import GENESIS, Line, encode_line, format_at, line_hash, parse_line, read_chain

# A four-seat race of twenty turns is about this long.
LINES = 600
_GAME = GameId(StreamId("0199c0de-0000-7000-8000-000000000001"))
_START_MS = 1_795_003_200_000


async def measure(asked: Asked) -> list[Figures]:
    """Time one log read three ways, all in the same rounds."""
    raws = build_log(asked.size(LINES, LINES // 4))
    decode = msgspec.json.decode
    rows = time_side_by_side(
        {
            "msgspec.json.decode + sha256": lambda: [(decode(raw), hashlib.sha256(raw).digest()) for raw in raws],
            "parse_line + line_hash": lambda: [(parse_line(raw), line_hash(raw)) for raw in raws],
            "read_chain (versions, prev, at as well)": lambda: list(read_chain(raws)),
        }
    )
    size = sum(map(len, raws)) // len(raws)
    return [Figures(title=f"reading {len(raws)} lines of {size} bytes", rows=rows)]


def build_log(lines: int) -> list[bytes]:
    """Build a chained log with lines of the kinds and sizes that a race has: moves, dice, seals, reveals."""
    source = random.Random(7)  # noqa: S311 - made-up data, the same in every run
    raws: list[bytes] = []
    prev: LineHash = GENESIS
    for version in range(1, lines + 1):
        kind = (version - 1) % 4
        line = Line(
            at=format_at(_START_MS + (version - kind) * 700),
            by="server" if kind else f"seat:{version % 6}",
            command=CommandId(_GAME) if version == 1 else None,
            data=_build_data(source, kind),
            kind="outcome" if kind else "input",
            prev=prev,
            base=None,
            sig=None,
            stream=_GAME,
            type=("action_revealed", "chariot_moved", "dice_rolled", "damage_taken")[kind],
            version=StreamVersion(version),
        )
        raws.append(encode_line(line))
        prev = line_hash(raws[-1])
    return raws


def _build_data(source: random.Random, kind: int) -> dict[str, Json]:
    match kind:
        case 0:
            action = {"cards": sorted(source.sample(range(90), 3)), "kind": "move", "symbol": "red-5", "token": None}
            return {
                "action": action,
                "decision": f"t{source.randrange(20)}/move/2",
                "nonce": source.randbytes(32).hex(),
                "salt": source.randbytes(32).hex(),
                "seat": 2,
            }
        case 1:
            path = [{"lane": source.randrange(2), "space": 20 + step} for step in range(8)]
            return {"distance": {"damage": 1, "number": 5, "symbols": 4}, "path": path, "seat": 3}
        case 2:
            link = source.randbytes(32).hex()
            faces = [source.randint(1, 6)]
            return {"chain": 1, "faces": faces, "index": 7, "label": "emperor:7", "link": link, "sides": 6}
        case _:
            return {"cubes": source.randrange(4), "from": "red-3", "seat": source.randrange(6)}
