"""The launcher turns into its command, or states why not, and never outlives who asked for it."""

import os
import subprocess
import sys
from signal import SIGTERM

import pytest

from infra.embedded.account import Account, candidates
from infra.embedded.program import LAUNCHER

SAY = "import os; print(os.getpid(), os.getuid())"


def launch(supervisor: int, account: str, *command: str) -> subprocess.CompletedProcess[str]:
    arguments = (sys.executable, "-I", "-S", str(LAUNCHER), str(supervisor), account, str(int(SIGTERM)), *command)
    return subprocess.run(arguments, capture_output=True, text=True, check=False)  # noqa: S603  this test's own words


def test_the_command_takes_the_launchers_place() -> None:
    done = launch(os.getpid(), "own", sys.executable, "-c", SAY)

    assert done.returncode == 0
    assert done.stdout.split()[1] == str(os.getuid())


@pytest.mark.parametrize("account", candidates(), ids=lambda account: account.way.value)
def test_the_command_is_not_root(account: Account) -> None:
    done = launch(os.getpid(), account.as_argument(), sys.executable, "-c", SAY)

    assert done.returncode == 0, done.stderr
    assert done.stdout.split()[1] != "0"


def test_a_supervisor_that_is_gone_already_gets_no_server() -> None:
    # Its parent is this process, so any other number is one that died before the launcher could ask.
    done = launch(os.getppid(), "own", sys.executable, "-c", SAY)

    assert done.returncode == 126
    assert done.stdout == ""


def test_an_account_that_cannot_be_had_is_said() -> None:
    done = launch(os.getpid(), "user:4294967295:4294967295", sys.executable, "-c", SAY)

    assert done.returncode == 1
    assert "cannot run" in done.stderr
    assert done.stdout == ""
