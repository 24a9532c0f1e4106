"""Tickets for browsers, whose streams cannot carry a token: good for one stream, for half a minute.

A ticket stands in a URL, and so perhaps in a log; by then it is used up. A token never does.
"""

from base64 import urlsafe_b64encode
from collections.abc import Callable
from hashlib import sha256
from typing import Literal

import msgspec
import structlog

from infra.redis.one_use import OneUseAway, RedisOneUse
from infra.unshared import MemoryOneUse
from services.reading.access import Caller

# A page asks for a ticket and opens its stream at once; a slow line takes some seconds.
LIFE_S = 30
TICKET_BYTES = 24
# 24 bytes are 32 characters; a longer text is no ticket of ours.
TICKET_CHARS_MAX = 64
# A challenge of a passkey, which lives longer, opens no stream.
Use = Literal["stream", "passkey"]

log = structlog.get_logger()
_CALLER = msgspec.json.Decoder(Caller)


class Tickets:
    def __init__(self, *, shared: RedisOneUse | None, own: MemoryOneUse, random_bytes: Callable[[int], bytes]) -> None:
        self._shared = shared
        self._own = own
        self._random_bytes = random_bytes

    async def issue(self, caller: Caller, *, life_s: int = LIFE_S, use: Use = "stream") -> str:
        """Return a ticket for a caller. With Redis away it is good in this process alone."""
        ticket = urlsafe_b64encode(self._random_bytes(TICKET_BYTES)).decode()
        key, value = _key_of(ticket, use), msgspec.json.encode(caller)
        if self._shared is not None:
            try:
                await self._shared.put(key, value, life_ms=life_s * 1000)
            except OneUseAway as away:
                log.warning("tickets_disconnected", reason=str(away))
            else:
                return ticket
        await self._own.put(key, value, life_ms=life_s * 1000)
        return ticket

    async def redeem(self, ticket: str, *, use: Use = "stream") -> Caller | None:
        """Return whose ticket it is, once; None when it is none, or no more, or cannot be looked up."""
        if len(ticket) > TICKET_CHARS_MAX:
            return None
        key = _key_of(ticket, use)
        value = await self._own.take(key)
        if value is None and self._shared is not None:
            try:
                value = await self._shared.take(key)
            except OneUseAway as away:
                log.warning("tickets_disconnected", reason=str(away))
        return None if value is None else _CALLER.decode(value)


def _key_of(ticket: str, use: Use) -> str:
    """Return the stored form of a ticket: a reader of Redis cannot use it."""
    return sha256(f"{use}:{ticket}".encode()).hexdigest()
