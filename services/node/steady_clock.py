"""The clock of one process: the machine's time at its start, counted on by a counter that cannot be set.

Deadlines are judged by it, so that no player is late because the machine's clock was set.
"""

import time
from collections.abc import Callable

import structlog

from infra.steady_count import count_ns

log = structlog.get_logger()

# A difference to the machine's clock is made up by one part in so many of the time that passes: a step of NTP within
# seconds, and no player notices the rest.
SLEW = 100
# From here on an operator must know: machines agree to a fraction of a second.
APART_S = 1
SECOND_NS = 1_000_000_000


def read_clock_ms() -> int:
    return time.time_ns() // 1_000_000


def read_monotonic_us() -> int:
    return time.monotonic_ns() // 1_000


class SteadyClock:
    def __init__(
        self, read_machine_ns: Callable[[], int] = time.time_ns, read_count_ns: Callable[[], int] = count_ns
    ) -> None:
        self._read_machine_ns = read_machine_ns
        self._read_count_ns = read_count_ns
        self._count_ns = read_count_ns()
        self._now_ns = read_machine_ns()
        # By how much the machine's clock is ahead, in whole seconds.
        self.ahead_s = 0

    def now_ms(self) -> int:
        """Return the time, never an earlier one than before."""
        count_ns = self._read_count_ns()
        passed_ns, self._count_ns = max(0, count_ns - self._count_ns), count_ns
        ahead_ns = self._read_machine_ns() - self._now_ns - passed_ns
        slew_ns = passed_ns // SLEW
        self._now_ns += passed_ns + max(-slew_ns, min(slew_ns, ahead_ns))
        self._note(int(ahead_ns / SECOND_NS))
        return self._now_ns // 1_000_000

    def _note(self, ahead_s: int) -> None:
        """Log once that the machine's clock was set."""
        was_apart, self.ahead_s = self.is_apart, ahead_s
        if self.is_apart and not was_apart:
            log.warning("machine_clock_was_set", ahead_s=ahead_s)

    @property
    def is_apart(self) -> bool:
        return abs(self.ahead_s) >= APART_S
