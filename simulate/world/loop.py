"""A deterministic event loop: its clock leaps to the next timer, and a seed orders callbacks that are ready together.

Callbacks belong to the host in whose context they were made. Those of a dead host never run: no `finally`, no farewell,
as after a kill -9. Those of a stalled host wait.
"""

import asyncio
import heapq
from collections.abc import Callable, Coroutine
from contextvars import Context, ContextVar
from itertools import count
from random import Random
from typing import Any, TypeVar

T = TypeVar("T")
# A task that is cancelled so often does not end.
CLOSING_TURNS_MAX = 1_000


class Host:
    """One run of one machine's process."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.is_dead = False
        self.stalled_until_s = 0.0


HOST: ContextVar[Host | None] = ContextVar("host", default=None)


class Deadlock(Exception):
    """Nothing is ready, and no timer runs."""


class SimulatedLoop(asyncio.AbstractEventLoop):
    """The part of a loop that the server uses. Executors run inline; there are no sockets, threads or signals."""

    def __init__(self, order: Random) -> None:
        self._order = order
        self._now_s = 0.0
        self._ready: list[asyncio.Handle] = []
        self._timers: list[tuple[float, int, asyncio.TimerHandle]] = []
        self._numbers = count()
        # Kept to the end, by their numbers: none is collected, and so none runs its `finally`, in the middle.
        self._tasks: dict[asyncio.Task[Any], int] = {}
        self._is_over = False
        self.faults: list[str] = []
        self.callbacks_count = 0

    def run(self, main: Coroutine[Any, Any, T]) -> T:
        """Run to the end of a coroutine. Raises its exception, and Deadlock."""
        asyncio.events._set_running_loop(self)
        try:
            task = self.create_task(main)
            while not task.done():
                self._turn()
            return task.result()
        finally:
            asyncio.events._set_running_loop(None)

    def close(self) -> None:
        """End all that is pending, also on dead hosts, whose `finally` can do no harm any more."""
        asyncio.events._set_running_loop(self)
        self._is_over = True
        for _ in range(CLOSING_TURNS_MAX):
            pending = [task for task in self._tasks if not task.done()]
            if not pending:
                break
            for task in pending:
                task.cancel()
            while self._ready:
                self._turn()
            self._leap()
        self._tasks.clear()
        asyncio.events._set_running_loop(None)

    def time(self) -> float:
        return self._now_s

    def call_soon(self, callback: Callable[..., object], *args: Any, context: Context | None = None) -> asyncio.Handle:  # type: ignore[override]  # typed more closely
        handle = asyncio.Handle(callback, args, self, context)
        self._ready.append(handle)
        return handle

    def call_later(  # type: ignore[override]  # as above
        self, delay: float, callback: Callable[..., object], *args: Any, context: Context | None = None
    ) -> asyncio.TimerHandle:
        return self.call_at(self._now_s + delay, callback, *args, context=context)

    def call_at(  # type: ignore[override]  # as above
        self, when: float, callback: Callable[..., object], *args: Any, context: Context | None = None
    ) -> asyncio.TimerHandle:
        handle = asyncio.TimerHandle(when, callback, args, self, context)
        heapq.heappush(self._timers, (when, next(self._numbers), handle))
        return handle

    def create_future(self) -> asyncio.Future[Any]:
        return asyncio.Future(loop=self)

    def create_task(  # type: ignore[override]  # as above
        self, coro: Coroutine[Any, Any, T], *, name: str | None = None, context: Context | None = None
    ) -> asyncio.Task[T]:
        task: asyncio.Task[T] = asyncio.Task(coro, loop=self, name=name, context=context)
        self._tasks[task] = next(self._numbers)
        return task

    def run_in_executor(self, executor: Any, func: Callable[..., T], *args: Any) -> asyncio.Future[T]:  # type: ignore[override]  # noqa: ARG002  as above
        future: asyncio.Future[T] = self.create_future()
        try:
            future.set_result(func(*args))
        except Exception as error:  # noqa: BLE001 - told to the caller who awaits it
            future.set_exception(error)
        return future

    def get_debug(self) -> bool:
        return False

    def is_running(self) -> bool:
        return True

    def is_closed(self) -> bool:
        return False

    def call_exception_handler(self, context: dict[str, Any]) -> None:
        self.faults.append(f"{context.get('message')}: {context.get('exception')!r}")

    def _timer_handle_cancelled(self, handle: asyncio.TimerHandle) -> None:
        """Cancelled timers are passed over when their time comes."""

    def _turn(self) -> None:
        """Run the callbacks that are ready now, in an order that the seed chooses; without any, leap to a timer."""
        ready, self._ready = self._ready, []
        if not ready:
            self._leap()
            return
        if len(ready) > 1:
            # The order of sets of tasks is chance, as it follows from addresses: tasks go by their numbers first.
            ready.sort(key=self._number)
            self._order.shuffle(ready)
        for handle in ready:
            self._call(handle)

    def _leap(self) -> None:
        while self._timers and self._timers[0][2].cancelled():
            heapq.heappop(self._timers)
        if not self._timers:
            if self._is_over:
                return
            raise Deadlock
        self._now_s = max(self._now_s, self._timers[0][0])
        while self._timers and self._timers[0][0] <= self._now_s:
            self._ready.append(heapq.heappop(self._timers)[2])

    def _call(self, handle: asyncio.Handle) -> None:
        host = handle._context.get(HOST)  # type: ignore[attr-defined]  # asyncio has no other way to ask
        if handle.cancelled() or (host is not None and host.is_dead and not self._is_over):
            return
        if host is not None and host.stalled_until_s > self._now_s and not self._is_over:
            when = host.stalled_until_s
            heapq.heappush(self._timers, (when, next(self._numbers), handle))  # type: ignore[arg-type]  # run alike
            return
        self.callbacks_count += 1
        handle._run()

    def _number(self, handle: asyncio.Handle) -> int:
        owner = getattr(handle._callback, "__self__", None)  # type: ignore[attr-defined]  # as above
        return self._tasks.get(owner, -1) if isinstance(owner, asyncio.Task) else -1
