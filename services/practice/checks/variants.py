"""The variants of a ruleset to be played: its presets, and each value of each option by itself."""

from collections.abc import Iterator, Mapping
from typing import Any

import msgspec
from msgspec import Struct, inspect

from domain.canonical import Json
from domain.ids import Seat
from domain.rejection import Rejection
from domain.ruleset.kit import Kit
from domain.ruleset.ruleset import AnyRuleset
from infra.ruleset_files import read_words


class Variant(Struct, frozen=True, kw_only=True):
    """Options under a name: of a preset, or as `option=value`."""

    name: str
    options: Mapping[str, Json]


def list_variants(kit: Kit, rules: AnyRuleset) -> list[tuple[Variant, int]]:
    """List every variant with every number of seats that its options allow."""
    variants = [Variant(name="default", options=kit.short)]
    variants += [
        Variant(name=preset.name, options={**kit.short, **preset.options}) for preset in read_words(kit).presets
    ]
    values = list_values(rules.options_type)
    variants += [Variant(name=f"{name}={value}", options={**kit.short, name: value}) for name, value in values]
    return [(variant, seats) for variant in variants for seats in rules.seats if _is_playable(rules, variant, seats)]


def list_values(types: Any) -> Iterator[tuple[str, Json]]:
    """List the fields of a struct, or of each struct of a union, with their few or extreme values."""
    described: Any = inspect.type_info(types)
    for struct in getattr(described, "types", (described,)):
        for field in struct.fields:
            for kind in getattr(field.type, "types", (field.type,)):
                yield from ((field.encode_name, value) for value in _list_of(kind))


def _list_of(kind: Any) -> tuple[Json, ...]:
    match kind:
        case inspect.LiteralType(values=values):
            return tuple(values)
        case inspect.BoolType():
            return (False, True)
        case inspect.IntType(ge=low, le=high):
            return tuple(bound for bound in (low, high) if bound is not None)
        case _:
            return ()


def _is_playable(rules: AnyRuleset, variant: Variant, seats: int) -> bool:
    try:
        options = msgspec.convert(dict(variant.options), rules.options_type)
        rules.initial_board(tuple(Seat(seat) for seat in range(seats)), options)
    except (Rejection, msgspec.ValidationError):
        return False
    return True
