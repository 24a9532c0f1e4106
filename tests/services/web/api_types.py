"""Types of the API for the pages, from its OpenAPI document: a declaration of TypeScript for each schema, in `Api`."""

import json
from collections.abc import Mapping
from typing import Any

from tests.services.api.described import describe

Schema = Mapping[str, Any]

_PLAIN = {"string": "string", "integer": "number", "number": "number", "boolean": "boolean", "null": "null"}


def describe_types() -> str:
    """Return the declarations, one line each, in the order of their names."""
    schemas: Mapping[str, Schema] = describe()["components"]["schemas"]
    lines = [f"  type {_name(key)} = {_type(schema)};" for key, schema in sorted(schemas.items())]
    return "\n".join(["declare namespace Api {", *lines, "}", ""])


def _name(key: str) -> str:
    return "".join(character if character.isalnum() else "_" for character in key)


def _type(schema: Schema) -> str:
    match schema:
        case {"$ref": str(reference)}:
            return _name(reference.rpartition("/")[2])
        case {"const": constant}:
            return json.dumps(constant)
        case {"enum": [*values]}:
            return " | ".join(json.dumps(value) for value in values)
        case {"oneOf": [*parts]} | {"anyOf": [*parts]}:
            return " | ".join(dict.fromkeys(_type(part) for part in parts))
        case {"allOf": [*parts]}:
            return " & ".join(f"({_type(part)})" for part in parts)
        case {"type": [*names]}:
            return " | ".join(_type({**schema, "type": name}) for name in names)
        case {"type": "array", "prefixItems": [*parts]}:
            return f"[{', '.join(_type(part) for part in parts)}]"
        case {"type": "array"}:
            return f"({_type(schema.get('items', {}))})[]"
        case {"properties": properties} if properties:
            required = schema.get("required", ())
            fields = (f"{json.dumps(k)}{'' if k in required else '?'}: {_type(part)}" for k, part in properties.items())
            return f"{{ {'; '.join(fields)} }}"
        case {"additionalProperties": dict() as values}:
            return f"Record<string, {_type(values)}>"
        case {"type": "object"}:
            return "Record<string, any>"
        case {"type": str(name)}:
            return _PLAIN[name]
        case _:
            return "any"
