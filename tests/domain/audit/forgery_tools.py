"""The operator's workshop: a log taken apart, changed, and chained, signed and rolled again."""

from collections.abc import Iterable
from typing import Any

import msgspec
from msgspec import Struct

from domain.canonical import encode
from domain.chance import Chance, DeckShuffled, after_dice, after_shuffle, contribute, draw_dice, open_chance
from domain.log.record import GENESIS, line_hash
from domain.signature import signed_input
from tests.domain.audit.audited_game import KEYS, specimen
from tests.domain.game.game_harness import GAME, RULES, SECRET

Fields = dict[str, Any]
# The operator owns the bot on seat 1, and holds that key alone.
OPERATORS_SEAT = 1


class Forged(Struct, frozen=True, kw_only=True):
    raws: tuple[bytes, ...]
    at: int
    components: bytes = RULES.components


def lines(raws: tuple[bytes, ...] | None = None) -> list[Fields]:
    return [msgspec.json.decode(raw) for raw in (specimen() if raws is None else raws)]


def chained(log: Iterable[Fields]) -> tuple[bytes, ...]:
    """Number and chain lines anew."""
    raws: list[bytes] = []
    for place, fields in enumerate(log, start=1):
        prev = line_hash(raws[-1]) if raws else GENESIS
        raws.append(encode(fields | {"version": place, "prev": prev}))
    return tuple(raws)


def edited(version: int, **changes: Any) -> Forged:
    """Change members of one line and chain anew."""
    log = lines()
    log[version - 1] |= changes
    return Forged(raws=chained(log), at=version)


def with_data(version: int, **changes: Any) -> Forged:
    """Change fields of one event and chain anew."""
    return edited(version, data=lines()[version - 1]["data"] | changes)


def places(type_: str) -> list[int]:
    return [place for place, fields in enumerate(lines(), start=1) if fields["type"] == type_]


def by_seat(type_: str, seat: int) -> int:
    return next(place for place in places(type_) if lines()[place - 1]["by"] == f"seat:{seat}")


def resigned(fields: Fields, *, seat: int = OPERATORS_SEAT, **signed: object) -> Fields:
    """Sign a line with a seat's key; `signed` replaces parts of the signed text, as for another place."""
    parts: Fields = {
        "base": fields["base"],
        "command": fields["command"],
        "data": fields["data"],
        "stream": GAME,
        "type_": fields["type"],
    } | signed
    return fields | {"sig": KEYS[seat].sign(signed_input(**parts)).hex()}


def rolled_again(log: list[Fields]) -> list[Fields]:
    """Draw every die anew from the operator's secret and the contributions that the log now has."""
    anchors = tuple(log[0]["data"]["anchors"])
    chance: Chance = open_chance(GAME, anchors, SECRET)
    again = []
    for fields in log:
        data = fields["data"]
        if fields["type"] == "dice_rolled":
            name = data["label"].rpartition(":")[0]
            rolled = draw_dice(chance, name=name, dice=len(data["faces"]), sides=data["sides"])
            chance = after_dice(chance, rolled)
            data = msgspec.to_builtins(rolled)
        elif fields["type"] == "deck_shuffled":
            chance = after_shuffle(chance, msgspec.convert(data, DeckShuffled))
        elif data.get("nonce") is not None:
            chance = contribute(chance, seat=data["seat"], nonce=data["nonce"])
        again.append(fields | {"data": data})
    return again


def input_after(before: Fields, number: int, type_: str, **data: object) -> Fields:
    """Return an unsigned input of seat 2, at the instant of the line before it."""
    command = f"0199c0de-0000-7000-9000-00000000fff{number}"
    parts = {"by": "seat:2", "type": type_, "data": {"seat": 2, **data}}
    return before | {"kind": "input", "base": None, "sig": None, "command": command} | parts


def outcome_after(before: Fields, type_: str, data: Fields) -> Fields:
    return before | {
        "kind": "outcome",
        "by": "server",
        "base": None,
        "sig": None,
        "command": None,
        "type": type_,
        "data": data,
    }
