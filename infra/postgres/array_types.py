"""Array types of Postgres's own catalogue, in the form in which the driver asks for them.

Their numbers are the same in every server; the driver asks each new connection.
"""

from typing import Any

from msgspec import Struct

# Number of the array, its name, number of its element.
ARRAYS = (
    (1000, "_bool", 16),
    (1001, "_bytea", 17),
    (1005, "_int2", 21),
    (1007, "_int4", 23),
    (1016, "_int8", 20),
    (2951, "_uuid", 2950),
)


class NoQuestion(Struct, frozen=True):
    """Stands for the statement that asked, of which the driver reads the name."""

    name: str = "none"


NO_QUESTION = NoQuestion()


def _describe(oid: int, name: str, element: int) -> dict[str, Any]:
    return {
        "oid": oid,
        "ns": "pg_catalog",
        "name": name,
        "kind": b"b",
        "basetype": None,
        "elemtype": element,
        "elemdelim": ",",
        "range_subtype": None,
        "attrtypoids": None,
        "attrnames": None,
    }


ARRAY_TYPES = {oid: _describe(oid, name, element) for oid, name, element in ARRAYS}
