"""Runs `spina witness` as its owner would, on a free port, over a folder that outlives it."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from signal import SIGTERM

from tests.forked import Forked
from tests.services.cli.program import MODULE, PATIENCE_S, environment

NAME = "witness.test/w1"
READY = "Spina's witness is running: "


class Witnessing:
    """A `spina witness` that was started and answers."""

    def __init__(self, folder: Path, *, log: str, policy: Path, port: int) -> None:
        arguments = ("--log", log, "--policy", str(policy), "--name", NAME, "--state", str(folder), "--port", str(port))
        self.process = Forked(MODULE, "witness", *arguments, environment=environment({}))
        self.key = self.process.stdout.readline().strip().rpartition(" ")[2]
        ready = self.process.stdout.readline().strip()
        assert ready.startswith(READY), self.process.communicate(timeout=PATIENCE_S)[1]
        self.url = ready.removeprefix(READY)

    def kill(self) -> None:
        """End it as a loss of power would."""
        self.process.kill()
        self.process.wait(PATIENCE_S)


@contextmanager
def witnessing(folder: Path, *, log: str, policy: Path, port: int = 0) -> Iterator[Witnessing]:
    started = Witnessing(folder, log=log, policy=policy, port=port)
    try:
        yield started
    finally:
        if started.process.poll() is None:
            started.process.send_signal(SIGTERM)
            started.process.wait(PATIENCE_S)
        for pipe in (started.process.stdout, started.process.stderr):
            pipe.close()
