"""A counter of time that cannot be set, and counts on while the machine sleeps."""

import time


def count_ns() -> int:
    """Return the nanoseconds of the counter. Linux names it by itself; elsewhere the other one counts on, too."""
    return time.clock_gettime_ns(getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC))
