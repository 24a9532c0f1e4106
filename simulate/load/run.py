"""The course of a run: its kills end after some minutes or at a first signal, and the run at another one."""

import asyncio
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from signal import SIGINT, SIGTERM

from services.terminal.printing import say


class Run:
    """SIGINT or SIGTERM under load leads to the checks; at any other time, and again, it ends the run."""

    def __init__(self, kills: int, minutes: float, on_kill: Callable[[], object]) -> None:
        self.begun_s = time.monotonic()
        self._until_s = self.begun_s + minutes * 60
        self._left = kills
        self._on_kill = on_kill
        self._is_ended = False
        self.is_under_load = False
        self.is_interrupted = False
        self.kills = 0
        # The reason why the kills ended early: the servers did not heal.
        self.stopped: str | None = None

    def begin_kill(self) -> bool:
        """Return whether to kill once more."""
        self._left -= 1
        return self._left >= 0 and not self.is_interrupted and time.monotonic() < self._until_s

    def end_kill(self) -> None:
        self.kills += 1
        self._on_kill()

    @contextmanager
    def heeding_signals(self) -> Iterator[None]:
        """Heed the signals inside the block, which is the work of the current task."""
        task, loop = asyncio.current_task(), asyncio.get_running_loop()
        assert task is not None
        for number in (SIGINT, SIGTERM):
            loop.add_signal_handler(number, self._on_signal, task)
        try:
            yield
        finally:
            for signal_ in (SIGINT, SIGTERM):
                loop.remove_signal_handler(signal_)

    def _on_signal(self, task: asyncio.Task[object]) -> None:
        if self.is_under_load and not self.is_interrupted:
            self.is_interrupted = True
            say("spina: the checks follow; another signal leaves them out", err=True)
        elif not self._is_ended:
            # Once: a cancelled clean-up would leave servers behind.
            self._is_ended = True
            task.cancel()
