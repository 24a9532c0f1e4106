"""Fixed spellings in words: a decoder that refuses a text names its pattern, or no more than the refused value.

The words stand beside the pattern, as the description of its type: `Meta(pattern=…, description="a lower-case UUID")`.
Of a value that is one of few, the words are all of them.
"""

import json
import re
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

import msgspec

# As the decoder writes it, with the pattern as Python writes a text.
_MATCHING = re.compile(r"""`str` matching regex ('(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")""")


# The decoder's names of types, and JSON's.
_TYPES = re.compile(r"`([a-z]+(?: \| [a-z]+)*)`")
_NAMES = {
    "array": "a list",
    "bool": "true or false",
    "float": "a number",
    "int": "an integer",
    "null": "null",
    "object": "an object",
    "str": "a string",
}
_QUOTES = ("'", '"')

# A value that is one of few, or the tag of a type; the place is missing where the value is the whole.
_CHOOSING = re.compile(r"Invalid (?:enum )?value ('.*'|\".*\"|-?[0-9]+)(?P<place> - at `(.+)`)?$", re.DOTALL)
_STEP = re.compile(r"\.([^.\[]+)|\[[^\]]*\]")


def tell_refusal(message: str, decoded: Any) -> str:
    """Return the message of a decoder of this type, with words for each pattern that has them, and with choices."""
    if found := _CHOOSING.match(message):
        choices = list_choices(decoded, found[3] or "$")
        value = f'"{found[1][1:-1]}"' if found[1][0] in _QUOTES else found[1]
        return f"Expected one of {', '.join(choices)}, found {value}{found['place'] or ''}" if choices else message
    told = _MATCHING.sub(lambda found: _describe_patterns(decoded).get(found[1], found[0]), message)
    return _TYPES.sub(_tell_types, told)


def _tell_types(found: re.Match[str]) -> str:
    names = found[1].split(" | ")
    return " or ".join(_NAMES[name] for name in names) if _NAMES.keys() >= set(names) else found[0]


def list_choices(decoded: Any, place: str) -> list[str]:
    """List the values, as JSON, of which a type wants one at a place such as `$.clock.kind` or `$.demands[0]`."""
    schema = _build_schema(decoded)
    at = list(_open(schema, schema))
    for step in _STEP.finditer(place):
        inner = (key["properties"].get(step[1], {}) if step[1] else key["items"] for key in at if _leads(key, step))
        at = [opened for each in inner for opened in _open(schema, each)]
    return [json.dumps(value) for key in at for value in key.get("enum", ())]


def _open(schema: Any, part: Any) -> Iterator[Any]:
    """Yield a part of a schema, or each of its alternatives, without references."""
    name = part.get("$ref", "").rpartition("/")[2]
    alternatives = [schema["$defs"][name]] if name else part.get("anyOf", ())
    if not alternatives:
        yield part
    for alternative in alternatives:
        yield from _open(schema, alternative)


def _leads(part: Any, step: re.Match[str]) -> bool:
    return ("properties" if step[1] else "items") in part


@cache
def _build_schema(decoded: Any) -> Any:
    return msgspec.json.schema(decoded)


@cache
def _describe_patterns(decoded: Any) -> Mapping[str, str]:
    return dict(_find_described(_build_schema(decoded)))


def _find_described(schema: Any) -> Iterator[tuple[str, str]]:
    """Yield every pattern of a schema, as the decoder writes it, with the description beside it."""
    if isinstance(schema, dict):
        if "pattern" in schema and "description" in schema:
            yield repr(schema["pattern"]), schema["description"]
        schema = list(schema.values())
    if isinstance(schema, list):
        for part in schema:
            yield from _find_described(part)
