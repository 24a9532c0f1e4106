"""A lost game of a practice, read back from the file of `write_loss`: decisions as the guest saw them, and the end."""

from typing import Any

import msgspec
from msgspec import Struct


class LossRefused(Exception):
    """The file is none of a lost game, or the game has no such decision."""


class Seen(Struct, frozen=True, kw_only=True):
    """One decision: the guest's board, its choices, and its answer, null where it gave none."""

    board: dict[str, Any]
    choices: dict[str, Any]
    action: dict[str, Any] | None


class End(Struct, frozen=True, kw_only=True):
    """Places by seat, none where the guest broke off; the guest's own seat; its fault."""

    places: tuple[int, ...]
    seat: int
    fault: str | None


class Loss(Struct, frozen=True, kw_only=True):
    decisions: tuple[Seen, ...]
    end: End

    def find(self, number: int) -> Seen:
        """Return a decision by its number, from 1 on. Raises LossRefused."""
        if not 1 <= number <= len(self.decisions):
            raise LossRefused(f"expected a decision from 1 to {len(self.decisions)}, found {number}")
        return self.decisions[number - 1]


def read_loss(text: bytes) -> Loss:
    """Read the file of a lost game. Raises LossRefused."""
    *lines, last = text.splitlines() or [b""]
    try:
        decisions = tuple(msgspec.json.decode(line, type=Seen) for line in lines)
        return Loss(decisions=decisions, end=msgspec.json.decode(last, type=End))
    except msgspec.DecodeError as error:
        raise LossRefused(f"expected a lost game of `spina practice --to`, found another file: {error}") from None


def list_changes(before: Any, after: Any, path: str = "") -> list[tuple[str, Any]]:
    """List the values that differ between two boards, each with its path, such as `chariots.1.front`."""
    if isinstance(before, dict) and isinstance(after, dict):
        members = [(name, before.get(name), value) for name, value in after.items()]
    elif isinstance(before, list) and isinstance(after, list) and len(before) == len(after):
        members = [(str(place), *pair) for place, pair in enumerate(zip(before, after, strict=True))]
    else:
        return [] if before == after else [(path, after)]
    return [
        change
        for name, one, other in members
        for change in list_changes(one, other, f"{path}.{name}" if path else name)
    ]
