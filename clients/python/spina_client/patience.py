"""How often and how long one request is sent again."""

import time
from collections.abc import Awaitable, Callable

import httpx2

from spina_client.problems import Refused, ServerUnreachable, read_problem

AWAY_ATTEMPTS_MIN = 3
AWAY_PAUSE_S_MAX = 1.0
# A server that asks to come again is there: three minutes, so that a rush does not end a game.
BUSY_ATTEMPTS_MAX = 40
PAUSE_S_FIRST = 0.2
PAUSE_S_MAX = 5.0
# The longest pause that a server may ask for; one that asks for more counts as away.
RETRY_AFTER_S_MAX = 30.0
TOO_MANY_REQUESTS = 429
# After these nothing can have arrived.
NEVER_SENT = (httpx2.ConnectError, httpx2.ConnectTimeout, httpx2.PoolTimeout)

Sleep = Callable[[float], Awaitable[None]]


class Patience:
    """How often one request is sent again. Raises Refused, ServerUnreachable where that is no use."""

    def __init__(self, url: str, sleep: Sleep) -> None:
        self._url = url
        self._sleep = sleep
        self._attempts = self._failures = self._busy = 0
        self._away_s, self._pause_s, self._wait_s = 0.0, PAUSE_S_FIRST, 0.0
        self._asked_s = time.monotonic()

    def lose(self, error: httpx2.TransportError, *, waits_s_max: float, is_repeatable: bool = True) -> None:
        """Count an answer that did not come, of a server that is waited for so long."""
        self._attempts, self._failures = self._attempts + 1, self._failures + 1
        self._wait_s = min(self._pause_s, AWAY_PAUSE_S_MAX)
        self._away_s += time.monotonic() - self._asked_s + self._wait_s
        is_given_up = self._away_s > waits_s_max and self._failures >= AWAY_ATTEMPTS_MIN
        if is_given_up or not (is_repeatable or isinstance(error, NEVER_SENT)):
            raise self._build_unreachable(type(error).__name__)

    def refuse(self, response: httpx2.Response, content: bytes) -> None:
        """Count an answer that may ask to come again."""
        self._attempts, self._busy = self._attempts + 1, self._busy + 1
        self._failures, self._away_s = 0, 0.0
        problem = read_problem(status=response.status_code, content=content)
        if not (problem.may_send_again or response.status_code == TOO_MANY_REQUESTS):
            raise Refused(problem)
        if self._busy == BUSY_ATTEMPTS_MAX:
            raise self._build_unreachable(problem.code)
        self._wait_s = max(self._pause_s, _read_retry_after(response))

    async def rest(self) -> None:
        """Wait before the next attempt; the wait after that is longer."""
        wait_s, self._wait_s = self._wait_s or self._pause_s, 0.0
        self._pause_s = min(self._pause_s * 2, PAUSE_S_MAX)
        await self._sleep(wait_s)
        self._asked_s = time.monotonic()

    def _build_unreachable(self, reason: str) -> ServerUnreachable:
        return ServerUnreachable(url=self._url, attempts=self._attempts, reason=reason)


def _read_retry_after(response: httpx2.Response) -> float:
    """Return the seconds the server asks for; it gives whole ones, and a date, which it never sends, counts as none."""
    text = response.headers.get("retry-after", "")
    return min(float(text), RETRY_AFTER_S_MAX) if text.isdecimal() else 0.0
