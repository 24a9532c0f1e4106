"""The archivist: finished games get proofs that stay, openings that must be witnessed are, and no stop loses one."""

from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any
from uuid import uuid4

import asyncpg
import pytest
from msgspec import Struct
from msgspec.structs import replace

from domain.accounts.account import Account
from domain.game.commands import GameCommand
from domain.ids import StreamVersion
from domain.ledger.note import format_signatures
from domain.ledger.policy import Policy, PolicyWitness
from domain.ledger.proof import parse_proof
from infra.postgres.connection import build_app_pool
from infra.postgres.kept_proofs import KeptProof, KeptProofs
from infra.postgres.queries import Queries
from infra.settings import Settings
from infra.store_faults import StoreUnavailable
from services.api.http.examples import TOURNAMENT
from services.api.tournaments.tournament_examples import ENTER_EXAMPLE, OPEN_EXAMPLE
from services.ledger.public_ledger import build_policy
from services.workers.archivist import LEAVES_MAX, ArchivistSources, PlantedProof, look_through
from tests.database import Database
from tests.domain.game.game_harness import ORGA
from tests.domain.ledger.signing import WITNESS
from tests.services.api.player import GAME, Player, expect, register, seat_two
from tests.services.api.server import Api, running_api
from tests.services.ledger.ledger_harness import Rig, open_rig

ORIGIN = Settings().origin
TORCHES: dict[str, Any] = {"ruleset": "torches@1", "options": {}, "clock": None}


class Scene(Struct, frozen=True):
    """A server, a notary that comes when it is called, and an archivist."""

    api: Api
    rig: Rig
    archive: ArchivistSources
    pool: asyncpg.Pool

    async def notarise(self) -> None:
        await self.rig.notarise(self.rig.notary_parts(origin=ORIGIN))

    async def keep(self) -> KeptProof | None:
        """Let the archivist see to all there is."""
        while await look_through(self.archive):
            pass
        return await self.archive.kept.find(GAME)

    def with_quorum(self) -> ArchivistSources:
        """The same archivist, for an operator who asks that the club has seen each checkpoint."""
        known = PolicyWitness(name="club", key=WITNESS.key)
        given = Policy(logs=(), witnesses=(known,), groups=(), quorum="club")
        signer = self.rig.notary_parts(origin=ORIGIN).signer
        return replace(self.archive, ledger=replace(self.archive.ledger, policy=build_policy(signer, given)))

    async def cosign(self) -> int:
        """Let the club see the newest checkpoint."""
        newest = await self.archive.ledger.find_checkpoint()
        assert newest is not None
        line = WITNESS.cosign(newest.note.text)
        size = newest.checkpoint.tree_size
        await self.rig.ledger.cosign(ORIGIN, tree_size=size, witness="club", line=format_signatures((line,)))
        return size


@pytest.fixture
async def scene(database: Database, tmp_path: Path) -> AsyncIterator[Scene]:
    async with AsyncExitStack() as stack:
        api = await stack.enter_async_context(running_api(database))
        rig = await stack.enter_async_context(open_rig(database, tmp_path))
        pool = await stack.enter_async_context(build_app_pool(database.app_url))
        ledger = api.audits.bundles.ledger
        assert ledger is not None
        archive = ArchivistSources(
            kept=KeptProofs(Queries(pool)),
            ledger=ledger,
            command=api.parts.games.arena.handle,
            command_tournament=api.parts.tournaments.write_path.handle,
            now_ms=api.parts.now_ms,
        )
        yield Scene(api, rig, archive, pool)


async def play_to_the_end(api: Api) -> Player:
    """Ada resigns at once, and so Bob has won."""
    ada, _bob = await seat_two(api)
    await expect(ada.resign(), 200)
    assert (await ada.get()).json()["status"] == "finished"
    return ada


async def open_and_abort(api: Api, **terms: Any) -> None:
    ada = await register(api, "Ada")
    token = await api.create_account(Account(id=ORGA, name="Orga", role="organiser"))
    await expect(ada.open(organisers={ORGA: None}, **terms), 201)
    await expect(Player(api, token, number=9).command("abort", reason="Rain."), 200)


