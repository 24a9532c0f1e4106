"""Clients of Redis or Valkey: of one server, or of the master that Sentinels name. Nothing is connected yet.

`redis+sentinel://user:password@a:26379,b:26379/spina/0` names the Sentinels, the master's name there, and a database.
The login is the servers'; Sentinels are asked without one.
"""

import asyncio
from typing import Any
from urllib.parse import unquote, urlsplit

from redis.asyncio import Redis
from redis.asyncio.retry import Retry
from redis.asyncio.sentinel import MasterNotFoundError, SentinelConnectionPool
from redis.backoff import NoBackoff
from redis.exceptions import RedisError

# Redis is on the same network or it is away; readers catch up by themselves meanwhile.
REDIS_TIMEOUT_S = 2.0
SENTINEL_SCHEME = "redis+sentinel"
SENTINEL_PORT = 26379
# Two that hang leave time for a third one, before a count of requests gives up.
SENTINEL_TIMEOUT_S = 0.2


def build_redis(url: str) -> Redis:
    """Build a client that never retries by itself.

    Each caller limits the whole exchange by `asyncio.timeout`. The driver's limit on sending is `asyncio.wait_for`,
    which before Python 3.12 loses a cancellation that meets the end of the send: the task would then never end.
    """
    terms: dict[str, Any] = {"socket_timeout": None, "retry": Retry(NoBackoff(), 0)}
    if urlsplit(url).scheme != SENTINEL_SCHEME:
        return Redis.from_url(url, socket_connect_timeout=REDIS_TIMEOUT_S, **terms)
    parts = urlsplit(url)
    login, _, addresses = parts.netloc.rpartition("@")
    user, _, password = login.partition(":")
    _, name, *database = parts.path.split("/")
    pool = MasterPool(  # type: ignore[no-untyped-call]  # the driver types most of itself
        name,
        Sentinels(addresses.split(","), **terms),
        username=unquote(user) or None,
        password=unquote(password) or None,
        db=int(*database),
        socket_connect_timeout=REDIS_TIMEOUT_S,
        **terms,
    )
    return Redis.from_pool(pool)


class Sentinels:
    """Return the address of a master; the one that answered last is asked first."""

    def __init__(self, addresses: list[str], **terms: Any) -> None:
        pairs = [address.rpartition(":") if ":" in address else (address, "", SENTINEL_PORT) for address in addresses]
        self._clients = [Redis(host=host, port=int(port), **terms) for host, _, port in pairs]

    async def discover_master(self, name: str) -> tuple[str, int]:
        """Raise MasterNotFoundError where none of them knows it, or answers."""
        for client in tuple(self._clients):
            try:
                async with asyncio.timeout(SENTINEL_TIMEOUT_S):
                    found: Any = await client.sentinel_get_master_addr_by_name(name)
            except (RedisError, OSError):
                continue
            if found is not None:
                self._clients.remove(client)
                self._clients.insert(0, client)
                host, port = found
                return host if isinstance(host, str) else host.decode(), int(port)
        raise MasterNotFoundError(f"expected a Sentinel that knows the master {name}, found none")

    async def aclose(self) -> None:
        for client in self._clients:
            await client.aclose()


class MasterPool(SentinelConnectionPool):
    """Connections to the master of this moment. The Sentinels' own end with them."""

    async def disconnect(self, inuse_connections: bool = True) -> None:  # noqa: FBT001, FBT002  as the driver has it
        await super().disconnect(inuse_connections)
        if inuse_connections:
            await self.sentinel_manager.aclose()
