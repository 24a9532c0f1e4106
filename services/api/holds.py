"""Requests that wait for a version: so many of one account, and of one network, as waiting costs the caller nothing."""

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

from services.api.rates import TooManyRequests
from services.reading.access import Caller

# A program waits for each of its games.
ACCOUNT_MAX = 16
# A club, each member with a page or two; five networks would fill a process.
NETWORK_MAX = 200


class Holds:
    def __init__(self) -> None:
        self._counts: Counter[str] = Counter()

    @contextmanager
    def holding(self, caller: Caller) -> Iterator[None]:
        """Count a waiting request, or raise TooManyRequests."""
        bounds = {f"network:{caller.network}": NETWORK_MAX}
        if caller.account is not None:
            bounds[f"account:{caller.account}"] = ACCOUNT_MAX
        if any(self._counts[name] >= bound for name, bound in bounds.items()):
            raise TooManyRequests(wait_s=1)
        self._counts.update(bounds.keys())
        try:
            yield
        finally:
            self._counts.subtract(bounds.keys())
            for name in bounds:
                if not self._counts[name]:
                    del self._counts[name]
