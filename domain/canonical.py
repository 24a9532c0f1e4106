"""Canonical bytes: the one spelling of a value that is ever hashed, signed or stored.

The bytes are hashed as they are; no value is encoded again in order to verify.
"""

import re
from typing import Any, NoReturn, TypeAlias

import msgspec

# Example, with every kind of value: {"cards":[0,-4],"kind":"move","lucky":true,"note":"café \"x\"","symbol":null}
#
# RFC 8785 over a smaller schema, which msgspec's encoder with sorted keys writes to the byte:
#
#     value   = null | true | false | integer | string | "[" values "]" | "{" members "}"
#     member  = key ":" value, keys ASCII and strictly ascending, so each once
#     integer = -(2^53-1) to 2^53-1, no sign on 0, no fraction, no exponent
#     string  = UTF-8; only the quote, the backslash and characters below 0x20 are escaped, in the shortest way
#
# There is no space between tokens and values nest at most 32 deep. Refused: every other spelling of the same value,
# and every value outside the schema.

# The content of a list or object is Any because msgspec resolves no recursive alias; `parse` has checked it.
Json: TypeAlias = bool | int | str | list[Any] | dict[str, Any] | None

# The integers that a JavaScript number keeps exactly, so that a browser reads the same value.
INTEGER_MAX = 2**53 - 1
# Our deepest value nests about eight deep. A limit far below the interpreter's own is the same on every machine.
NESTING_MAX = 32

# Enough of a spelling to see where it differs.
QUOTED_MAX = 20

# One pass that lets a line be cleared of two suspicions at once: all digits become 0, all openings become [.
_SUSPECTS = bytes.maketrans(b"0123456789{", b"0000000000[")
# An integer beyond the limit has at least as many digits as the limit.
_LONG_INTEGER = b"0" * len(str(INTEGER_MAX))
_TEXT = re.compile(rb'"[^"\\]*(?:\\.[^"\\]*)*"')
_AS_LISTS = bytes.maketrans(b"{}", b"[]")
_NO_BRACKETS = bytes(set(range(256)) - set(b"[]{}"))


class NotCanonical(ValueError):
    """The bytes, or the value, have no place in a log."""

    def __init__(self, *, expected: str, found: str, offset: int | None = None) -> None:
        self.expected = expected
        self.found = found
        # Of the first byte that differs from the canonical spelling; None where no spelling would be right.
        self.offset = offset
        place = "" if offset is None else f" at byte {offset}"
        super().__init__(f"expected {expected}, found {found}{place}")


def refuse_float(text: str) -> NoReturn:
    """Refuse a number with a fraction or exponent; every decoder of canonical bytes gets this as its float_hook."""
    raise ValueError(text[:40])


_INTEGER = "an integer within ±(2^53-1)"
_ENCODER = msgspec.json.Encoder(order="sorted")
_DECODER = msgspec.json.Decoder(float_hook=refuse_float)


def encode(value: object) -> bytes:
    """Canonical bytes of a struct or of builtins that fit the schema (`check_value` states whether they do)."""
    return _ENCODER.encode(value)


def parse(raw: bytes) -> Json:
    """Read a value from its one accepted spelling, or raise NotCanonical."""
    try:
        value: Json = _DECODER.decode(raw)
    except msgspec.ValidationError as error:
        raise NotCanonical(expected=_INTEGER, found=str(error)) from error
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise NotCanonical(expected="JSON", found=str(error)) from error
    check_spelling(raw, encoded=encode(value))
    check_limits(raw, value=value)
    return value


def check_spelling(raw: bytes, *, encoded: bytes) -> None:
    """Check that `raw` is `encoded`, the encoding of its decoded value."""
    if raw != encoded:
        offset = _first_difference(raw, encoded)
        raise NotCanonical(expected=_quote(encoded, offset), found=_quote(raw, offset), offset=offset)


def check_limits(raw: bytes, *, value: object, depth: int = 0) -> None:
    """Check that `value`, whose canonical bytes are `raw`, fits the schema; looks at the value only if it must."""
    marked = raw.translate(_SUSPECTS)
    # Nothing that breaks a limit gets past these three; some that keeps them all is looked at.
    if _LONG_INTEGER in marked or not raw.isascii() or _nests_too_deep(raw, marked, depth_max=NESTING_MAX - depth):
        check_value(value, depth=depth)


def _nests_too_deep(raw: bytes, marked: bytes, *, depth_max: int) -> bool:
    """Return whether the brackets of canonical bytes nest deeper, which costs a hundredth of a look at the values."""
    if marked.count(b"[") <= depth_max:
        return False
    brackets = _TEXT.sub(b"", raw).translate(_AS_LISTS, _NO_BRACKETS)
    for _ in range(depth_max):
        brackets = brackets.replace(b"[]", b"")
    return brackets != b""


def check_value(value: object, *, depth: int = 0) -> None:
    """Check a decoded value, itself `depth` deep, against the schema: types, integers, keys, text and nesting."""
    # Level by level: a value nested too deep must be refused, not exhaust the interpreter's stack.
    level: list[object] = [value]
    while level:
        level, depth = _check_level(level, depth), depth + 1


def _check_level(level: list[object], depth: int) -> list[object]:
    """Check the values of one depth, and return those within them."""
    below: list[object] = []
    for found in level:
        match found:
            case None | bool():
                pass
            case int():
                if abs(found) > INTEGER_MAX:
                    raise NotCanonical(expected=_INTEGER, found=f"one of {found.bit_length()} bits")
            case str():
                _check_text(found)
            case list() | dict() if depth == NESTING_MAX:
                raise NotCanonical(expected=f"nesting at most {NESTING_MAX} deep", found="deeper nesting")
            case list():
                below.extend(found)
            case dict():
                _check_keys(found)
                below.extend(found.values())
            case _:
                raise NotCanonical(expected="null, a boolean, integer, string, list or object", found=repr(found)[:40])
    return below


def _check_keys(members: dict[object, object]) -> None:
    for key in members:
        if not isinstance(key, str) or not key.isascii():
            raise NotCanonical(expected="an ASCII key", found=ascii(key)[:40])


def _check_text(text: str) -> None:
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise NotCanonical(expected="text without lone surrogates", found=ascii(text)[:40]) from error


def _quote(raw: bytes, offset: int) -> str:
    """Show a few bytes as text, and the one before them: bytes of the program are hidden in messages for people."""
    if offset == len(raw):
        return "its end"
    return ascii(raw[max(offset - 1, 0) : offset + QUOTED_MAX].decode(errors="backslashreplace"))


def _first_difference(raw: bytes, encoded: bytes) -> int:
    for offset, (found, expected) in enumerate(zip(raw, encoded, strict=False)):
        if found != expected:
            return offset
    return min(len(raw), len(encoded))
