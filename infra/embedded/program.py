"""One server as a child process: launched, known to be ready, stopped. It ends when this process does, however that is.

Linux counts the *thread* that launched a child as its parent, so keep the event loop in a thread that lasts.
macOS has no such request: a supervisor killed with -9 leaves its servers running there; only a clean end stops them.
"""

import asyncio
import os
import sys
from asyncio.subprocess import PIPE, STDOUT, Process
from collections.abc import Awaitable, Callable
from contextlib import suppress
from pathlib import Path
from signal import SIGINT, SIGKILL, Signals

from msgspec import Struct

from infra.embedded.account import Account
from infra.embedded.logs import tail

LAUNCHER = Path(__file__).with_name("launch.py")
# A fast stop of PostgreSQL writes a checkpoint; on a slow disk that takes seconds. After it the next, harder signal.
STOP_TIMEOUT_S = 15.0
# Replaying the log after a crash is real work and must not be cut short; this is only for a server that hangs.
READY_TIMEOUT_S = 300.0
READY_POLL_S = 0.01


class ServerFailed(Exception):
    """A server could not be started."""

    def __init__(self, program: str, found: str, log: Path) -> None:
        self.program = program
        self.log = log
        super().__init__(f"expected {program} to start, found that {found}; the end of {log}:\n{tail(log)}")


class Program(Struct, frozen=True, kw_only=True):
    """A program: its command, the check that it is ready (given its pid), the signals that end it, kindest first."""

    name: str
    command: tuple[str, ...]
    stop_signals: tuple[Signals, ...]
    port: int
    log: Path
    is_ready: Callable[[int], Awaitable[bool]]
    stdin: bytes = b""


class Errand(Struct, frozen=True, kw_only=True):
    """A command that is run to its end: its account, its output's file, its input, and its time limit."""

    command: tuple[str, ...]
    account: Account
    log: Path
    timeout_s: float
    stdin: bytes = b""


async def launch(command: tuple[str, ...], *, account: Account, death_signal: Signals, log: Path) -> Process:
    """Start a command as the account, with a clean environment: ours may hold secrets that others could read there."""
    launcher = (
        sys.executable,
        "-I",
        "-S",
        str(LAUNCHER),
        str(os.getpid()),
        account.as_argument(),
        str(int(death_signal)),
    )
    with log.open("ab") as output:
        return await asyncio.create_subprocess_exec(
            *launcher,
            *command,
            stdin=PIPE,
            stdout=output,
            stderr=STDOUT,
            env={"PATH": os.environ.get("PATH", os.defpath), "LC_ALL": "C", "TZ": "UTC"},
            # A Ctrl-C at the terminal is for the supervisor, which stops its servers in order.
            start_new_session=True,
        )


async def run_to_end(errand: Errand) -> int:
    """Run a command and return its exit code. Raises ServerFailed when it takes too long; it has ended in any case."""
    process = await launch(errand.command, account=errand.account, death_signal=SIGINT, log=errand.log)
    try:
        async with asyncio.timeout(errand.timeout_s):
            await feed(process, errand.stdin)
            return await process.wait()
    except TimeoutError:
        found = f"it was not done after {errand.timeout_s:g} s"
        raise ServerFailed(Path(errand.command[0]).name, found, errand.log) from None
    finally:
        await stop(process, (SIGINT,))


async def feed(process: Process, text: bytes) -> None:
    """Write all of a child's input and close it. A child that ended before reading is found out by its exit code."""
    assert process.stdin is not None
    # Of one that has ended uvloop has closed the pipe already, and states so with a RuntimeError.
    with suppress(BrokenPipeError, ConnectionResetError, RuntimeError):
        process.stdin.write(text)
        await process.stdin.drain()
    process.stdin.close()
    with suppress(BrokenPipeError, ConnectionResetError):
        await process.stdin.wait_closed()


async def until_ready(program: Program, process: Process) -> None:
    """Wait for readiness. Raises ServerFailed when the process ends, or hangs, before it."""
    try:
        async with asyncio.timeout(READY_TIMEOUT_S):
            while process.returncode is None:
                if await program.is_ready(process.pid):
                    return
                await asyncio.sleep(READY_POLL_S)
    except TimeoutError:
        raise ServerFailed(program.name, f"it was not ready after {READY_TIMEOUT_S:.0f} s", program.log) from None
    raise ServerFailed(program.name, f"it ended with {process.returncode}", program.log)


async def stop(process: Process, signals: tuple[Signals, ...]) -> None:
    for signal in (*signals, SIGKILL):
        if process.returncode is not None:
            return
        with suppress(ProcessLookupError):
            process.send_signal(signal)
        with suppress(TimeoutError):
            async with asyncio.timeout(STOP_TIMEOUT_S):
                await process.wait()
