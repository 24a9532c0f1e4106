"""How the ledger does: how far it is behind the log, how old its newest checkpoint is, and whether it stands still.

Any process can ask what the database knows; the rest only the process that is the notary.
"""

from typing import Protocol

from msgspec import Struct

from domain.ids import LogPosition
from infra.ledger_store import Ledger


class NotaryState(Struct):
    """What a process knows of its own notary. Only `services/workers/office.py` changes it."""

    is_notary: bool = False
    # By the clock that never goes back.
    published_s: float | None = None
    # Why nothing is signed any more, until a person has seen to it.
    refused: str | None = None


class NotaryHealth(Struct, frozen=True, kw_only=True):
    """`behind_positions` counts events that are no leaves yet (positions of appends that failed count too).

    `uncovered_leaves` are under no checkpoint yet. `checkpoint_age_s` is None where this process has published none; it
    grows while there is nothing new to sign, so a ledger is late where it grows and something is behind or uncovered.
    """

    is_notary: bool
    behind_positions: int
    uncovered_leaves: int
    checkpoint_age_s: float | None
    refused: str | None


class LogHead(Protocol):
    async def read_head(self) -> LogPosition: ...


class NotaryWatch(Struct, frozen=True, kw_only=True):
    """Where a process looks; of a notary in another one `state` knows nothing."""

    log: LogHead
    ledger: Ledger
    origin: str
    state: NotaryState


async def read_notary_health(watch: NotaryWatch, *, now_s: float) -> NotaryHealth:
    """Ask the database in three short reads; `now_s` is of the clock that never goes back. Raises StoreUnavailable."""
    state = watch.state
    # The ledger first: what is appended meanwhile must not make it look ahead of its log.
    head = await watch.ledger.read_head()
    published = await watch.ledger.find_checkpoint(watch.origin)
    newest = await watch.log.read_head()
    return NotaryHealth(
        is_notary=state.is_notary,
        behind_positions=max(0, newest - head.position),
        uncovered_leaves=max(0, head.tree_size - (0 if published is None else published.tree_size)),
        checkpoint_age_s=None if state.published_s is None else max(0.0, now_s - state.published_s),
        refused=state.refused,
    )
