"""Requests that a process holds open, at little cost to the caller: so many of an account, of a network, and of all."""

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

from msgspec import Struct

from services.api.http.rates import TooManyRequests
from services.reading.access import Caller


class HoldsMax(Struct, frozen=True, kw_only=True):
    account: int
    network: int
    process: int


# Requests that wait for a version: a program waits for each of its games. A club has a page or two for each member. All
# requests of a process are bounded elsewhere.
WAITING = HoldsMax(account=16, network=200, process=1_000)
# Streams of accounts, each a look at the database a second: the pages and programs of one player, and of a club.
FOLLOWING = HoldsMax(account=10, network=200, process=1_000)


class Holds:
    def __init__(self, bounds: HoldsMax) -> None:
        self._bounds = bounds
        self._counts: Counter[str] = Counter()

    @contextmanager
    def holding(self, caller: Caller) -> Iterator[None]:
        """Count a held request, or raise TooManyRequests."""
        bounds = {"process": self._bounds.process, f"network:{caller.network}": self._bounds.network}
        if caller.account is not None:
            bounds[f"account:{caller.account}"] = self._bounds.account
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
