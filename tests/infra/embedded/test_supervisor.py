"""A server under attack by its machine: no folder for its log, a log that cannot be cut, a bug."""

import os
import shutil
from pathlib import Path
from signal import SIGKILL, SIGTERM

import pytest
from structlog.testing import capture_logs

from infra.embedded.account import Account, Way
from infra.embedded.logs import LOG_SIZE_MAX
from infra.embedded.program import Program
from infra.embedded.supervisor import supervised
from tests.infra.embedded.conditions import eventually

OWN = Account(way=Way.OWN, uid=os.geteuid(), gid=os.getegid())
CHATTY = f"head -c {LOG_SIZE_MAX + 1} /dev/zero; exec sleep 600"


class Sleeper:
    """A program that only sleeps, each of its lives by its process."""

    def __init__(self, folder: Path, script: str = "exec sleep 600", *, lives_max: int = 100) -> None:
        self.log = folder / "logs" / "sleeper.log"
        self.log.parent.mkdir()
        self.pids: list[int] = []
        self._lives_max = lives_max
        self._size_min = LOG_SIZE_MAX if script == CHATTY else 0
        self.program = Program(
            name="sleeper",
            command=("/bin/sh", "-c", script),
            stop_signals=(SIGTERM,),
            port=1,
            log=self.log,
            is_ready=self._is_ready,
        )

    def kill(self) -> None:
        os.kill(self.pids[-1], SIGKILL)

    async def _is_ready(self, pid: int) -> bool:
        if pid not in self.pids:
            self.pids.append(pid)
        if len(self.pids) > self._lives_max:
            raise RuntimeError("a bug of ours")
        return self.log.stat().st_size >= self._size_min


async def test_a_server_whose_log_folder_is_missing_comes_back_with_it(tmp_path: Path) -> None:
    sleeper = Sleeper(tmp_path)
    with capture_logs() as told:
        async with supervised(sleeper.program, OWN):
            shutil.rmtree(sleeper.log.parent)
            sleeper.kill()
            await eventually(lambda: "sleeper_not_restarted" in [entry["event"] for entry in told])
            sleeper.log.parent.mkdir()

            await eventually(lambda: "sleeper_restarted" in [entry["event"] for entry in told])

    assert len(sleeper.pids) == 2
    assert not is_running(sleeper.pids[-1])


async def test_a_server_whose_log_cannot_be_cut_is_still_watched(tmp_path: Path) -> None:
    sleeper = Sleeper(tmp_path, CHATTY)
    # As on a full disk, moving the earlier logs on fails.
    sleeper.log.with_name("sleeper.log.2").touch()
    sleeper.log.with_name("sleeper.log.3").mkdir()
    with capture_logs() as told:
        async with supervised(sleeper.program, OWN):
            await eventually(lambda: "sleeper_log_not_cut" in [entry["event"] for entry in told])
            sleeper.kill()

            await eventually(lambda: "sleeper_restarted" in [entry["event"] for entry in told])

    assert not is_running(sleeper.pids[-1])


async def test_a_server_is_stopped_even_when_its_watch_has_crashed(tmp_path: Path) -> None:
    sleeper = Sleeper(tmp_path, lives_max=1)
    with capture_logs() as told:
        async with supervised(sleeper.program, OWN):
            sleeper.kill()
            await eventually(lambda: "watch_crashed" in [entry["event"] for entry in told])
            was_running = is_running(sleeper.pids[-1])

    assert was_running
    assert not is_running(sleeper.pids[-1])


async def test_a_server_is_stopped_whatever_the_block_raises(tmp_path: Path) -> None:
    sleeper = Sleeper(tmp_path)

    with pytest.raises(OSError, match="full"):
        async with supervised(sleeper.program, OWN):
            raise OSError("the disk is full")

    assert not is_running(sleeper.pids[-1])


def is_running(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True
