"""The one list of workers. Health, metrics, the flags of `spina serve` and docs/operating.md follow it."""

from collections.abc import Iterable

from msgspec import Struct

from projections.released import PROJECTIONS

# A session that takes over begins within two seconds; it compares the store before its first heartbeat.
LATE_S = 30


class WorkerKind(Struct, frozen=True, kw_only=True):
    """`work` and `without` are the cells of a table for operators; `parts` act for themselves, each with its name."""

    name: str
    work: str
    without: str
    # Without a heartbeat, or behind, for so long, it is not well.
    late_s: int = LATE_S
    parts: tuple[str, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(f"{self.name}.{part}" for part in self.parts) or (self.name,)


NOTARY = WorkerKind(
    name="notary",
    work="copies lines into the public ledger and signs it",
    without="lines get no proof until there is one",
    # A line that no checkpoint covers is the word of the operator.
    late_s=10,
)
ARCHIVIST = WorkerKind(
    name="archivist",
    work="keeps the proofs of ended games, and has openings witnessed",
    without="bundles wait for their proofs, witnessed games for their first seat",
)
TIMEKEEPER = WorkerKind(
    name="timekeeper",
    work="lets clocks run out, ends pauses after seven days",
    without="no clock expires; the time is given back afterwards",
    # A clock is a promise to the other players.
    late_s=10,
)
STEWARD = WorkerKind(
    name="steward",
    work="opens the games of tournaments, takes results, reports no-shows; ends open games that lapsed",
    without="drawn tables get no games, and rounds do not close",
)
HOUSE = WorkerKind(
    name="house",
    work="seats the house bots that are called, and plays them",
    without="their seats stay empty, or wait for their clocks",
)
NOTIFIER = WorkerKind(
    name="notifier",
    work="notifies accounts by the ways they chose: your turn, a round called, a ruling",
    without="notices wait, and are sent later",
)
PROJECTOR = WorkerKind(
    name="projector",
    work="keeps lists and records, each by itself",
    without="lists are older; no decision reads them",
    parts=tuple(projection.name for projection in PROJECTIONS),
)
WORKERS = (NOTARY, ARCHIVIST, TIMEKEEPER, STEWARD, HOUSE, NOTIFIER, PROJECTOR)


def list_worker_names(kinds: Iterable[WorkerKind] = WORKERS) -> list[str]:
    return [name for kind in kinds for name in kind.names]
