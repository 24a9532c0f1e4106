"""A run of kills that is stopped: it prints its figures, and none of its processes outlives it."""

import asyncio
import json
import os
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from signal import SIGINT, SIGKILL, SIGTERM, Signals

import pytest

from tests.infra.embedded.conditions import eventually
from tests.servers import FOLDER_PREFIX
from tests.services.cli.program import ROOT, SPINA, environment

PLAYERS = "simulate.load.process"
PATIENCE_S, LEFT_WITHIN_S = 240.0, 10.0
RUN = ("simulate", "kills", "--kills", "100000", "--servers", "2", "--tables", "1", "--json")


@contextmanager
def running(folder: Path) -> Iterator[subprocess.Popen[bytes]]:
    """Run the kills in a folder and a session of their own; no process of them is left, however the test ends."""
    with (
        (folder / "told").open("wb") as told,
        subprocess.Popen(  # noqa: S603  our own program
            [*SPINA, *RUN], env=environment({"TMPDIR": str(folder)}), cwd=ROOT, stdout=told, start_new_session=True
        ) as run,
    ):
        try:
            yield run
        finally:
            run.kill()
            for pid in list_processes(folder):
                os.kill(pid, SIGKILL)


def list_processes(folder: Path) -> Iterator[int]:
    """List the processes whose arguments or environment name the folder."""
    for process in Path("/proc").glob("[0-9]*"):
        try:
            told = (process / "cmdline").read_bytes() + (process / "environ").read_bytes()
        except OSError:
            continue
        if os.fsencode(folder) in told:
            yield int(process.name)


def has_players(pid: int) -> bool:
    """Return whether a descendant of a process has players, which is then in a session of its own."""
    with suppress(OSError):
        for thread in Path(f"/proc/{pid}/task").iterdir():
            for child in thread.joinpath("children").read_text().split():
                if PLAYERS in Path(f"/proc/{child}/cmdline").read_text() or has_players(int(child)):
                    return True
    return False


async def until_under_load(run: subprocess.Popen[bytes]) -> None:
    """Return once players run: by then every server has answered, and a Ctrl-C does not reach them."""

    def is_under_load() -> bool:
        assert run.poll() is None, "expected players, found the end of the run"
        return has_players(run.pid)

    await eventually(is_under_load, within_s=PATIENCE_S)


async def until_none_is_left(folder: Path) -> None:
    """Return once no process is left: the helpers of forked processes end just after the run."""
    await eventually(lambda: not any(list_processes(folder)), within_s=LEFT_WITHIN_S)


@pytest.fixture
def short_path(tmp_path: Path) -> Iterator[Path]:
    """Make a folder with a short name: the address of a socket in it has a hundred characters at most."""
    session = next((parent for parent in tmp_path.parents if parent.name.startswith(FOLDER_PREFIX)), None)
    with tempfile.TemporaryDirectory(prefix="s", dir=session, ignore_cleanup_errors=True) as folder:
        yield Path(folder)


@pytest.mark.parametrize(
    ("stop", "signal"), [(os.kill, SIGTERM), (os.killpg, SIGINT)], ids=["by the machine", "at the terminal"]
)
async def test_a_stopped_run_tells_its_figures_and_leaves_no_process(
    stop: Callable[[int, int], None], signal: Signals, short_path: Path
) -> None:
    with running(short_path) as run:
        await until_under_load(run)
        stop(run.pid, signal)
        await asyncio.to_thread(run.wait, PATIENCE_S)
        await until_none_is_left(short_path)

    assert json.loads((short_path / "told").read_bytes())["violations"] == []
