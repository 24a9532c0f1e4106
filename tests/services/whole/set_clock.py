"""`spina` on a machine whose clock a test sets: `python -m tests.services.whole.set_clock …`.

The file that `TEST_CLOCK_FILE` names holds by how many seconds the machine's clock is off.
"""

import os
import time
from collections.abc import Callable
from pathlib import Path

CLOCK_FILE = "TEST_CLOCK_FILE"


def read_off_ns() -> int:
    return int(Path(os.environ[CLOCK_FILE]).read_text()) * 1_000_000_000


def set_off(true_ns: Callable[[], int]) -> None:
    """Replace the machine's clock, before any module of the project can read it."""
    time.time_ns = lambda: true_ns() + read_off_ns()
    time.time = lambda: (true_ns() + read_off_ns()) / 1e9


if __name__ == "__main__":
    set_off(time.time_ns)
    from services.cli.main import main

    main()
