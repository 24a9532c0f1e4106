"""The time limit of an audit: an author of a file decides what its verifier works on, but not for how long."""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from domain.audit.check import TooDear

# Processor time. The longest game needs some 3 s for 4 MB; a machine five times slower meets both.
AUDIT_S = 6.0
AUDIT_S_PER_MB = 2.0
# Each later check is cut off after this time again, so that all of them end soon.
NEXT_S = 0.1


@contextmanager
def limited(size: int, *, audit_s: float = AUDIT_S) -> Iterator[None]:
    """Raise TooDear in the block, again and again, once the audit of so many bytes takes too long.

    Python interrupts its main thread alone, in which every audit runs; in another thread there is no limit.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    limit_s = audit_s + AUDIT_S_PER_MB * size / 1_000_000
    is_limited = True

    def refuse(*_: object) -> None:
        # A signal may still be on its way when the block has ended.
        if is_limited:
            raise TooDear(limit_s)

    former = signal.signal(signal.SIGPROF, refuse)
    signal.setitimer(signal.ITIMER_PROF, limit_s, NEXT_S)
    try:
        yield
    finally:
        is_limited = False
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, former)