async def test_a_finished_game_gets_the_proofs_of_its_last_line_and_of_its_first_seat(scene: Scene) -> None:
    ada = await play_to_the_end(scene.api)
    await scene.notarise()

    kept = await scene.keep()

    assert kept is not None
    assert kept.version == (await ada.get()).json()["version"]
    assert kept.last_proof == (await scene.api.client.get(f"/v1/ledger/proofs/{GAME}/{kept.version}")).content
    assert kept.first_seat_proof == (await scene.api.client.get(f"/v1/ledger/proofs/{GAME}/2")).content
    assert kept.policy == (await scene.api.client.get("/v1/ledger/policy")).content


async def test_a_game_that_goes_on_or_that_no_checkpoint_covers_has_none_yet(scene: Scene) -> None:
    ada, _bob = await seat_two(scene.api)
    await scene.notarise()
    running = await scene.keep()
    await expect(ada.resign(), 200)

    uncovered = await scene.keep()

    assert running is None
    assert uncovered is None


async def test_an_aborted_game_without_seats_has_the_proof_of_its_last_line_alone(scene: Scene) -> None:
    await open_and_abort(scene.api)
    await scene.notarise()

    kept = await scene.keep()

    assert kept is not None
    assert kept.first_seat_proof is None


async def test_no_game_whose_proofs_are_not_kept_is_passed_by(scene: Scene) -> None:
    await play_to_the_end(scene.api)
    await scene.notarise()
    size = (await scene.rig.ledger.read_head()).tree_size

    with pytest.raises(asyncpg.DataError, match="wait for a proof"):
        await scene.archive.kept.mark_passed(size)

    await scene.keep()
    assert await scene.archive.kept.read_passed() == size


async def test_a_proof_that_was_planted_before_is_told(scene: Scene) -> None:
    await play_to_the_end(scene.api)
    await scene.notarise()
    version = len(await scene.rig.store.read_stream(GAME, after=StreamVersion(0), limit=1_000))
    planted = KeptProof(version=StreamVersion(version), last_proof=b"rubbish\n", first_seat_proof=None, policy=b"")
    await scene.archive.kept.keep(GAME, planted)

    with pytest.raises(PlantedProof, match=GAME):
        await scene.keep()


async def test_a_planted_cosignature_is_passed_by(scene: Scene) -> None:
    archive = scene.with_quorum()
    await play_to_the_end(scene.api)
    await scene.notarise()
    newest = await archive.ledger.find_checkpoint()
    assert newest is not None
    size, line = newest.checkpoint.tree_size, format_signatures((WITNESS.cosign("of another text\n"),))
    await scene.rig.ledger.cosign(ORIGIN, tree_size=size, witness="club", line=line)
    await look_through(archive)
    before = await archive.kept.find(GAME)

    await scene.rig.play()
    await scene.notarise()
    await scene.cosign()
    while await look_through(archive):
        pass

    assert before is None
    assert await archive.kept.find(GAME) is not None


async def test_what_was_kept_once_stays_whatever_the_ledger_and_its_witnesses_say_later(scene: Scene) -> None:
    await play_to_the_end(scene.api)
    await scene.notarise()
    first = await scene.keep()
    assert first is not None
    await scene.cosign()

    await scene.archive.kept.keep(GAME, replace(first, last_proof=b"another\n", policy=b"another\n"))

    assert await scene.archive.kept.find(GAME) == first


async def test_a_game_waits_for_the_quorum_and_gets_the_first_checkpoint_that_has_it(scene: Scene) -> None:
    archive = scene.with_quorum()
    await play_to_the_end(scene.api)
    await scene.notarise()
    await look_through(archive)
    unseen = await archive.kept.find(GAME)
    await scene.rig.play()
    await scene.notarise()
    size = await scene.cosign()
    await scene.rig.play()
    await scene.notarise()
    await scene.cosign()

    while await look_through(archive):
        pass

    kept = await archive.kept.find(GAME)
    assert unseen is None
    assert kept is not None
    assert parse_proof(kept.last_proof).signed.checkpoint.tree_size == size


async def test_an_opening_that_must_be_witnessed_is_and_then_seats_can_be_taken(scene: Scene) -> None:
    ada = await register(scene.api, "Ada", number=1)
    await expect(ada.open(demands=["witnessed_opening"]), 201)
    early = await ada.take(0)
    await scene.notarise()

    await scene.keep()

    lines = (await ada.get("/events")).json()["items"]
    assert early.json()["type"].endswith("demand-not-met")
    assert [line["type"] for line in lines] == ["game_opened", "opening_witnessed"]
    assert lines[1]["by"] == "server"
    assert lines[1]["data"]["proof"].startswith("c2sp.org/tlog-proof@v1\nindex 0\n")
    await expect(ada.take(0), 200)


