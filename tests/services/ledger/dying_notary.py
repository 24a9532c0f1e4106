"""A notary that kills itself at one step: `python -m tests.services.ledger.dying_notary URL FOLDER STEP ROUND`."""

import asyncio
import os
import sys
from enum import StrEnum
from itertools import count
from pathlib import Path
from signal import SIGKILL

from domain.ids import LogPosition
from domain.ledger.checkpoint import SignedCheckpoint
from infra.checkpoint_file import CheckpointFile
from infra.event_store import StoredEvent
from infra.ledger_store import Growth, NotaryDesk, StoredCheckpoint
from infra.postgres.event_store import PostgresEventStore
from infra.postgres.ledger_store import notary_desk
from services.ledger.notary import Notary, NotarySources
from services.ledger.proofs import LedgerProofs
from services.ledger.signed_memory import SignedMemory
from tests.database import Database
from tests.services.ledger.ledger_harness import ORIGIN, open_rig


class Step(StrEnum):
    """Everything a notary does in one round, in its order: what it reads, and before and after what it writes."""

    EVENTS_READ = "events-read"
    BEFORE_GROWTH = "before-growth"
    AFTER_GROWTH = "after-growth"
    BEFORE_FILE = "before-file"
    AFTER_FILE = "after-file"
    BEFORE_PUBLICATION = "before-publication"
    AFTER_PUBLICATION = "after-publication"


class Death:
    """Comes without a word, as a kill -9 and a loss of power do."""

    def __init__(self, step: Step, *, at_round: int) -> None:
        self._step = step
        self._at_round = at_round
        self._seen = count(1)

    def pass_by(self, step: Step) -> None:
        if step is self._step and next(self._seen) == self._at_round:
            os.kill(os.getpid(), SIGKILL)


class DyingLog:
    def __init__(self, log: PostgresEventStore, death: Death) -> None:
        self._log = log
        self._death = death

    async def read_log(self, *, after: LogPosition, limit: int) -> list[StoredEvent]:
        # Few at a time, so that there are rounds enough.
        events = await self._log.read_log(after=after, limit=min(limit, 7))
        self._death.pass_by(Step.EVENTS_READ)
        return events


class DyingDesk:
    def __init__(self, desk: NotaryDesk, death: Death) -> None:
        self._desk = desk
        self._death = death

    async def grow(self, growth: Growth) -> None:
        self._death.pass_by(Step.BEFORE_GROWTH)
        await self._desk.grow(growth)
        self._death.pass_by(Step.AFTER_GROWTH)

    async def publish(self, origin: str, checkpoint: StoredCheckpoint) -> None:
        self._death.pass_by(Step.BEFORE_PUBLICATION)
        await self._desk.publish(origin, checkpoint)
        self._death.pass_by(Step.AFTER_PUBLICATION)


class DyingFile(CheckpointFile):
    death: Death

    def replace(self, signed: SignedCheckpoint, *, expected: SignedCheckpoint | None) -> bool:
        self.death.pass_by(Step.BEFORE_FILE)
        is_replaced = super().replace(signed, expected=expected)
        self.death.pass_by(Step.AFTER_FILE)
        return is_replaced


async def run(url: str, folder: Path, death: Death) -> None:
    """Take in all there is, a few events at a time and each few under a checkpoint of their own."""
    seconds = count()
    async with open_rig(Database(owner_url=url, app_url=url), folder) as rig, notary_desk(rig.url) as desk:
        assert desk is not None
        parts = rig.notary_parts()
        file = DyingFile(rig.folder, parts.signer.key)
        file.death = death
        sources = NotarySources(
            log=DyingLog(rig.store, death),
            ledger=rig.ledger,
            desk=DyingDesk(desk, death),
            signer=parts.signer,
            memory=SignedMemory(rig.ledger, LedgerProofs(rig.ledger), file),
            monotonic_s=lambda: float(next(seconds)),
        )
        published = await rig.ledger.find_checkpoint(ORIGIN)
        notary = Notary(sources, await rig.ledger.read_head(), published=published)
        while await notary.step():
            pass


if __name__ == "__main__":
    asyncio.run(run(sys.argv[1], Path(sys.argv[2]), Death(Step(sys.argv[3]), at_round=int(sys.argv[4]))))
