"""A process that is the notary whenever it can: `python -m tests.services.ledger.notary_process URL FOLDER`."""

import asyncio
import sys
from itertools import count
from pathlib import Path

from services.workers.notary_standby import build_notary
from services.workers.standby import Pace, stand_by
from tests.database import Database
from tests.services.heartbeats import no_beat
from tests.services.ledger.ledger_harness import open_rig


async def run(url: str, folder: Path) -> None:
    seconds = count()
    async with open_rig(Database(owner_url=url, app_url=url), folder) as rig:
        print("up", flush=True)  # noqa: T201 - the test waits for it
        # A clock that is always a second on, so that every step is signed.
        notary = build_notary(rig.notary_parts(monotonic_s=lambda: float(next(seconds))))
        await stand_by(notary, no_beat, Pace(stand_by_s=0.01))


if __name__ == "__main__":
    asyncio.run(run(sys.argv[1], Path(sys.argv[2])))