async def test_an_opening_that_demands_no_witness_is_left_alone(scene: Scene) -> None:
    ada = await register(scene.api, "Ada")
    await expect(ada.open(), 201)
    await scene.notarise()

    await scene.keep()

    assert (await ada.get()).json()["version"] == 1


@pytest.mark.parametrize(("demands", "written"), [(["witnessed_opening"], True), ([], False)])
async def test_a_tournament_that_demands_it_is_witnessed_before_anybody_enters(
    scene: Scene, demands: list[str], *, written: bool
) -> None:
    token = await scene.api.create_account(Account(id=ORGA, name="Orga", role="organiser"))
    organiser, ada = Player(scene.api, token, number=9), await register(scene.api, "Ada", number=1)
    await expect(organiser.post("/tournaments", {**OPEN_EXAMPLE, **TORCHES, "demands": demands}), 201)
    early = await ada.post(f"/tournaments/{TOURNAMENT}/entries", ENTER_EXAMPLE)
    await scene.notarise()

    await scene.keep()

    lines = (await scene.api.client.get(f"/v1/tournaments/{TOURNAMENT}/events")).json()["items"]
    assert (early.status_code, lines[1]["type"]) == (
        (422, "opening_witnessed") if written else (200, "entrant_entered")
    )
    if written:
        await expect(ada.post(f"/tournaments/{TOURNAMENT}/entries", {**ENTER_EXAMPLE, "command": str(uuid4())}), 200)


async def test_an_opening_waits_for_the_quorum_too(scene: Scene) -> None:
    archive = scene.with_quorum()
    ada = await register(scene.api, "Ada")
    await expect(ada.open(demands=["witnessed_opening"]), 201)
    await scene.notarise()
    await look_through(archive)
    before = (await ada.get()).json()["version"]
    await scene.cosign()

    await look_through(archive)

    assert (before, (await ada.get()).json()["version"]) == (1, 2)


def lost(handle: Callable[[GameCommand], Any], *, is_done: bool) -> Callable[[GameCommand], Any]:
    async def command(asked: GameCommand) -> object:
        if is_done:
            await handle(asked)
        raise StoreUnavailable("cut by the test")

    return command


@pytest.mark.parametrize("is_done", [False, True])
async def test_a_stop_at_an_opening_repeats_it_and_does_it_once(scene: Scene, *, is_done: bool) -> None:
    ada = await register(scene.api, "Ada")
    await expect(ada.open(demands=["witnessed_opening"]), 201)
    await scene.notarise()
    with pytest.raises(StoreUnavailable):
        await look_through(replace(scene.archive, command=lost(scene.archive.command, is_done=is_done)))

    await scene.keep()

    assert (await ada.get()).json()["version"] == 2


class Unmarked(KeptProofs):
    async def mark_passed(self, index: int) -> None:
        raise StoreUnavailable(f"cut by the test at {index}")


async def test_a_stop_before_the_place_is_marked_keeps_the_same_proofs_again(scene: Scene) -> None:
    await play_to_the_end(scene.api)
    await scene.notarise()
    with pytest.raises(StoreUnavailable):
        await look_through(replace(scene.archive, kept=Unmarked(Queries(scene.pool))))
    before = await scene.archive.kept.find(GAME)
    await scene.rig.play()
    await scene.notarise()

    after = await scene.keep()

    assert before is not None
    assert after == before


async def test_an_opening_that_is_over_before_it_was_witnessed_holds_nobody_up(scene: Scene) -> None:
    await open_and_abort(scene.api, demands=["witnessed_opening"])
    await scene.notarise()

    kept = await scene.keep()

    assert kept is not None
    assert await scene.archive.kept.read_passed() == (await scene.rig.ledger.read_head()).tree_size


async def test_a_long_ledger_is_looked_through_in_steps(scene: Scene) -> None:
    await scene.rig.play(games=3, lines=LEAVES_MAX // 2)
    await play_to_the_end(scene.api)
    await scene.notarise()

    steps = []
    while count := await look_through(scene.archive):
        steps.append(count)

    assert sum(steps) == (await scene.rig.ledger.read_head()).tree_size
    assert max(steps) == LEAVES_MAX
    assert await scene.archive.kept.find(GAME) is not None
