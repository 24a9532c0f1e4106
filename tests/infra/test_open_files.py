"""The number of files a server may open, out of the machine's limit."""

import subprocess
import sys
from resource import RLIM_INFINITY

import pytest

from infra.open_files import OPEN_FILES_WANTED, count_reachable
from tests.services.cli.program import environment

RAISED = """
import resource
from infra.open_files import raise_limit
raise_limit()
print(resource.getrlimit(resource.RLIMIT_NOFILE))
"""


@pytest.mark.parametrize(
    ("soft", "hard", "expected"),
    [
        (1024, 1_048_576, OPEN_FILES_WANTED),
        (1024, RLIM_INFINITY, OPEN_FILES_WANTED),
        (1024, 4096, 4096),
        (1024, 1024, 1024),
        (65_536, 1_048_576, 65_536),
        (RLIM_INFINITY, RLIM_INFINITY, RLIM_INFINITY),
    ],
)
def test_a_limit_is_raised_as_far_as_it_may_be_and_never_lowered(soft: int, hard: int, expected: int) -> None:
    assert count_reachable(soft, hard) == expected


def test_a_process_that_raises_its_limit_may_open_more_files() -> None:
    limited = 'ulimit -S -n 256; ulimit -H -n 2048; exec "$0" -c "$1"'

    ended = subprocess.run(  # noqa: S603  our own program, under a shell's limits
        ["/bin/bash", "-c", limited, sys.executable, RAISED],
        capture_output=True,
        text=True,
        check=True,
        env=environment({}),
    )

    assert ended.stdout == "(2048, 2048)\n"
