"""Quiet hours of a way: notices wait until they end."""

from datetime import datetime, time, timedelta
from zoneinfo import ZoneInfo

from domain.accounts.way import Quiet


def read_zone(name: str) -> ZoneInfo | None:
    """Return the time zone of this name, if there is one."""
    try:
        return ZoneInfo(name)
    except (OSError, ValueError, KeyError):
        return None


def find_quiet_end_ms(quiet: Quiet | None, now_ms: int) -> int | None:
    """Return the end of the quiet hours that go on; None outside them."""
    zone = None if quiet is None else read_zone(quiet.zone)
    if quiet is None or zone is None:
        return None
    start, end = time.fromisoformat(quiet.start), time.fromisoformat(quiet.end)
    now = datetime.fromtimestamp(now_ms / 1_000, zone)
    at = now.time()
    is_quiet = start <= at < end if start < end else at >= start or at < end
    if not is_quiet:
        return None
    day = now.date() + timedelta(days=int(at >= end))
    # An hour that a change of the clock repeats, or passes over, ends with the part of it that goes on.
    ends = (datetime.combine(day, end.replace(fold=fold), zone).timestamp() * 1_000 for fold in (0, 1))
    return next((int(end) for end in sorted(ends) if end > now_ms), None)
