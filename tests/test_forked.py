"""Processes of the fork server are processes: code, signal, streams, environment and folder are their own."""

import subprocess
from pathlib import Path
from signal import SIGINT, SIGKILL, Signals

import pytest

from tests.forked import Forked, run_forked

PATIENCE_S = 60.0
# Prints, and ends as its argument states.
MODULE = "tests.forked_program"


def run(*arguments: str, **given: str) -> subprocess.CompletedProcess[str]:
    return run_forked(MODULE, *arguments, environment=given, timeout_s=PATIENCE_S)


def test_a_process_has_the_exit_code_and_the_streams_of_its_program() -> None:
    ended = run("exit", "7")

    assert (ended.returncode, ended.stdout, ended.stderr) == (7, "out\n", "err\n")


def test_a_process_has_no_environment_but_the_given_one() -> None:
    ended = run("environment", SPINA_PORT="1")

    assert ended.stdout == "out\nSPINA_PORT=1\n"


def test_a_process_ends_after_its_threads_and_its_last_acts() -> None:
    ended = run("linger")

    assert (ended.returncode, ended.stdout) == (0, "out\nthread\nlast act\n")


def test_an_exception_ends_a_process_with_its_traceback() -> None:
    ended = run("raise")

    assert ended.returncode == 1
    assert ended.stderr.endswith("ValueError: expected nothing\n")


@pytest.mark.parametrize(("signal", "code"), [(SIGKILL, -SIGKILL), (SIGINT, -SIGINT)])
def test_a_signal_ends_the_process_that_it_is_sent_to(tmp_path: Path, signal: Signals, code: int) -> None:
    process = Forked(MODULE, "wait", environment={}, folder=tmp_path)
    with process.stdout, process.stderr:
        process.stdout.readline()

        folder = Path(f"/proc/{process.pid}/cwd").readlink()
        running = process.poll()
        process.send_signal(signal)
        ended = process.wait(PATIENCE_S)

    assert (running, ended, folder) == (None, code, tmp_path)


def test_a_process_that_does_not_end_in_time_is_killed() -> None:
    with pytest.raises(subprocess.TimeoutExpired):
        run_forked(MODULE, "wait", environment={}, timeout_s=0.1)
