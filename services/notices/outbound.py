"""Requests to addresses that users name: to public addresses alone, each checked as it is connected to.

A name is resolved once for each connection, and the connection goes to the address that was checked, so that a name
cannot lead elsewhere in between. No redirect is followed, no proxy is asked, no connection is used again.
"""

import asyncio
import ipaddress
import socket
import ssl
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from types import TracebackType
from typing import Self

import httpcore2
from msgspec import Struct

# An answer within this time, the name and the connection included.
TIMEOUT_S = 10.0
# HTTPS and its usual second port: a webhook is no way to ask other services of a machine.
PORTS = frozenset({443, 8443})
# Each request has a connection of its own, as many as there are senders at work.
CONNECTIONS_MAX = 64
# A name may take longer than the time of its request; more than the doubtful ways asked at once.
RESOLVING_MAX = 24
RETRY_AFTER_MAX_S = 3_600.0
# Of an answer that is read: a challenge has some fifty bytes.
BODY_BYTES_MAX = 1_024

# Global unicast; but of it not the addresses that stand for one of IPv4 (6to4), nor those of documents and protocols.
IPV6_PUBLIC = ipaddress.ip_network("2000::/3")
IPV6_SPECIAL = tuple(
    map(ipaddress.ip_network, ("2001::/23", "2001:db8::/32", "2002::/16", "2620:4f:8000::/48", "3fff::/20"))
)
# Relays of 6to4, the name servers of private networks (AS112), multicast over IPv4 (AMT), and anycast of protocols.
IPV4_SPECIAL = tuple(
    map(
        ipaddress.ip_network,
        ("192.88.99.0/24", "192.31.196.0/24", "192.175.48.0/24", "192.52.193.0/24", "192.0.0.0/24"),
    )
)


# Returns the addresses of a host's name. Raises OSError.
Resolve = Callable[[str, int], Sequence[str]]


def resolve(host: str, port: int) -> Sequence[str]:
    return [str(name[4][0]) for name in socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)]


class AddressRefused(Exception):
    """A name leads to an address that is not public; the message does not state to which."""

    def __init__(self) -> None:
        super().__init__("expected a public address, found another one")


class Answered(Struct, frozen=True, kw_only=True):
    status: int
    retry_after_s: float = 0.0
    body: bytes = b""


class Unanswered(Struct, frozen=True, kw_only=True):
    reason: str


# One reason for all of these: the names of the operator's own network cannot be distinguished from missing names.
NOT_REACHED = Unanswered(reason="no connection to a public address")


class PublicNetwork:
    """Posts to URLs of users. With `reaches_private`, every address is taken, and HTTP without TLS: for tests alone."""

    def __init__(
        self, *, reaches_private: bool = False, resolve: Resolve = resolve, timeout_s: float = TIMEOUT_S
    ) -> None:
        self._reaches_private = reaches_private
        self._timeout_s = timeout_s
        self._pool = httpcore2.AsyncConnectionPool(
            ssl_context=ssl.create_default_context(),
            max_connections=CONNECTIONS_MAX,
            max_keepalive_connections=0,
            network_backend=CheckedBackend(resolve, reaches_private=reaches_private),
        )

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._pool.aclose()

    async def post(
        self, url: str, body: bytes, headers: Mapping[bytes | str, bytes | str], *, reads_body: bool = False
    ) -> Answered | Unanswered:
        """Post once, and return the status; raises nothing for a fault of the other side."""
        try:
            target = httpcore2.URL(url)
            if not self._reaches_private and not is_allowed(target):
                return NOT_REACHED
            async with asyncio.timeout(self._timeout_s):
                request = self._pool.stream("POST", target, headers={**headers}, content=body)
                async with request as answer:
                    read = await _read_body(answer) if reads_body else b""
                    return Answered(status=answer.status, retry_after_s=_read_retry_after(answer.headers), body=read)
        except TimeoutError:
            return Unanswered(reason="no answer in time")
        except (AddressRefused, httpcore2.NetworkError, httpcore2.TimeoutException, OSError):
            return NOT_REACHED
        except (httpcore2.ProtocolError, ValueError):
            return Unanswered(reason="no answer of HTTP")


class CheckedBackend(httpcore2.AsyncNetworkBackend):
    """Connects to an address of a name that was checked, never to the name."""

    def __init__(self, resolve: Resolve, *, reaches_private: bool) -> None:
        self._resolve = resolve
        self._reaches_private = reaches_private
        self._backend = httpcore2.AnyIOBackend()
        self._resolver = ThreadPoolExecutor(RESOLVING_MAX, thread_name_prefix="resolver")

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,  # noqa: ASYNC109  the name is the interface's
        local_address: str | None = None,
        socket_options: Iterable[httpcore2.SOCKET_OPTION] | None = None,
    ) -> httpcore2.AsyncNetworkStream:
        # A resolver of its own: names that are slow to resolve hold up no other work of the process.
        loop = asyncio.get_running_loop()
        addresses = await loop.run_in_executor(self._resolver, self._resolve, host, port)
        is_theirs = all(is_public(address) and not is_own(address) for address in addresses)
        if not addresses or not (self._reaches_private or is_theirs):
            raise AddressRefused
        return await self._backend.connect_tcp(
            addresses[0], port, timeout=timeout, local_address=local_address, socket_options=socket_options
        )


def is_allowed(url: httpcore2.URL) -> bool:
    """Return whether a URL is one of public HTTPS. The addresses of a name are checked at the connection."""
    if url.scheme != b"https" or (url.port or 443) not in PORTS or not url.host:
        return False
    try:
        return is_public(url.host.decode().strip("[]"))
    except ValueError:
        return True


def is_public(address: str) -> bool:
    """Return whether an IP address is one of the public internet."""
    parsed = ipaddress.ip_address(address)
    if isinstance(parsed, ipaddress.IPv4Address):
        return parsed.is_global and not parsed.is_multicast and not any(parsed in network for network in IPV4_SPECIAL)
    return parsed in IPV6_PUBLIC and not any(parsed in network for network in IPV6_SPECIAL)


def is_own(address: str) -> bool:
    """Return whether an IP address is one of this machine's own, public or not: a socket can be bound to no other."""
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    with socket.socket(family, socket.SOCK_DGRAM) as bound:
        try:
            bound.bind((address, 0))
        except OSError:
            return False
    return True


async def _read_body(answer: httpcore2.Response) -> bytes:
    """Read the beginning of a body."""
    read = b""
    async for piece in answer.aiter_stream():
        read += piece
        if len(read) >= BODY_BYTES_MAX:
            break
    return read[:BODY_BYTES_MAX]


def _read_retry_after(headers: Iterable[tuple[bytes, bytes]]) -> float:
    found = next((value for name, value in headers if name.lower() == b"retry-after"), b"")
    return min(float(found), RETRY_AFTER_MAX_S) if found.isdigit() else 0.0
