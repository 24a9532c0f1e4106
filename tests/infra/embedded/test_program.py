"""A command run to its end: its exit code, and an end for one that hangs."""

import asyncio
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from signal import SIGINT

import pytest
import uvloop

from infra.embedded.account import Account, Way
from infra.embedded.program import LAUNCHER, Errand, ServerFailed, feed, launch, run_to_end

OWN = Account(way=Way.OWN, uid=os.geteuid(), gid=os.getegid())


def errand(tmp_path: Path, script: str, *, timeout_s: float, stdin: bytes = b"") -> Errand:
    command = ("/bin/sh", "-c", script)
    return Errand(command=command, account=OWN, log=tmp_path / "log", timeout_s=timeout_s, stdin=stdin)


async def test_a_command_is_told_its_input_and_its_exit_code_is_known(tmp_path: Path) -> None:
    code = await run_to_end(errand(tmp_path, "cat; exit 3", timeout_s=60, stdin=b"ave"))

    assert code == 3
    assert (tmp_path / "log").read_text() == "ave"


@pytest.mark.parametrize("stdin", [b"", b"x" * 1_000_000], ids=["hangs", "hangs and does not read"])
async def test_a_command_that_hangs_is_ended_and_named(tmp_path: Path, stdin: bytes) -> None:
    hanging = errand(tmp_path, f"echo $$ > {tmp_path}/pid; exec sleep 600", timeout_s=0.5, stdin=stdin)

    with pytest.raises(ServerFailed, match=r"expected sh to start, found that it was not done after 0\.5 s"):
        await run_to_end(hanging)

    pid = int((tmp_path / "pid").read_text())
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)


@pytest.mark.parametrize("make_loop", [asyncio.new_event_loop, uvloop.new_event_loop], ids=["asyncio", "uvloop"])
def test_a_command_that_ended_before_it_was_told_anything_is_found_out_by_its_exit_code(
    tmp_path: Path, make_loop: Callable[[], asyncio.AbstractEventLoop]
) -> None:
    async def tell_too_late() -> int:
        process = await launch(("/bin/sh", "-c", "exit 3"), account=OWN, death_signal=SIGINT, log=tmp_path / "log")
        await process.wait()
        await feed(process, b"ave")
        return await process.wait()

    with asyncio.Runner(loop_factory=make_loop) as runner:
        assert runner.run(tell_too_late()) == 3


def test_a_command_heeds_its_signal_though_the_supervisor_ignores_it() -> None:
    ignoring = ("/bin/sh", "-c", 'trap "" INT; exec "$@"', "sh")
    launched = (sys.executable, "-I", "-S", str(LAUNCHER), str(os.getpid()), OWN.as_argument(), str(int(SIGINT)))

    ended = subprocess.run((*ignoring, *launched, "/bin/sh", "-c", "kill -INT $$"), check=False)  # noqa: S603  our own program

    assert ended.returncode == -SIGINT
