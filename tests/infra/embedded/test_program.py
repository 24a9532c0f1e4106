"""A command run to its end: what it ended with, and that one which hangs is ended and named."""

import os
from pathlib import Path

import pytest

from infra.embedded.account import Account, Way
from infra.embedded.program import Errand, ServerFailed, run_to_end

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
