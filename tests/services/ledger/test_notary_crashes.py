"""Stopped at every step of its cycle, in both ways, or killed at any moment: never two checkpoints that disagree."""

import asyncio
import os
import signal
from contextlib import AsyncExitStack, suppress
from functools import partial
from pathlib import Path
from random import Random

import pytest

from domain.ledger.checkpoint import SignedCheckpoint
from infra.checkpoint_file import CheckpointFile
from infra.postgres.ledger_store import notary_desk
from infra.store_faults import StoreUnavailable
from services.ledger.proofs import LedgerProofs
from services.ledger.signed_memory import SignedMemory
from services.workers.notary_standby import open_notary
from tests.forked import run_forked
from tests.services.killable import killable_process
from tests.services.ledger.dying_notary import Step
from tests.services.ledger.ledger_harness import ORIGIN, PATIENCE_S, Rig, drain, find_disagreements, roots_of
from tests.services.workers.broken_desk import BrokenDesk, Way

ROOT = Path(__file__).parents[3]
# Three rounds of a growth and a checkpoint each.
WRITES = 6
KILLS = 6
SEED = 20261118
GAMES_MAX = 20


def read_file(rig: Rig) -> list[bytes]:
    file = CheckpointFile(rig.folder, rig.notary_parts().signer.key)
    return [file.path.read_bytes()] if file.path.exists() else []


@pytest.mark.parametrize("way", Way)
@pytest.mark.parametrize("breaks_at", range(WRITES))
async def test_whatever_write_breaks_nothing_that_was_shown_is_taken_back(rig: Rig, breaks_at: int, way: Way) -> None:
    shown: list[bytes] = []
    async with notary_desk(rig.url) as real:
        assert real is not None
        desk = BrokenDesk(real, breaks_at=breaks_at, way=way)
        notary = await rig.open_notary(desk)
        for _ in range(WRITES // 2):
            await rig.play(games=2, lines=100)
            with suppress(StoreUnavailable):
                await drain(notary)
                continue
            shown += read_file(rig)
            notary = await rig.open_notary(desk)
        await drain(notary)

    events = await rig.read_events()
    assert desk.has_broken
    assert find_disagreements(shown + desk.shown + await rig.read_notes() + read_file(rig), events) == []
    assert (await rig.ledger.read_head()).tree_size == len(events)
    assert f"{ORIGIN}\n{len(events)}\n".encode() in (await rig.read_notes())[-1]


class Stopped(Exception):
    """The process ended there."""


class StoppingFile(CheckpointFile):
    """Stops before or after the file is replaced."""

    is_replaced = False

    def replace(self, signed: SignedCheckpoint, *, expected: SignedCheckpoint | None) -> bool:
        if self.is_replaced:
            super().replace(signed, expected=expected)
        raise Stopped


@pytest.mark.parametrize("is_replaced", [False, True])
async def test_a_stop_around_the_file_takes_nothing_back(rig: Rig, *, is_replaced: bool) -> None:
    await rig.play()
    await rig.notarise()
    await rig.play()
    file = StoppingFile(rig.folder, rig.notary_parts().signer.key)
    file.is_replaced = is_replaced
    async with notary_desk(rig.url) as desk:
        assert desk is not None
        memory = SignedMemory(rig.ledger, LedgerProofs(rig.ledger), file)
        notary = await open_notary(rig.notary_parts(), desk, memory)
        with pytest.raises(Stopped):
            await drain(notary)

    shown = read_file(rig)
    await rig.play()
    await rig.notarise()

    assert find_disagreements(shown + await rig.read_notes(), await rig.read_events()) == []
    assert len(await rig.read_notes()) == 2


async def run_to_its_death(rig: Rig, step: Step, *, at_round: int) -> int:
    arguments = (rig.url, str(rig.folder), step, str(at_round))
    dying = partial(run_forked, "tests.services.ledger.dying_notary", *arguments)
    return (await asyncio.to_thread(dying, environment=os.environ, timeout_s=PATIENCE_S)).returncode


@pytest.mark.parametrize("step", Step)
async def test_a_notary_killed_at_any_step_leaves_nothing_that_the_next_one_contradicts(rig: Rig, step: Step) -> None:
    shown: list[bytes] = []
    for at_round in (1, 2):
        await rig.play(games=2, lines=20)
        assert await run_to_its_death(rig, step, at_round=at_round) == -signal.SIGKILL
        # What anybody may have seen by now, in the file or published, must be true for ever.
        shown += read_file(rig) + await rig.read_notes()

    await rig.notarise()

    events = await rig.read_events()
    assert find_disagreements(shown + read_file(rig) + await rig.read_notes(), events) == []
    assert (await rig.ledger.read_head()).root == roots_of(events)[-1]
    assert f"{ORIGIN}\n{len(events)}\n".encode() in (await rig.read_notes())[-1]


async def wait_for_leaves(rig: Rig, count: int) -> None:
    """Wait until that many leaves are published, by whichever process."""
    async with asyncio.timeout(PATIENCE_S):
        published = None
        while published is None or published.tree_size < count:
            published = await rig.ledger.find_checkpoint(ORIGIN)


async def play_on(rig: Rig) -> None:
    while True:
        await rig.play(games=1, lines=3)
        # A game more each time would be slower each time.
        if len(rig.last) > GAMES_MAX:
            rig.last.clear()


@pytest.mark.parametrize("processes", [1, 2])
async def test_notaries_killed_at_any_moment_never_disagree(rig: Rig, processes: int) -> None:
    random = Random(SEED + processes)  # noqa: S311 - a seed that can be repeated
    async with asyncio.TaskGroup() as tasks:
        playing = tasks.create_task(play_on(rig))
        for _ in range(KILLS // processes):
            async with AsyncExitStack() as stack:
                for _ in range(processes):
                    await stack.enter_async_context(killable_process("ledger.notary_process", rig.url, str(rig.folder)))
                # Killed when it has published a little more: at another place of its cycle each time.
                await wait_for_leaves(rig, (await rig.ledger.read_head()).tree_size + random.randrange(1, 30))
        playing.cancel()

    await rig.notarise()

    events = await rig.read_events()
    notes = await rig.read_notes()
    assert len(notes) > KILLS // processes
    assert find_disagreements(notes + read_file(rig), events) == []
    assert (await rig.ledger.read_head()).root == roots_of(events)[-1]
