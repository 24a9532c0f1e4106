"""A disk without room for new lines, on a server of the test's own: appends are refused, and none is lost.

The processes of Postgres may make no file longer than a limit, as on a disk that is full; its own log has room.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from resource import RLIM_INFINITY, RLIMIT_FSIZE, prlimit

import pytest

from domain.ids import LogPosition
from infra.embedded.servers import embedded_servers
from infra.postgres.event_store import open_event_store
from infra.postgres.migrations import migrate
from infra.store_faults import StoreUnavailable
from tests.appends import following, new_command, new_game, opening
from tests.infra.embedded.questions import ask, pid_of

# Two appends fit into a file of the limit, three do not.
FILE_SIZE_MAX = 4 * 1024**2
LINES, LINE_BYTES = 30, 30_000


async def test_a_full_disk_refuses_lines_and_loses_none(tmp_path: Path) -> None:
    # No packing makes these shorter.
    said = Random(1).randbytes(LINE_BYTES).hex()  # noqa: S311  no secret
    first = opening(new_game(), LINES, said=said, command=new_command())
    second = following(first, LINES, said=said, command=new_command())
    third = following(second, LINES, said=said, command=new_command())
    async with embedded_servers(tmp_path / "data") as urls:
        await migrate(urls.owner_url)
        async with open_event_store(urls.database_url) as store:
            await store.append(first)
            # The next lines begin a new file of Postgres's own log, far below the limit.
            await ask(urls.owner_url, "select pg_switch_wal()::text")
            await store.append(second)

            with full_disk(pid_of("postgres", tmp_path)), pytest.raises(StoreUnavailable) as full:
                await store.append(third)
            await store.append(third)
            log = await store.read_log(after=LogPosition(0), limit=1_000)

    assert "could not extend file" in full.value.reason
    assert not full.value.may_have_committed
    assert [event.body for event in log] == [line for append in (first, second, third) for line in append.lines]


@contextmanager
def full_disk(postmaster: int) -> Iterator[None]:
    """Let no process of Postgres write beyond a size, for the time of the block."""
    try:
        limit_files(postmaster, FILE_SIZE_MAX)
        yield
    finally:
        limit_files(postmaster, RLIM_INFINITY)


def limit_files(postmaster: int, size_max: int) -> None:
    children = Path(f"/proc/{postmaster}/task/{postmaster}/children").read_text().split()
    for process in (postmaster, *map(int, children)):
        _, hard = prlimit(process, RLIMIT_FSIZE)
        prlimit(process, RLIMIT_FSIZE, (size_max, hard))
