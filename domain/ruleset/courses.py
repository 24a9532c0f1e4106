"""Courses of players' own: plans that a ruleset draws, checks and races on, each named by the hash of its one spelling.

A game has the plan itself as an option, so that a server that never kept it verifies the game.
"""

from collections.abc import Callable, Sequence
from hashlib import sha256
from typing import Any

import msgspec
from msgspec import Struct

from domain.canonical import encode


class CourseFault(Struct, frozen=True, kw_only=True):
    """Why no race can be held on a course, and where: the index of a piece or obstacle, and a point of the table."""

    expected: str
    found: str
    place: str
    piece: int | None
    obstacle: int | None
    at_mm: tuple[int, int] | None


class CourseRules(Struct, frozen=True, kw_only=True):
    """A ruleset's side of courses: the type of a plan, the plans of its box, and the first fault of any plan."""

    plan_type: Any
    list_released: Callable[[Any], Sequence[Struct]]
    find_fault: Callable[[Any, Any], CourseFault | None]


def encode_plan(plan: Struct) -> bytes:
    """Return the canonical form of a plan, in which every field stands."""
    return encode(msgspec.to_builtins(plan))


def hash_plan(plan: Struct) -> str:
    """Return the SHA-256 of a plan's canonical form, in hex."""
    return sha256(encode_plan(plan)).hexdigest()
