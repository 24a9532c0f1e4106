"""Networks: the unit by which strangers are counted.

An IPv4 address counts by itself and an IPv6 address with its /64, as one line has all addresses of one.
"""

from functools import lru_cache
from ipaddress import IPv6Address, IPv6Network, ip_address, ip_network
from typing import NewType

Network = NewType("Network", str)

IPV6_PREFIX = 64
# A text with an address and its network, some hundred bytes each.
KEPT_MAX = 4_096
UNKNOWN = Network("unknown")


@lru_cache(KEPT_MAX)
def network_of(host: str | None) -> Network:
    """Return the network of a caller's address; a text that is no address is a network of its own."""
    if host is None:
        return UNKNOWN
    try:
        address = ip_address(host)
    except ValueError:
        return Network(host)
    if not isinstance(address, IPv6Address):
        return Network(str(address))
    if address.ipv4_mapped is not None:
        return Network(str(address.ipv4_mapped))
    return Network(str(IPv6Network((int(address), IPV6_PREFIX), strict=False)))


class Proxies:
    """Addresses and networks of trusted proxies, each of which brings the requests of many callers."""

    def __init__(self, given: tuple[str, ...]) -> None:
        self._networks = [ip_network(name, strict=False) for name in given]

    def __contains__(self, host: str) -> bool:
        try:
            address = ip_address(host)
        except ValueError:
            return False
        return any(address in network for network in self._networks)
