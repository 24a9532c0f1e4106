"""Parts: a room's bag stays small, so that a route asks for little more than it needs."""

import inspect

import pytest
from msgspec import Struct
from msgspec.structs import fields

from services.api.http import parts

FIELDS_MAX = 12
BAGS = [
    bag
    for name, bag in inspect.getmembers(parts, inspect.isclass)
    if issubclass(bag, Struct) and bag.__module__ == parts.__name__
]


@pytest.mark.parametrize("bag", BAGS)
def test_a_bag_has_few_fields(bag: type[Struct]) -> None:
    names = [field.name for field in fields(bag)]

    assert len(names) <= FIELDS_MAX
