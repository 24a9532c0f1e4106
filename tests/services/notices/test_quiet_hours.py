"""Quiet hours end after the present, also on the days on which the clock changes."""

from datetime import datetime

import pytest

from domain.accounts.way import Quiet
from services.notices.quiet_hours import find_quiet_end_ms


def read_ms(at: str) -> int:
    return int(datetime.fromisoformat(at).timestamp() * 1_000)


@pytest.mark.parametrize(
    ("hours", "now", "until"),
    [
        # The clock of Rome goes from 03:00 back to 02:00 at 01:00 UTC, and so from 02:00 to 02:59 twice.
        ("22:00-02:30", "2026-10-25T00:15Z", "2026-10-25T00:30Z"),
        ("22:00-02:30", "2026-10-25T00:45Z", None),
        ("22:00-02:30", "2026-10-25T01:15Z", "2026-10-25T01:30Z"),
        ("22:00-02:30", "2026-10-25T01:45Z", None),
        ("02:30-07:00", "2026-10-25T00:45Z", "2026-10-25T06:00Z"),
        ("22:00-07:00", "2026-10-24T22:00Z", "2026-10-25T06:00Z"),
        # It goes from 02:00 on to 03:00 at 01:00 UTC: there is no half past two.
        ("22:00-02:30", "2026-03-29T00:45Z", "2026-03-29T01:30Z"),
        ("22:00-02:30", "2026-03-29T01:00Z", None),
        ("22:00-07:00", "2026-03-28T22:00Z", "2026-03-29T05:00Z"),
    ],
)
def test_quiet_hours_end_by_the_clock_of_their_zone(hours: str, now: str, until: str | None) -> None:
    start, end = hours.split("-")

    found = find_quiet_end_ms(Quiet(start=start, end=end, zone="Europe/Rome"), read_ms(now))

    assert found == (None if until is None else read_ms(until))
