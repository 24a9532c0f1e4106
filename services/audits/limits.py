"""The limits of an audit: the author of a file decides what its verifier works on, but not for how long.

Both are of the main thread of a process, in which every audit runs; in another thread there is no limit.
"""

import gc
import resource
import signal
import threading
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from pathlib import Path
from typing import Literal

from domain.audit.check import TooDear

# Processor time. The longest game needs some 3 s for 4 MB; a machine five times slower meets both.
AUDIT_S = 6.0
AUDIT_S_PER_MB = 2.0
# Of a tournament's own log: a draw of two thousand entrants who have met looks at millions of tables.
TOURNAMENT_S_PER_MB = 10.0
# A small game of a tournament whose other games used up its time.
GAME_S_MIN = 0.2

# With the 57 MB of the program and the reserve, this stays below 200 MB. The longest log of a game takes 87 MB, and
# 45,000 lines of a tournament, as two thousand entrants make in ten rounds, 99 MB.
MEMORY_BYTES = 120_000_000
# Where the kernel refuses memory, the interpreter may end at once, without a verdict. So the process looks itself, so
# often in its processor time: between two looks small values take less than the reserve.
LOOK_S = 0.004
RESERVE_BYTES = 16_000_000
# An exception in a callback of the interpreter is passed over: within this time the block is left, or it has met one.
AGAIN_S = 0.2
MEMORY_TOLD = f"{MEMORY_BYTES // 1_000_000} MB of memory"
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
                limits.enter_context(_memory_limited(self._used))
                limits.enter_context(_program_frozen())
                limits.enter_context(_watched(max(GAME_S_MIN, self._left_s) + size_s, self._used))
                yield
        finally:
            self._left_s -= max(0.0, time.process_time() - began_s - size_s)


def limited(size: int) -> AbstractContextManager[None]:
    """Limit the audit of one file."""
    return Allowance().limited(size)


@contextmanager
def _watched(limit_s: float, used: int | None) -> Iterator[None]:
    """Raise TooDear in the block after so much processor time, or once it holds so much more than was used."""
    is_limited, from_s, end_s = True, 0.0, time.process_time() + limit_s

    def look(*_: object) -> None:
        nonlocal from_s
        told = _find_excess(end_s, used) if is_limited and time.process_time() >= from_s else None
        if told is not None:
            from_s = time.process_time() + AGAIN_S
            raise TooDear(f"{limit_s:.1f} s of processor time" if told == "time" else MEMORY_TOLD)

    former = signal.signal(signal.SIGPROF, look)
    signal.setitimer(signal.ITIMER_PROF, min(LOOK_S, limit_s), LOOK_S)
    try:
        yield
    finally:
        is_limited = False
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, former)


def _find_excess(end_s: float, used: int | None) -> Literal["time", "memory"] | None:
    if time.process_time() >= end_s:
        return "time"
    return "memory" if used is not None and (_read_used() or 0) > used + MEMORY_BYTES else None


@contextmanager
def _memory_limited(used: int | None) -> Iterator[None]:
    """Let the kernel refuse what a single step asks for beyond the reserve."""
    if used is None:
        yield
        return
    soft, hard = resource.getrlimit(resource.RLIMIT_DATA)
    bound = used + MEMORY_BYTES + RESERVE_BYTES
    resource.setrlimit(resource.RLIMIT_DATA, (bound if soft == resource.RLIM_INFINITY else min(soft, bound), hard))
    try:
        yield
    except MemoryError:
        raise TooDear(MEMORY_TOLD) from None
    finally:
        resource.setrlimit(resource.RLIMIT_DATA, (soft, hard))


@contextmanager
def _program_frozen() -> Iterator[None]:
    """Collect garbage among new objects alone: lists in lists provoke a collection at each line."""
    gc.freeze()
    try:
        yield
    finally:
        gc.unfreeze()


def _read_used() -> int | None:
    """Read how much data this process holds; None where the kernel neither counts nor bounds it."""
    return int(STATM.read_text().split()[STATM_DATA]) * resource.getpagesize() if STATM.exists() else None
