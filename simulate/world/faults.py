"""The faults of one run: windows in which a link loses messages, a node dies, or the database is away.

A plan is data, so that a failing one can be printed, run again and made smaller.
"""

from collections.abc import Iterable, Sequence
from random import Random
from typing import Literal, get_args

from msgspec import Struct

FaultKind = Literal[
    # On the way between a node and the database.
    "requests lost",  # not done
    "replies lost",  # done, and the node does not learn it
    "slow",
    "cut",
    "sessions ended",  # by the database, with their locks
    # Of the database for all nodes.
    "database away",
    # Of hints, which also come twice.
    "hints lost",
    "hints late",
    # On the way between clients and a node: the same losses, and a request that arrives twice.
    "clients cut",
    # On the way to the receivers of all notices.
    "notices lost",
    # Of a node.
    "killed",
    "stopped",
    "stalled",
    "clock off",
]
KINDS: tuple[FaultKind, ...] = get_args(FaultKind)
OF_ALL_NODES: tuple[FaultKind, ...] = ("database away", "notices lost")

FIRST_S, LAST_S = 1.0, 16.0
LONGEST_S = 6.0
FAULTS_MAX = 9
# Of messages in the window; the rest arrives.
SHARES = (0.1, 0.4, 1.0)


class Fault(Struct, frozen=True, kw_only=True):
    """`node` is its number; `share` describes how many of the messages meet it."""

    kind: FaultKind
    node: int
    from_s: float
    for_s: float
    share: float

    def __str__(self) -> str:
        return f"{self.from_s:.1f} s, for {self.for_s:.1f} s: node {self.node} {self.kind} ({self.share:.0%})"


def draw_faults(numbers: Random, *, nodes: int) -> tuple[Fault, ...]:
    faults = [
        Fault(
            kind=numbers.choice(KINDS),
            node=numbers.randrange(nodes),
            from_s=round(numbers.uniform(FIRST_S, LAST_S), 1),
            for_s=round(numbers.uniform(0.2, LONGEST_S), 1),
            share=numbers.choice(SHARES),
        )
        for _ in range(numbers.randint(1, FAULTS_MAX))
    ]
    return tuple(sorted(faults, key=lambda fault: fault.from_s))


class Weather:
    """The faults of the moment."""

    def __init__(self, faults: Sequence[Fault], numbers: Random) -> None:
        self._faults = faults
        self._numbers = numbers

    def is_hit(self, now_s: float, node: int, *kinds: FaultKind) -> bool:
        """Return whether a message of a node meets one of these faults now."""
        return any(self._numbers.random() < fault.share for fault in self._active(now_s, node, kinds))

    def is_cut(self, now_s: float, node: int, kind: FaultKind) -> bool:
        """Return whether everything on a way is lost now."""
        return any(True for _ in self._active(now_s, node, (kind,)))

    def delay_s(self, now_s: float, node: int, kind: FaultKind) -> float:
        """Return the time that a message takes: half a millisecond to three, or in bad weather up to some seconds."""
        if self._faults and self.is_hit(now_s, node, kind):
            return self._numbers.uniform(0.0, 3.0)
        return self._numbers.uniform(0.0005, 0.003)

    def clear(self) -> None:
        """End all faults."""
        self._faults = ()

    def _active(self, now_s: float, node: int, kinds: Iterable[FaultKind]) -> Iterable[Fault]:
        for fault in self._faults:
            is_here = fault.node == node or fault.kind in OF_ALL_NODES
            if is_here and fault.kind in kinds and fault.from_s <= now_s < fault.from_s + fault.for_s:
                yield fault
