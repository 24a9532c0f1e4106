"""Keep one server running: when it dies it is started again on the same port, for as long as it takes."""

import asyncio
import time
from asyncio.subprocess import Process
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

import structlog

from infra.embedded.account import Account
from infra.embedded.logs import cut_when_large, rotate
from infra.embedded.program import Program, ServerFailed, feed, launch, stop, until_ready

# Remains of a killed server (its port, its shared memory) may need a moment to go: about three seconds of tries.
START_TRIES_MAX = 5
RESTART_DELAY_S = 0.1
# A server that cannot start is tried again this often, until the obstacle is gone.
RESTART_DELAY_MAX_S = 5.0
# One that lived this long did not die of its start, so the delay begins anew.
STABLE_S = 30.0
LOG_CHECK_INTERVAL_S = 30.0

log = structlog.get_logger()


@asynccontextmanager
async def supervised(program: Program, account: Account) -> AsyncIterator[None]:
    """Run the server inside the block; it has ended after it. Raises ServerFailed if it cannot be started at all."""
    supervisor = Supervisor(program, account)
    rotate(program.log)
    try:
        await supervisor.start()
        watch = asyncio.create_task(supervisor.watch(), name=f"watch {program.name}")
        watch.add_done_callback(_log_crash)
        try:
            yield
        finally:
            watch.cancel()
            # Its exception was logged, and is no reason to leave the server running.
            await asyncio.wait({watch})
    finally:
        await supervisor.stop()


class Supervisor:
    """The one owner of a server's process."""

    def __init__(self, program: Program, account: Account) -> None:
        self._program = program
        self._account = account
        self._process: Process | None = None

    async def start(self) -> None:
        for remaining in range(START_TRIES_MAX - 1, -1, -1):
            try:
                await self._launch("started")
            except ServerFailed:
                if remaining == 0:
                    raise
                await asyncio.sleep(RESTART_DELAY_S * 2 ** (START_TRIES_MAX - remaining))
            else:
                return

    async def watch(self) -> None:
        """Restart the server whenever it dies, until cancelled."""
        delay_s = RESTART_DELAY_S
        while True:
            since = time.monotonic()
            exit_code = await self._until_dead()
            log.warning(self._event("died"), exit_code=exit_code, port=self._program.port)
            delay_s = RESTART_DELAY_S if time.monotonic() - since > STABLE_S else min(2 * delay_s, RESTART_DELAY_MAX_S)
            await asyncio.sleep(delay_s)
            try:
                await self._launch("restarted")
            except (ServerFailed, OSError) as failure:
                log.error(self._event("not_restarted"), reason=str(failure))  # noqa: TRY400  a fault, not a bug

    async def stop(self) -> None:
        if self._process is not None and self._process.returncode is None:
            await stop(self._process, self._program.stop_signals)
            log.info(self._event("stopped"), port=self._program.port)

    async def _launch(self, participle: str) -> None:
        program = self._program
        self._process = await launch(
            program.command, account=self._account, death_signal=program.stop_signals[0], log=program.log
        )
        await feed(self._process, program.stdin)
        try:
            await until_ready(program, self._process)
        except (ServerFailed, OSError):
            await stop(self._process, program.stop_signals)
            raise
        log.info(self._event(participle), port=program.port, pid=self._process.pid)

    def _event(self, participle: str) -> str:
        return f"{self._program.name}_{participle}"

    async def _until_dead(self) -> int:
        assert self._process is not None
        while True:
            self._cut_log()
            with suppress(TimeoutError):
                async with asyncio.timeout(LOG_CHECK_INTERVAL_S):
                    return await self._process.wait()

    def _cut_log(self) -> None:
        """Where the disk is full or the folder gone, the server matters more than its log: try again later."""
        try:
            cut_when_large(self._program.log)
        except OSError as error:
            log.warning(self._event("log_not_cut"), reason=str(error))


def _log_crash(watch: asyncio.Task[None]) -> None:
    # Only a bug ends it; the server runs on unwatched, and the log states so.
    if not watch.cancelled() and watch.exception() is not None:
        log.error("watch_crashed", task=watch.get_name(), exc_info=watch.exception())
