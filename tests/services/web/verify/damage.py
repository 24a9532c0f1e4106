"""Logs damaged from a seed: lines removed, doubled, moved or changed, and often chained anew, as an operator could."""

from collections.abc import Callable, Sequence
from random import Random
from typing import Any

from domain.audit.bundle import Bundle
from domain.canonical import encode
from tests.domain.audit.audited_game import bundle_of, paused_specimen, specimen
from tests.domain.audit.forgery_tools import Fields, chained, lines
from tests.domain.audit.memory_ledger import proven
from tests.domain.audit.test_damage import short_game

LOGS: tuple[Callable[[], Sequence[bytes]], ...] = (specimen, paused_specimen, short_game)
CHANGES_MAX = 3
VALUES: tuple[Any, ...] = (
    None, True, -1, 0, 1, 2, 7, 2**53, "", "a", "0" * 64, "a" * 64, "seat:0", "server", "clock", "operator", [], [0, 1]
)  # fmt: skip


def damage(seed: int) -> Bundle:
    """Damage a game with the proof of its ledger, which its operator asks for anew where it can."""
    random = Random(seed)  # noqa: S311  a seed that can be repeated
    log = lines(tuple(random.choice(LOGS)()))
    for _ in range(random.randint(1, CHANGES_MAX)):
        _change(log, random)
    if random.random() < 0.7:
        return _prove(chained(log))
    raws = tuple(encode(fields) for fields in log)
    return bundle_of(raws) if random.random() < 0.9 else bundle_of(_flip(raws, random))


def _prove(raws: tuple[bytes, ...]) -> Bundle:
    try:
        return proven(raws)
    except ValueError:
        # What is no line any more has no leaf.
        return bundle_of(raws)


def _change(log: list[Fields], random: Random) -> None:
    place = random.randrange(len(log))
    match random.randrange(7):
        case 0 if len(log) > 1:
            del log[place]
        case 1:
            log.insert(random.randrange(len(log) + 1), log[place])
        case 2:
            log.insert(random.randrange(len(log)), log.pop(place))
        case 3:
            log[place] = log[place] | {random.choice(sorted(log[place])): random.choice(VALUES)}
        case 4:
            log[place] = log[place] | {"type": random.choice(log)["type"], "kind": random.choice(("input", "outcome"))}
        case 5:
            log[place] = log[place] | {"data": random.choice(log)["data"]}
        case _ if isinstance(log[place]["data"], dict) and log[place]["data"]:
            field = random.choice(sorted(log[place]["data"]))
            other = [line["data"][field] for line in log if isinstance(line["data"], dict) and field in line["data"]]
            log[place] = log[place] | {"data": log[place]["data"] | {field: random.choice((*other, *VALUES))}}
        case _:
            pass


def _flip(raws: tuple[bytes, ...], random: Random) -> tuple[bytes, ...]:
    place = random.randrange(len(raws))
    raw = bytearray(raws[place])
    raw[random.randrange(len(raw))] ^= 1 << random.randrange(8)
    return (*raws[:place], bytes(raw), *raws[place + 1 :])
