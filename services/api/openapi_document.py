"""The document of the API: bodies and rulesets as components, and schemas in the words that client generators know."""

from collections.abc import Sequence
from typing import Any

import msgspec
from litestar.openapi.spec import OpenAPI
from msgspec import Struct

from services.api.ruleset_schemas import HELD, PREFIX, describe_rulesets

# In Python `$` also matches before a last newline, which our patterns refuse; in JSON Schema it does not.
BEFORE_NEWLINE = r"(?!\n)"


class Document(OpenAPI):
    """An OpenAPI document, with the bodies of all requests."""

    bodies: Sequence[type[Struct]] = ()

    def to_schema(self) -> dict[str, Any]:
        written = super().to_schema()
        _, bodies = msgspec.json.schema_components(self.bodies, ref_template=f"{PREFIX}{{name}}")
        rulesets = describe_rulesets()
        schemas = written["components"]["schemas"] | bodies
        assert not schemas.keys() & rulesets.keys(), schemas.keys() & rulesets.keys()
        for holder, field, schema in HELD:
            assert field in schemas[holder]["properties"], f"{holder} has no {field}"
            schemas[holder]["properties"][field] = schema
        written["components"]["schemas"] = {name: _name(name, each) for name, each in (schemas | rulesets).items()}
        simple: dict[str, Any] = _simplify(written)
        return simple


def _name(name: str, schema: dict[str, Any]) -> dict[str, Any]:
    """Give a component the title by which generators name a class, as unique as its own name."""
    return {**schema, "title": name}


def _simplify(found: Any) -> Any:
    """Return a part of a document without the words of JSON Schema that most generators do not read."""
    if isinstance(found, list):
        return [_simplify(each) for each in found]
    if not isinstance(found, dict):
        return found
    simple = {word: _simplify(each) for word, each in found.items()}
    places = simple.get("prefixItems")
    if isinstance(places, list):
        del simple["prefixItems"]
        kinds = [place for number, place in enumerate(places) if place not in places[:number]]
        simple["items"] = kinds[0] if len(kinds) == 1 else {"anyOf": kinds}
    if isinstance(simple.get("pattern"), str):
        simple["pattern"] = simple["pattern"].removesuffix(BEFORE_NEWLINE)
    if isinstance(simple.get("enum"), list) and len(simple["enum"]) == 1:
        (simple["const"],) = simple.pop("enum")
    return simple
