"""Keeps secrets out of logs and messages: by the name of a field, by type, and inside texts.

When in doubt it hides: a hidden harmless value costs a question, a shown secret costs a game.
"""

import re
from collections.abc import Iterable, Mapping
from pathlib import PurePath

from msgspec import Struct, structs

REDACTED = "[redacted]"
# Deeper than anything we log; deeper or circular values are cut off instead of followed.
DEPTH_MAX = 6
# A log line is read by people; a whole game in one field is a mistake of the caller.
TEXT_CHARACTERS_MAX = 4_000
OVERLAP_CHARACTERS = 1_000

# Any field name that contains one of these, and any whose words include one of the others.
CONFIDENTIAL_PARTS = ("secret", "token", "password", "passwd", "authorization", "credential", "cookie")
CONFIDENTIAL_WORDS = frozenset({"key", "salt", "nonce", "seed", "bearer"})
# A key's id is derived one way, and shows an operator the right key.
PUBLIC_NAMES = frozenset({"key_id", "expected_key_id", "found_key_id"})

# Every repetition that can start anywhere is bounded: a long text must not cost the square of its length.
# Greedy up to the `@` on purpose: a password may hold an unescaped `/` or `@`.
URL_CREDENTIALS = re.compile(r"([A-Za-z][A-Za-z0-9+.\-]{0,30}://)[^\s\"'<>]*@")
# Of a variable that is refused our own messages state `NAME: expected a …`, which is no value.
ASSIGNMENT = re.compile(
    r"(?i)((?:(?:secret|token|password|passwd|authorization|credential|cookie)\w{0,30}|(?:salt|nonce|(?<![a-z])key)s?)\b"
    r"[\"']?\s{0,3}(?:=>|[=:])\s{0,3})(?!expected an? )(?:bearer\s+|basic\s+)?(\"[^\"]*\"|'[^']*'|[^\s,;&)}\]]+)"
)
BEARER = re.compile(r"(?i)\b(bearer|basic)\s+[\w.~+/=-]{8,}")
# A message about keys may hold the prefix alone; it is a key only with something after it.
MASTER_KEY_TEXT = re.compile(r"spina-master-\d+:\w\S*")
# Between two quotes of one kind a b is a text of one letter, such as a key of JSON.
BYTES_LITERAL = re.compile(r"\b(?:(?<!')b'(?:\\.|[^'\\])*'|(?<!\")b\"(?:\\.|[^\"\\])*\")")


class Secret(bytes):
    """Bytes that must not be shown; comparing, hashing and encrypting work as for any bytes."""

    __slots__ = ()

    def __repr__(self) -> str:
        return REDACTED

    __str__ = __repr__


def redact_text(text: str) -> str:
    """Hide texts that look like credentials: URLs, `name=value`, bearer tokens, keys, bytes."""
    # The text beyond the cut is searched a little further, so that a credential across it is still recognised.
    length, text = len(text), text[: TEXT_CHARACTERS_MAX + OVERLAP_CHARACTERS]
    text = URL_CREDENTIALS.sub(rf"\1{REDACTED}@", text)
    text = MASTER_KEY_TEXT.sub(REDACTED, text)
    text = ASSIGNMENT.sub(rf"\1{REDACTED}", text)
    text = BEARER.sub(rf"\1 {REDACTED}", text)
    text = BYTES_LITERAL.sub("<bytes>", text)
    return text if length <= TEXT_CHARACTERS_MAX else f"{text[:TEXT_CHARACTERS_MAX]}… ({length} characters)"


def redact(name: str, value: object, *, depth: int = 0) -> object:
    """Give the value as it may be shown under that name; containers are gone through, nothing is changed in place."""
    if is_confidential(name) or isinstance(value, Secret):
        return REDACTED
    if value is None or isinstance(value, bool | int | float):
        return value
    if isinstance(value, bytes | bytearray | memoryview):
        return f"<{len(value)} bytes>"
    if isinstance(value, Struct):
        value = structs.asdict(value)
    if isinstance(value, Mapping | list | tuple | set | frozenset):
        return _redact_container(name, value, depth)
    return redact_text(value if isinstance(value, str) else _shown(value))


def _redact_container(name: str, value: Mapping[object, object] | Iterable[object], depth: int) -> object:
    if depth >= DEPTH_MAX:
        return "…"
    if not isinstance(value, Mapping):
        return [redact(name, inner, depth=depth + 1) for inner in value]
    # Only a text names its value; the place in a map from numbers states nothing of its own.
    return {
        redact_text(str(key)): redact(key if isinstance(key, str) else name, inner, depth=depth + 1)
        for key, inner in value.items()
    }


def is_confidential(name: str) -> bool:
    lowered = name.lower()
    if lowered in PUBLIC_NAMES:
        return False
    words = {word.removesuffix("s") for word in re.split(r"[^a-z0-9]+", lowered)}
    return any(part in lowered for part in CONFIDENTIAL_PARTS) or not words.isdisjoint(CONFIDENTIAL_WORDS)


def _shown(value: object) -> str:
    return str(value) if isinstance(value, BaseException | PurePath) else repr(value)
