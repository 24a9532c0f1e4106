"""Fixed spellings in words: a decoder that refuses a text names its pattern, which is for programs.

The words stand beside the pattern, as the description of its type: `Meta(pattern=…, description="a lower-case UUID")`.
"""

import re
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

import msgspec

# As the decoder writes it, with the pattern as Python writes a text.
_MATCHING = re.compile(r"""`str` matching regex ('(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")""")


def tell_refusal(message: str, decoded: Any) -> str:
    """Return the message of a decoder of this type, with words for each pattern that has them."""
    return _MATCHING.sub(lambda found: _describe_patterns(decoded).get(found[1], found[0]), message)


@cache
def _describe_patterns(decoded: Any) -> Mapping[str, str]:
    return dict(_find_described(msgspec.json.schema(decoded)))


def _find_described(schema: Any) -> Iterator[tuple[str, str]]:
    """Yield every pattern of a schema, as the decoder writes it, with the description beside it."""
    if isinstance(schema, dict):
        if "pattern" in schema and "description" in schema:
            yield repr(schema["pattern"]), schema["description"]
        schema = list(schema.values())
    if isinstance(schema, list):
        for part in schema:
            yield from _find_described(part)
