"""Names under which a server is asked, and pages that may open its sockets: a browser asks for any page it shows.

A page of a stranger reaches a loopback server by a name that its owner points there, and is then one of the server's
own pages. So a server that only its machine reaches answers to addresses and to `localhost` alone.
"""

from collections.abc import Collection, Iterable
from ipaddress import ip_address
from urllib.parse import urlsplit

from litestar.enums import ScopeType
from litestar.types import Scope
from msgspec import Struct

LOCALHOST = "localhost"


class Hosts(Struct, frozen=True, kw_only=True):
    """`origins` are pages of others that may ask, as `SPINA_CORS_ORIGINS` names them."""

    is_local: bool = False
    origins: Collection[str] = ()

    def find_refusal(self, scope: Scope) -> str | None:
        """Return why a request or a socket is refused; None where it is not. Programs send no origin."""
        headers = scope.get("headers", ())
        host, origin = _find(headers, b"host"), _find(headers, b"origin")
        if self.is_local and host is not None and not is_own_machine(host):
            return f"expected an address or {LOCALHOST} as host, found a name; SPINA_PROXIES names a proxy in front"
        if scope["type"] != ScopeType.WEBSOCKET or origin is None or origin in self.origins:
            return None
        return None if _is_of(host, origin) else "expected a page of this server, found one of another origin"


ANY_HOST = Hosts()


def is_own_machine(host: str) -> bool:
    """Return whether a host, with or without a port, is an address or the name of every machine for itself."""
    try:
        name = urlsplit(f"//{host}").hostname or ""
        return name == LOCALHOST or bool(ip_address(name))
    except ValueError:
        return False


def is_loopback(host: str) -> bool:
    """Return whether a server that listens there is reached by its own machine alone."""
    try:
        return host == LOCALHOST or ip_address(host).is_loopback
    except ValueError:
        return False


def _is_of(host: str | None, origin: str) -> bool:
    try:
        return urlsplit(origin).netloc == host
    except ValueError:
        # An address in brackets that is none, as in `http://[`.
        return False


def _find(headers: Iterable[tuple[bytes, bytes]], name: bytes) -> str | None:
    return next((value.decode("latin-1") for each, value in headers if each == name), None)
