"""The vectors of docs/proof.md and many more, good and bad: one file that every implementation is held to.

Each has a kind, a phrase, an input, and its result: a value, or "refused".
"""

from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct


class Vector(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    kind: str
    about: str
    given: dict[str, Any]
    gives: Any


FILE = Path(__file__).with_name("proof.json")
VECTORS: tuple[Vector, ...] = msgspec.json.decode(FILE.read_bytes(), type=tuple[Vector, ...])
