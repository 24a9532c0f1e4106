"""The times of receipts against the client's own clock: a server that stamps lines ahead lets clocks run out early."""

import logging
from datetime import datetime
from uuid import UUID

from spina_client.ids import CommandId

# As far as a witness allows a line to be (docs/proof.md, section 10, `times`).
APART_MS = 5_000
# The milliseconds of an id of version 7 stand above its other bits.
_UUID7, _BELOW_TIME = 7, 80

_log = logging.getLogger("spina_client")


def find_apart_ms(at: str, command: CommandId, *, now_ms: int) -> int:
    """Return by how much a line is later than now, or (below 0) earlier than its command was made; else 0.

    Only an id of version 7 states when its command was made.
    """
    line_ms = round(datetime.fromisoformat(at).timestamp() * 1_000)
    if line_ms > now_ms + APART_MS:
        return line_ms - now_ms
    made = UUID(command)
    made_ms = made.int >> _BELOW_TIME if made.version == _UUID7 else line_ms
    return line_ms - made_ms if line_ms < made_ms - APART_MS else 0


def tell_apart(apart_ms: int, *, ledger: str) -> None:
    """Log that the clocks of server and client are apart."""
    side = "ahead of" if apart_ms > 0 else "behind"
    _log.warning(
        "the times of %s are %.1f s %s this machine's clock: one of the two is wrong",
        ledger,
        abs(apart_ms) / 1_000,
        side,
    )
