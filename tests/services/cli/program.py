"""Runs `spina` as a user would: a process of its own, with an environment that has nothing of ours."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from signal import SIGTERM, Signals
from urllib.request import urlopen

from infra.embedded.folder import DataFolder, find_servers
from tests.forked import Forked, run_forked
from tests.services.cli.made_data import copy_made_data

ROOT = Path(__file__).parents[3]
# A start takes about a second on an idle machine; this one is shared.
PATIENCE_S = 60.0
READY = "Spina is running: "
MODULE = "services.cli"
# The sources of this tree, started as a user does. Without a program the same is forked where it is imported already,
# which saves half a second; another program is one of an installation.
SPINA = (sys.executable, "-m", MODULE)


def environment(given: Mapping[str, str]) -> dict[str, str]:
    kept = {name: text for name, text in os.environ.items() if not name.startswith("SPINA_")}
    return {**kept, "PYTHONPATH": str(ROOT), **given}


def run(*arguments: str, program: Sequence[str] | None = None, **given: str) -> subprocess.CompletedProcess[str]:
    """Run a command to its end."""
    if program is None:
        return run_forked(MODULE, *arguments, environment=environment(given), timeout_s=PATIENCE_S)
    return subprocess.run(  # noqa: S603  our own program, with arguments of the tests
        [*program, *arguments],
        env=environment(given),
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        check=False,
    )


def one_sentence(ended: subprocess.CompletedProcess[str], *, exit_code: int = 1) -> str:
    """Return a command's refusal: the last line, which is the only one for people, and no traceback."""
    assert ended.returncode == exit_code, ended.stderr
    assert "Traceback" not in ended.stderr
    *logged, sentence = ended.stderr.strip().splitlines()
    assert all(line.startswith("{") for line in logged)
    assert sentence.startswith("spina: ")
    return sentence.removeprefix("spina: ")


class Serving:
    """A `spina serve` that was started."""

    def __init__(self, data: Path, *arguments: str, program: Sequence[str] | None = None, **given: str) -> None:
        self.data = data
        if program is None and "SPINA_DATABASE_URL" not in given and not data.exists():
            copy_made_data(data)
        own = environment({"SPINA_DATA": str(data), "SPINA_PORT": "0", "SPINA_EXHIBITION": "off", **given})
        self.process = _start(program, "serve", *arguments, environment=own)

    def until_ready(self) -> str:
        """Wait for the line that states where; a server that ends instead ends the wait too."""
        assert self.process.stdout is not None
        line = self.process.stdout.readline().strip()
        assert line.startswith(READY), self.process.communicate(timeout=PATIENCE_S)[1]
        return line.removeprefix(READY)

    def until_logged(self, event: str) -> None:
        assert self.process.stderr is not None
        for line in self.process.stderr:
            if json.loads(line)["event"] == event:
                return
        raise AssertionError(f"expected {event} in the log, found its end")

    def stop(self, signal: Signals = SIGTERM) -> int:
        self.process.send_signal(signal)
        self.process.communicate(timeout=PATIENCE_S)
        return self.process.wait()

    def servers_left(self) -> tuple[int, ...]:
        return find_servers(DataFolder(path=self.data))


def _start(
    program: Sequence[str] | None, *arguments: str, environment: Mapping[str, str]
) -> Forked | subprocess.Popen[str]:
    if program is None:
        return Forked(MODULE, *arguments, environment=environment)
    return subprocess.Popen(  # noqa: S603  our own program, with arguments of the tests
        [*program, *arguments], env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )


@contextmanager
def serving(data: Path, *arguments: str, program: Sequence[str] | None = None, **given: str) -> Iterator[Serving]:
    """Start a server, and leave no trace of it however the test ends."""
    started = Serving(data, *arguments, program=program, **given)
    try:
        yield started
    finally:
        if started.process.poll() is None:
            started.stop()
        for pipe in (started.process.stdout, started.process.stderr):
            assert pipe is not None
            pipe.close()


def get_health(url: str) -> dict[str, object]:
    with urlopen(url, timeout=PATIENCE_S) as response:  # noqa: S310  the server under test, on the loopback
        health: dict[str, object] = json.load(response)
    return health
