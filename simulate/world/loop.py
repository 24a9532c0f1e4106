"""A deterministic event loop: its clock leaps to the next timer, and a seed orders callbacks that are ready together.

Callbacks belong to the host in whose context they were made. Those of a dead host never run: no `finally`, no farewell,
as after a kill -9. Those of a stalled host wait.
"""

import asyncio
import heapq
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from contextvars import Context, ContextVar, copy_context
from itertools import count
from random import Random
from typing import Any, TypeVar

T = TypeVar("T")
# Turns in which cancelled tasks may end before they are cancelled once more, and after which they are left.
CLOSING_PATIENCE = 500
CLOSING_TURNS_MAX = 5_000


class Host:
    """One run of one machine's process."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.is_dead = False
        self.stalled_until_s = 0.0


HOST: ContextVar[Host | None] = ContextVar("host", default=None)


class Deadlock(Exception):
    """Nothing is ready, and no timer runs."""


class Callback:
    """What `call_soon` and its like return, with the host to which it belongs."""

    __slots__ = ("_args", "_context", "_function", "_is_cancelled", "_when", "host")

    def __init__(self, function: Callable[..., object], args: tuple[Any, ...], context: Context | None) -> None:
        self._function = function
        self._args = args
        self._context = copy_context() if context is None else context
        self._is_cancelled = False
        self._when = 0.0
        self.host = self._context.get(HOST)

    def cancel(self) -> None:
        self._is_cancelled = True

    def cancelled(self) -> bool:
        return self._is_cancelled

    def when(self) -> float:
        return self._when

    def at(self, when: float) -> "Callback":
        self._when = when
        return self

    @property
    def task(self) -> object:
        """The task that goes on by it, if it is one."""
        return getattr(self._function, "__self__", None)

    def run(self) -> None:
        self._context.run(self._function, *self._args)


class SimulatedLoop(asyncio.AbstractEventLoop):
    """The part of a loop that the server uses. Executors run inline; there are no sockets, threads or signals."""

    def __init__(self, order: Random) -> None:
        self._order = order
        self._now_s = 0.0
        self._ready: list[Callback] = []
        self._timers: list[tuple[float, int, Callback]] = []
        self._numbers = count()
        # Kept to the end, with their numbers: none is collected, and so none runs its `finally`, in the middle.
        self._tasks: dict[asyncio.Task[Any], tuple[int, Host | None]] = {}
        self._tasks_max = 100
        # Of dead hosts: they run after the end.
        self._dropped: list[Callback] = []
        self._is_over = False
        self.faults: list[str] = []
        self.callbacks_count = 0

    def run(self, main: Coroutine[Any, Any, T]) -> T:
        """Run to the end of a coroutine. Raises its exception, and Deadlock."""
        with self._running():
            task = self.create_task(main)
            while not task.done():
                self._turn()
            return task.result()

    def close(self) -> None:
        """End all that is pending, also on dead hosts, whose `finally` can do no harm any more."""
        self._is_over = True
        self._ready += self._dropped
        with self._running():
            for turn in range(CLOSING_TURNS_MAX):
                pending = [task for task in self._tasks if not task.done()]
                if not pending:
                    break
                if turn % CLOSING_PATIENCE == 0:
                    for task in pending:
                        task.cancel()
                self._turn()
        self._tasks.clear()

    def list_unread(self) -> list[str]:
        """List the exceptions that no code has read, but those on hosts that died."""
        living = [task for task, (_, host) in self._tasks.items() if host is None or not host.is_dead]
        return [f"no code reads {task.exception()!r}" for task in living if _has_unread(task)]

    def time(self) -> float:
        return self._now_s

    def call_soon(self, callback: Callable[..., object], *args: Any, context: Context | None = None) -> Any:  # type: ignore[override]  # typed with fewer words
        made = Callback(callback, args, context)
        self._ready.append(made)
        return made

    def call_later(  # type: ignore[override]  # as above
        self, delay: float, callback: Callable[..., object], *args: Any, context: Context | None = None
    ) -> Any:
        return self.call_at(self._now_s + delay, callback, *args, context=context)

    def call_at(  # type: ignore[override]  # as above
        self, when: float, callback: Callable[..., object], *args: Any, context: Context | None = None
    ) -> Any:
        return self._plan(Callback(callback, args, context), when)

    def create_future(self) -> asyncio.Future[Any]:
        return asyncio.Future(loop=self)

    def create_task(  # type: ignore[override]  # of coroutines alone
        self, coro: Coroutine[Any, Any, T], *, name: str | None = None, context: Context | None = None
    ) -> asyncio.Task[T]:
        task: asyncio.Task[T] = asyncio.Task(coro, loop=self, name=name, context=context)
        self._tasks[task] = next(self._numbers), HOST.get() if context is None else context.get(HOST)
        if len(self._tasks) > self._tasks_max:
            self._tasks = {each: made for each, made in self._tasks.items() if not each.done() or _has_unread(each)}
            self._tasks_max = 2 * len(self._tasks) + 100
        return task

    def run_in_executor(self, executor: Any, func: Callable[..., T], *args: Any) -> asyncio.Future[T]:  # type: ignore[override]  # noqa: ARG002  as asyncio calls it
        future: asyncio.Future[T] = self.create_future()
        try:
            future.set_result(func(*args))
        except Exception as error:  # noqa: BLE001 - handed to the caller who awaits it
            future.set_exception(error)
        return future

    def get_debug(self) -> bool:
        return False

    def call_exception_handler(self, context: dict[str, Any]) -> None:
        self.faults.append(f"{context.get('message')}: {context.get('exception')!r}")

    def _plan(self, callback: Callback, when: float) -> Callback:
        heapq.heappush(self._timers, (when, next(self._numbers), callback.at(when)))
        return callback

    @contextmanager
    def _running(self) -> Iterator[None]:
        asyncio._set_running_loop(self)  # noqa: SLF001  as every loop states that it runs
        try:
            yield
        finally:
            asyncio._set_running_loop(None)  # noqa: SLF001  see above

    def _turn(self) -> None:
        """Run the callbacks that are ready now, in an order that the seed chooses; without any, leap to a timer."""
        ready, self._ready = self._ready, []
        if not ready:
            self._leap()
            return
        if len(ready) > 1:
            # The order of sets of tasks is chance, as it follows from addresses: tasks go by their numbers first.
            ready.sort(key=self._find_number)
            self._order.shuffle(ready)
        for callback in ready:
            self._call(callback)

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

    def _call(self, callback: Callback) -> None:
        host = callback.host
        if callback.cancelled():
            return
        if host is not None and not self._is_over:
            if host.is_dead:
                self._dropped.append(callback)
                return
            if host.stalled_until_s > self._now_s:
                self._plan(callback, host.stalled_until_s)
                return
        self.callbacks_count += 1
        try:
            callback.run()
        except Exception as error:  # noqa: BLE001 - as asyncio reports it
            self.call_exception_handler({"message": "a callback failed", "exception": error})

    def _find_number(self, callback: Callback) -> int:
        task = callback.task
        return self._tasks.get(task, (-1, None))[0] if isinstance(task, asyncio.Task) else -1


def _has_unread(task: asyncio.Task[Any]) -> bool:
    return bool(task._log_traceback)  # noqa: SLF001  as asyncio itself reports it
