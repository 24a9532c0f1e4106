"""Processes of a fork server: what tests use of `subprocess`, for modules of the product.

A test of the start itself, of what a start imports, or of another environment starts a Python of its own.
"""

import atexit
import os
import select
import signal
import socket
import subprocess
import sys
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import IO

import msgspec

from tests.fork_server import ROOT, Start

START_WITHIN_S = 60.0
# Both pipes have ended by then.
END_WITHIN_S = 60.0


class Forked:
    """A running process, with the methods of `subprocess.Popen`; both streams are pipes of text."""

    def __init__(
        self, module: str, *arguments: str, environment: Mapping[str, str], folder: Path | None = None
    ) -> None:
        self.args: Sequence[str] = (module, *arguments)
        self.returncode: int | None = None
        self.stdout, out = _pipe()
        self.stderr, err = _pipe()
        nothing = os.open(os.devnull, os.O_RDONLY)
        self._ends, its_end = socket.socketpair()
        start = Start(
            module=module, arguments=arguments, environment=dict(environment), folder=str(folder or Path.cwd())
        )
        with its_end:
            socket.send_fds(fork_server(), [msgspec.json.encode(start)], [nothing, out, err, its_end.fileno()])
        for descriptor in (nothing, out, err):
            os.close(descriptor)
        self._ends.settimeout(START_WITHIN_S)
        self._told = self._ends.makefile("r")
        self.pid = int(self._told.readline())

    def poll(self) -> int | None:
        """Return the exit code, negative for a signal; None while the process runs."""
        with suppress(subprocess.TimeoutExpired):
            self.wait(0)
        return self.returncode

    def wait(self, timeout: float | None = None) -> int:
        if self.returncode is None:
            if not select.select([self._ends], [], [], timeout)[0]:
                raise subprocess.TimeoutExpired(self.args, timeout or 0)
            self.returncode = int(self._told.readline())
            self._told.close()
            self._ends.close()
        return self.returncode

    def communicate(self, timeout: float | None = None) -> tuple[str, str]:
        """Read both pipes to their ends, and wait."""
        with ThreadPoolExecutor() as readers:
            read = [readers.submit(pipe.read) for pipe in (self.stdout, self.stderr)]
            try:
                unread = wait(read, timeout=timeout).not_done
                self.wait(0 if unread else END_WITHIN_S)
            except subprocess.TimeoutExpired:
                # A reader waits for as long as there is a writer.
                self.kill()
                self.wait(END_WITHIN_S)
                raise
            return read[0].result(), read[1].result()

    def send_signal(self, number: int) -> None:
        if self.poll() is None:
            os.kill(self.pid, number)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)


def run_forked(
    module: str, *arguments: str, environment: Mapping[str, str], timeout_s: float
) -> subprocess.CompletedProcess[str]:
    """Run a module to its end."""
    process = Forked(module, *arguments, environment=environment)
    with process.stdout, process.stderr:
        stdout, stderr = process.communicate(timeout=timeout_s)
    return subprocess.CompletedProcess(process.args, process.wait(), stdout, stderr)


def _pipe() -> tuple[IO[str], int]:
    reading, writing = os.pipe()
    return os.fdopen(reading), writing


@cache
def fork_server() -> socket.socket:
    """Start the fork server of this process at its first request; the end of the socket ends it."""
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    with theirs:
        process = subprocess.Popen(  # noqa: S603  our own program
            [sys.executable, "-m", "tests.fork_server", str(theirs.fileno())],
            cwd=ROOT,
            pass_fds=[theirs.fileno()],
            stdin=subprocess.DEVNULL,
        )
    atexit.register(_end, ours, process)
    return ours


def _end(server: socket.socket, process: subprocess.Popen[bytes]) -> None:
    server.close()
    process.wait(START_WITHIN_S)
