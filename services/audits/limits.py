"""The limits of an audit: the author of a file decides what its verifier works on, but not for how long.

Both are of the main thread of a process, in which every audit runs; in another thread there is no limit.
"""

import resource
import signal
import threading
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from pathlib import Path

from domain.audit.check import TooDear

# Processor time. The longest game needs some 3 s for 4 MB; a machine five times slower meets both.
AUDIT_S = 6.0
AUDIT_S_PER_MB = 2.0
# Of a tournament's own log: a draw of two thousand entrants who have met looks at millions of tables.
TOURNAMENT_S_PER_MB = 10.0
# A small game of a tournament whose other games used up its time.
GAME_S_MIN = 0.2

# A log of the shortest lines takes six times its size, the longest of all 110 MB.
MEMORY_BYTES = 96 * 1024 * 1024
MEMORY_BYTES_PER_BYTE = 3
# Pages of data of this process, where the kernel counts and bounds them.
STATM = Path("/proc/self/statm")
STATM_DATA = 5


class Allowance:
    """Processor time that the files of one audit share, beside the time for their sizes."""

    def __init__(self, audit_s: float = AUDIT_S, *, s_per_mb: float = AUDIT_S_PER_MB) -> None:
        self._left_s = audit_s
        self._s_per_mb = s_per_mb
        self._used = _read_used()

    @contextmanager
    def limited(self, size: int) -> Iterator[None]:
        """Raise TooDear in the block once the audit of so many bytes takes too long, or too much memory."""
        if threading.current_thread() is not threading.main_thread():
            yield
            return
        size_s = self._s_per_mb * size / 1_000_000
        began_s = time.process_time()
        try:
            with ExitStack() as limits:
                limits.enter_context(_time_limited(max(GAME_S_MIN, self._left_s) + size_s))
                limits.enter_context(_memory_limited(self._used, MEMORY_BYTES + MEMORY_BYTES_PER_BYTE * size))
                yield
        finally:
            self._left_s -= max(0.0, time.process_time() - began_s - size_s)


def limited(size: int) -> AbstractContextManager[None]:
    """Limit the audit of one file."""
    return Allowance().limited(size)


@contextmanager
def _time_limited(limit_s: float) -> Iterator[None]:
    is_limited = True

    def refuse(*_: object) -> None:
        # A signal may still be on its way when the block has ended.
        if is_limited:
            raise TooDear(f"{limit_s:.1f} s of processor time")

    former = signal.signal(signal.SIGPROF, refuse)
    signal.setitimer(signal.ITIMER_PROF, limit_s)
    try:
        yield
    finally:
        is_limited = False
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, former)


@contextmanager
def _memory_limited(used: int | None, limit_bytes: int) -> Iterator[None]:
    if used is None:
        yield
        return
    soft, hard = resource.getrlimit(resource.RLIMIT_DATA)
    bound = used + limit_bytes
    resource.setrlimit(resource.RLIMIT_DATA, (bound if soft == resource.RLIM_INFINITY else min(soft, bound), hard))
    try:
        yield
    except MemoryError:
        raise TooDear(f"{limit_bytes // 1_000_000} MB of memory") from None
    finally:
        resource.setrlimit(resource.RLIMIT_DATA, (soft, hard))


def _read_used() -> int | None:
    """Read how much data this process holds; None where the kernel neither counts nor bounds it."""
    return int(STATM.read_text().split()[STATM_DATA]) * resource.getpagesize() if STATM.exists() else None
