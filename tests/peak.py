"""The most memory that Python's objects took during a call."""

import tracemalloc
from collections.abc import Callable


def peak_of(call: Callable[[], object]) -> int:
    """Call, and return the bytes taken at most beside those taken before."""
    tracemalloc.start()
    try:
        before, _ = tracemalloc.get_traced_memory()
        call()
        return tracemalloc.get_traced_memory()[1] - before
    finally:
        tracemalloc.stop()
