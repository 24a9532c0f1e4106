"""A counter of time that cannot be set, and counts on while the machine sleeps."""

import time


def count_ns() -> int:
    """Return its nanoseconds: of CLOCK_BOOTTIME on Linux, elsewhere of the monotonic clock, which is the same."""
    return time.clock_gettime_ns(getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC))
