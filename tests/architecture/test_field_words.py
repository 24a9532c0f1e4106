"""The description has words for all that it names, from docstrings, comments and `fields.toml`."""

import json
from functools import cache
from typing import Any

import msgspec
import pytest
from msgspec import Struct

from domain.rulesets.released import KITS
from services.api.http.costs import COSTS, PLAIN
from services.api.http.field_words import Table, describe_structs, list_structs, read_general_table, read_ruleset_table
from tests.services.api.test_prices import APP


@cache
def describe() -> dict[str, Any]:
    described: dict[str, Any] = json.loads(msgspec.json.encode(APP.openapi_schema.to_schema()))
    return described


def list_operations() -> list[dict[str, Any]]:
    return [operation for path in describe()["paths"].values() for operation in path.values()]


def test_every_operation_and_every_parameter_has_words() -> None:
    operations = list_operations()

    parameters = [
        (operation["operationId"], parameter["name"], parameter.get("description"))
        for operation in operations
        for parameter in operation.get("parameters", ())
    ]

    assert [operation["operationId"] for operation in operations if not operation.get("description")] == []
    assert [(operation, name) for operation, name, words in parameters if not words] == []
    assert len(parameters) > len(operations)


def test_every_schema_and_every_property_has_words() -> None:
    schemas = describe()["components"]["schemas"]

    properties = [
        (f"{name}.{field}", part.get("description"))
        for name, schema in schemas.items()
        for field, part in schema.get("properties", {}).items()
    ]

    assert [name for name, schema in schemas.items() if not schema.get("description")] == []
    assert [name for name, words in properties if not words] == []


def test_no_words_speak_of_null_where_none_is_allowed() -> None:
    schemas = describe()["components"]["schemas"]

    wrong = [
        f"{name}.{field}: {part['description']}"
        for name, schema in schemas.items()
        for field, part in schema.get("properties", {}).items()
        if "; null" in part.get("description", "") and "null" not in json.dumps({**part, "description": ""})
    ]

    assert wrong == []


@pytest.mark.parametrize("kit", [pytest.param(kit, id=kit.reference) for kit in KITS])
def test_every_row_of_a_ruleset_is_of_a_field_or_a_struct_of_its(kit: Any) -> None:
    rules = kit.ruleset
    types = (rules.view_type, rules.choices_type, rules.action_type, rules.preview_type, rules.options_type)
    structs = {kind.cls.__name__: {field.name for field in kind.fields} for kind in list_structs(types)}

    table = read_ruleset_table(kit.folder)

    assert table.structs.keys() <= structs.keys()
    assert table.fields.keys() <= {
        *(field for fields in structs.values() for field in fields),
        *(f"{name}.{field}" for name, fields in structs.items() for field in fields),
    }


def test_every_general_row_is_of_a_field_or_a_struct() -> None:
    schemas = describe()["components"]["schemas"]
    named = {field for schema in schemas.values() for field in schema.get("properties", {})}
    owned = {f"{name}.{field}" for name, schema in schemas.items() for field in schema.get("properties", {})}

    table = read_general_table()

    assert sorted(table.structs.keys() - schemas.keys()) == []
    assert sorted(table.fields.keys() - named - owned) == []


class Cart(Struct, tag="cart"):
    """A cart. Its `load` is in kilograms; `wheels` are counted."""

    load: int
    # As many as touch the ground,
    # the spare one excluded.
    wheels: int
    owner: str | None
    colour: str


CART: dict[str, Any] = {
    "properties": {
        "load": {"type": "integer"},
        "wheels": {"type": "integer"},
        "owner": {"anyOf": [{"type": "string"}, {"type": "null"}]},
        "colour": {"type": "string"},
        "type": {"enum": ["cart"]},
    }
}


def test_words_come_from_comments_then_docstrings_then_rows() -> None:
    rows = Table(
        fields={
            "load": "no",
            "wheels": "no",
            "owner": "The owner; null without one.",
            "colour": "A row; null without one.",
            "Cart.colour": "Its own row; null without one.",
        }
    )

    described = describe_structs({"Cart": CART}, [Cart], [rows])["Cart"]

    assert described["description"] == "A cart. Its `load` is in kilograms; `wheels` are counted."
    assert {name: part["description"] for name, part in described["properties"].items()} == {
        "load": "Its `load` is in kilograms; `wheels` are counted.",
        "wheels": "As many as touch the ground, the spare one excluded.",
        "owner": "The owner; null without one.",
        "colour": "Its own row.",
        "type": "The kind: always `cart`.",
    }


def test_ids_and_times_have_formats_and_a_union_names_its_kinds() -> None:
    schemas = describe()["components"]["schemas"]

    seats = schemas["GameShown"]["properties"]["seats"]["items"]["discriminator"]

    assert schemas["GameShown"]["properties"]["at"]["format"] == "date-time"
    assert schemas["TakeSeatBody"]["properties"]["command"]["format"] == "uuid"
    assert seats["mapping"]["vacant"].endswith("/SeatVacant")
    assert schemas["ChariotRace1RulesetChoices"]["discriminator"]["propertyName"] == "kind"


def test_every_operation_has_its_price() -> None:
    prices = {operation["operationId"]: operation["x-cost"] for operation in list_operations()}

    assert {name: prices[name] for name in COSTS.keys() & prices.keys()} == {
        name: cost for name, cost in COSTS.items() if name in prices
    }
    assert prices["play_action"] == PLAIN
