"""Bounds on the parts of a request's head that are parsed, each far above that of a browser or a bot.

An unparsed field costs its bytes alone, of which the connection bounds the sum.
"""

from collections.abc import Mapping

from litestar.types import Scope

# A browser sends some thirty fields, and proxies add a few.
FIELDS_MAX = 100
# The longest query of an own page has some hundred bytes, the longest path a hundred.
QUERY_BYTES_MAX = 4 * 1024
PATH_CHARS_MAX = 1024
# Browsers' own have at most some two hundred bytes. The framework makes an object of each part of an `accept`.
FIELD_BYTES_MAX: Mapping[bytes, int] = {
    b"accept": 1024,
    b"accept-encoding": 1024,
    b"accept-language": 1024,
    b"authorization": 1024,
    b"content-type": 1024,
    b"if-none-match": 1024,
    b"last-event-id": 1024,
    b"range": 1024,
    b"user-agent": 1024,
    # Every program on a machine shares the cookies of `localhost`.
    b"cookie": 8 * 1024,
}


def find_excess(scope: Scope) -> str | None:
    """Return the refusal of a head with a part beyond its bound; None for a head within all bounds."""
    fields = list(scope["headers"])
    if len(fields) > FIELDS_MAX:
        return f"expected at most {FIELDS_MAX} fields in the head, found {len(fields)}"
    parts = [("the path", scope["path"], PATH_CHARS_MAX), ("the query", scope["query_string"], QUERY_BYTES_MAX)]
    bounded = [(name.decode(), value, FIELD_BYTES_MAX[name]) for name, value in fields if name in FIELD_BYTES_MAX]
    for part, value, size_max in (*parts, *bounded):
        if len(value) > size_max:
            return f"expected at most {size_max} bytes of {part}, found {len(value)}"
    return None
