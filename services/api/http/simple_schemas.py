"""Schemas as client generators know them: without words that most do not read, with formats and discriminators."""

from typing import Any

from services.api.http.ruleset_schemas import PREFIX

# In Python `$` also matches before a last newline, which our patterns refuse; in JSON Schema it does not.
BEFORE_NEWLINE = r"(?!\n)"
# All ids but those of decisions.
UUID_BEGINNING = "^[0-9a-f]{8}-[0-9a-f]{4}-"
# Fields with a time, where they are texts; the same names hold numbers elsewhere.
TIMES = frozenset({"at", "since", "until", "deadline", "sit_down_by", "paused_until", "failing_since"})


def simplify(found: Any) -> Any:
    """Return a part of a document without the words of JSON Schema that most generators do not read."""
    if isinstance(found, list):
        return [simplify(finding) for finding in found]
    if not isinstance(found, dict):
        return found
    simple = {word: simplify(part) for word, part in found.items()}
    if simple.get("in") in {"query", "header"}:
        simple["schema"] = _without_null(simple["schema"])
    places = simple.get("prefixItems")
    if isinstance(places, list):
        del simple["prefixItems"]
        kinds = [place for number, place in enumerate(places) if place not in places[:number]]
        simple["items"] = kinds[0] if len(kinds) == 1 else {"anyOf": kinds}
    if isinstance(simple.get("pattern"), str):
        simple["pattern"] = simple["pattern"].removesuffix(BEFORE_NEWLINE)
        if simple["pattern"].startswith(UUID_BEGINNING):
            simple["format"] = "uuid"
    # A default with fields, beside the kind that has them.
    if "anyOf" in simple and isinstance(simple.get("default"), dict):
        del simple["default"]
    if isinstance(simple.get("enum"), list) and len(simple["enum"]) == 1:
        (simple["const"],) = simple.pop("enum")
    return simple


def _without_null(schema: dict[str, Any]) -> dict[str, Any]:
    """Return the schema of a parameter, which may be left out and is never null."""
    for word in ("oneOf", "anyOf"):
        kinds = [kind for kind in schema.get(word, ()) if kind != {"type": "null"}]
        if len(kinds) == 1:
            rest = {name: part for name, part in schema.items() if name not in {word, "default"}}
            return {**kinds[0], **rest}
    if isinstance(schema.get("type"), list):
        (kind,) = (name for name in schema["type"] if name != "null")
        return {**schema, "type": kind, "enum": [choice for choice in schema["enum"] if choice is not None]}
    return schema


def add_times(schema: dict[str, Any]) -> dict[str, Any]:
    """Return a struct's schema with the format of its times."""
    properties = schema.get("properties", {})
    times = {name: _as_time(part) for name, part in properties.items() if name in TIMES or name.endswith("_at")}
    return {**schema, "properties": {**properties, **times}} if times else schema


def _as_time(schema: dict[str, Any]) -> dict[str, Any]:
    if schema.get("type") == "string" and not schema.keys() & {"pattern", "enum"}:
        return {**schema, "format": "date-time"}
    return {word: [_as_time(kind) for kind in part] if word == "oneOf" else part for word, part in schema.items()}


def discriminate(found: Any, schemas: dict[str, Any]) -> Any:
    """Return a part of a document with a discriminator where all structs of a union have a kind under one name."""
    if isinstance(found, list):
        return [discriminate(finding, schemas) for finding in found]
    if not isinstance(found, dict):
        return found
    marked = {word: discriminate(part, schemas) for word, part in found.items()}
    refs = [kind["$ref"] for word in ("oneOf", "anyOf") for kind in marked.get(word, ()) if "$ref" in kind]
    if len(refs) > 1 and "discriminator" not in marked:
        kinds = [_list_kinds(schemas[ref.removeprefix(PREFIX)]) for ref in refs]
        names = [name for name in kinds[0] if all(name in kind for kind in kinds)]
        if names:
            mapping = {str(kind[names[0]]): ref for kind, ref in zip(kinds, refs, strict=True)}
            marked["discriminator"] = {"propertyName": names[0], "mapping": mapping}
    return marked


def _list_kinds(schema: dict[str, Any]) -> dict[str, Any]:
    return {name: part["const"] for name, part in schema.get("properties", {}).items() if "const" in part}
