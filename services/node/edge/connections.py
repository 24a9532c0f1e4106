"""Open connections, counted by network before anything of them is trusted.

A network at its bound is refused more; others keep their room. Connections of trusted proxies are not counted: a proxy
brings those of all networks, and bounds them itself.
"""

from collections import Counter

from msgspec import Struct

from infra.networks import Network, Proxies, network_of


class Bounds(Struct, frozen=True, kw_only=True):
    # A club of a hundred players, each with a page or two and the connections of a browser.
    connections_max: int = 1_024
    # Browsers open a connection or two ahead of need.
    silent_max: int = 128
    # From the beginning of a connection or a request to the end of its head; a browser's comes within a round trip.
    head_timeout_s: float = 10.0
    # From there to the end of the body. The guard of requests answers a late one before its connection is cut off here.
    body_timeout_s: float = 30.0
    # Answers that wait in this process for readers, beyond the buffers of the system: a hall of phones on a slow line
    # has some megabytes of them.
    unread_bytes_max: int = 32 * 1024 * 1024
    # Of all networks together, proxies among them.
    unread_bytes_max_in_all: int = 80 * 1024 * 1024


# For measurements and tests whose readers all come from one machine.
UNBOUNDED = Bounds(connections_max=1_000_000, silent_max=1_000_000)


class Connections:
    """The connections of one process. A silent one has not sent the head of a request yet."""

    def __init__(self, *, proxies: tuple[str, ...] = (), bounds: Bounds | None = None) -> None:
        self.bounds = bounds or Bounds()
        self._proxies = Proxies(proxies)
        self._open: Counter[Network] = Counter()
        self._silent: Counter[Network] = Counter()
        self._unread: Counter[Network] = Counter()

    def enter(self, host: str) -> "Connection | None":
        """Count a connection, silent at first; None where its network has as many as it may."""
        network = network_of(host)
        if host not in self._proxies and (
            self._open[network] >= self.bounds.connections_max or self._silent[network] >= self.bounds.silent_max
        ):
            return None
        self._open[network] += 1
        self._silent[network] += 1
        return Connection(self, network, is_proxy=host in self._proxies)

    def hold(self, network: Network, more: int, *, is_proxy: bool) -> bool:
        """Count more unread bytes of a network, or fewer; return whether they are within its bound and that of all."""
        self._unread[network] += more
        is_within = is_proxy or self._unread[network] <= self.bounds.unread_bytes_max
        if not self._unread[network]:
            del self._unread[network]
        return is_within and self._unread.total() <= self.bounds.unread_bytes_max_in_all

    def forget(self, network: Network, *, silent: bool) -> None:
        for counts in (self._silent,) if silent else (self._open,):
            counts[network] -= 1
            if not counts[network]:
                del counts[network]


class Connection:
    """One counted connection. It speaks once and leaves once."""

    __slots__ = ("_book", "_is_proxy", "_is_silent", "_network", "_unread")

    def __init__(self, book: Connections, network: Network, *, is_proxy: bool) -> None:
        self._book = book
        self._network = network
        self._is_proxy = is_proxy
        self._is_silent = True
        self._unread = 0

    def speak(self) -> None:
        if self._is_silent:
            self._is_silent = False
            self._book.forget(self._network, silent=True)

    def hold(self, unread: int) -> bool:
        """Return how much of its answers is unread; return whether the connection may go on."""
        more, self._unread = unread - self._unread, unread
        return self._book.hold(self._network, more, is_proxy=self._is_proxy)

    def leave(self) -> None:
        self.hold(0)
        self.speak()
        self._book.forget(self._network, silent=False)
