"""Notifiers that are killed: `python -m tests.services.notices.killed_notifiers URL KILLS SEED`.

Each is forked from this process, so that it starts at once, and killed after a drawn number of steps.
"""

import asyncio
import os
import signal
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from random import Random

from msgspec.structs import replace

from infra.postgres.notices import notice_book
from services.node.workers import build_notifier_sources
from services.workers.notifier import build_notifier
from services.workers.standby import Pace, Step, stand_by
from tests.database import Database
from tests.services.api.server import running_api
from tests.services.heartbeats import no_beat

# Some dozen notices are read, stored and sent in them.
STEPS_MAX = 20


async def send_notices(url: str, begun: int) -> None:
    async with running_api(Database(owner_url=url, app_url=url), reaches_private=True) as api:
        notifier = build_notifier(build_notifier_sources(api.parts), partial(notice_book, url))

        @asynccontextmanager
        async def open_session() -> AsyncIterator[Step | None]:
            async with notifier.open() as step:
                if step is None:
                    yield None
                    return
                act = step

                async def counted_step() -> int | None:
                    os.write(begun, b".")
                    return await act()

                yield counted_step

        await stand_by(replace(notifier, open=open_session), no_beat, Pace(look_every_s=0.01, stand_by_s=0.01))


def kill_notifiers(url: str, kills: int, seed: int) -> None:
    random = Random(seed)  # noqa: S311  a test's
    for _ in range(kills):
        begun, begin = os.pipe()
        child = os.fork()
        if child == 0:
            asyncio.run(send_notices(url, begin))
        os.close(begin)
        for _ in range(random.randint(1, STEPS_MAX)):
            if not os.read(begun, 1):
                sys.exit("a notifier ended by itself")
        os.close(begun)
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)


if __name__ == "__main__":
    kill_notifiers(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))
