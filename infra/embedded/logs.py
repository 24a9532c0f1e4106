"""The servers' own log files, which never grow without bound."""

import os
import shutil
from pathlib import Path

# About fifty thousand lines: enough to read the time before a crash, small beside the data.
LOG_SIZE_MAX = 8 * 1024 * 1024
# The running file and this many earlier ones are kept.
LOGS_KEPT = 3
# An error quotes so much of a log; the reason of a failed start stands in its last lines.
TAIL_LINES_MAX = 6
TAIL_SIZE_MAX = 4096


def rotate(log: Path) -> None:
    """Begin a new file. Only for a log that no running server has open."""
    if not log.exists() or log.stat().st_size == 0:
        return
    _shift(log)
    log.rename(_earlier(log, 1))


def cut_when_large(log: Path) -> None:
    """Keep a running server's log bounded: it writes in append mode, so the emptied file is simply written from 0.

    Lines written between the copy and the cut are lost, which is the price of the server not taking part.
    """
    if not log.exists() or log.stat().st_size < LOG_SIZE_MAX:
        return
    _shift(log)
    shutil.copyfile(log, _earlier(log, 1))
    os.truncate(log, 0)


def tail(log: Path) -> str:
    if not log.exists():
        return ""
    with log.open("rb") as file:
        file.seek(max(0, log.stat().st_size - TAIL_SIZE_MAX))
        lines = file.read().decode(errors="replace").splitlines()
    return "\n".join(lines[-TAIL_LINES_MAX:])


def _shift(log: Path) -> None:
    for number in range(LOGS_KEPT - 1, 0, -1):
        if _earlier(log, number).exists():
            _earlier(log, number).replace(_earlier(log, number + 1))


def _earlier(log: Path, number: int) -> Path:
    return log.with_name(f"{log.name}.{number}")
