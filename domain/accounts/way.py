"""Ways of accounts to be given notice: each with a sealed address, the kinds it wants, and quiet hours."""

from datetime import datetime
from typing import Annotated

from msgspec import Meta, Struct

from domain.accounts.notice import ChosenKind

# Browsers, programs and mail of one person.
WAYS_MAX = 20

ClockTime = Annotated[str, Meta(pattern=r"^([01][0-9]|2[0-3]):[0-5][0-9]$(?!\n)")]


class Quiet(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Hours without notices, each day from one time to the other in a time zone: `Europe/Rome`."""

    start: ClockTime
    end: ClockTime
    zone: Annotated[str, Meta(min_length=1, max_length=64)]


class NewWay(Struct, frozen=True, kw_only=True):
    """A way with its sealed address, which is null once the way has ended."""

    id: str
    account: str
    kind: str
    name: str
    sealed_box: bytes | None
    kinds: tuple[ChosenKind, ...]
    quiet: Quiet | None
    # The token or session that added it, whose revocation ends it.
    added_by: str | None = None


class WayRow(NewWay, frozen=True, kw_only=True):
    """A way as it is stored, with how it works. `end_reason` is that of an ended one."""

    created_at: datetime
    has_worked: bool
    failures: int
    failing_since_ms: int | None
    failing_reason: str | None
    end_reason: str | None
    # Its program or browser has answered the challenge; other kinds are asked in other ways, or not.
    is_proven: bool = True
