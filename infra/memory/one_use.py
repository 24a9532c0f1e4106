"""Values that may be taken once, in this process alone: for when Redis is away, and for a server without one."""

from collections import OrderedDict
from collections.abc import Callable

# Tickets of a busy minute; a hundred bytes each. Who asks for more loses the oldest.
KEPT_MAX = 10_000


class MemoryOneUse:
    def __init__(self, *, now_ms: Callable[[], int], kept_max: int = KEPT_MAX) -> None:
        self._now_ms = now_ms
        self._kept_max = kept_max
        self._kept: OrderedDict[str, tuple[int, bytes]] = OrderedDict()

    async def put(self, key: str, value: bytes, *, life_ms: int) -> None:
        self._kept[key] = (self._now_ms() + life_ms, value)
        if len(self._kept) > self._kept_max:
            self._kept.popitem(last=False)

    async def take(self, key: str) -> bytes | None:
        """Return the value and forget it; None when there is none, or no more."""
        until_ms, value = self._kept.pop(key, (0, b""))
        return value if self._now_ms() < until_ms else None
