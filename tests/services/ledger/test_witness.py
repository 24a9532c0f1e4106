"""The witness and the log it watches, over HTTP both ways: it cosigns what extends, and never forgets a fork."""

import gzip
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import pytest
from httpx2 import ASGITransport, AsyncClient, MockTransport, Response
from msgspec import Struct

from domain.ids import StreamId, StreamVersion
from domain.ledger.checkpoint import parse_signed_checkpoint
from domain.ledger.fork import check_fork
from domain.ledger.leaf import Leaf, format_leaf
from domain.ledger.note import NOTE_SIZE_MAX, NoteSignature
from domain.ledger.policy import Policy, PolicyWitness, evaluate
from domain.ledger.signers import check_signed
from domain.ledger.tiles import Bundle, encode_bundle, format_bundle_path
from domain.ledger.witness import Cosign, Refuse, WatchedLog
from infra.ledger_keys import WitnessSigner, derive_log_signer
from infra.settings import Settings
from infra.witness_files import MemoryDamaged, WitnessFiles, hash_origin
from services.ledger.cosigning import Cosigning, WitnessRefused, ask, fetch_latest
from services.ledger.proofs import LedgerProofs
from services.ledger.public_ledger import PublicLedger, build_policy
from services.ledger.signed_memory import OlderLedger
from services.ledger.watching import RemoteLog, look
from services.ledger.witness import Witness
from services.ledger.witness_app import build_witness_app
from services.workers.notary_standby import check_witnesses
from tests.appends import following, new_game, opening
from tests.database import Database
from tests.services.api.server import running_api
from tests.services.ledger.ledger_harness import KEY, Rig, open_rig
from tests.services.ledger.operators_log import OperatorsLog, client_over

ORIGIN = Settings().origin
NAME = "witness.test/w1"
URL = "http://spina.test"
LOG_URL = f"{URL}/v1/ledger"
STREAM = StreamId("0199c0de-0000-7000-8000-000000000001")
NOON_S = 1_795_003_200
LOG = derive_log_signer(KEY, ORIGIN)


def client_of(app: Any) -> AsyncClient:
    return AsyncClient(transport=ASGITransport(app=app), base_url=URL)


class Scene(Struct, frozen=True):
    """A witness, and the log that it looks at before it answers."""

    witness: Witness
    log: RemoteLog
    client: AsyncClient
    stack: AsyncExitStack

    async def remote(self, database: Database) -> RemoteLog:
        api = await self.stack.enter_async_context(running_api(database))
        return RemoteLog(api.client, LOG_URL)

    def cosigning(self, rig: Rig) -> Cosigning:
        return Cosigning(ledger=rig.ledger, proofs=LedgerProofs(rig.ledger), client=self.client, log_key=LOG.key)

    @property
    def known(self) -> PolicyWitness:
        return PolicyWitness(name="w1", key=self.witness.signer.key, url=f"{URL}/")


def build_witness(folder: Path, *, now_s: Callable[[], int] = lambda: NOON_S) -> Witness:
    files = WitnessFiles(folder)
    log = WatchedLog(origin=ORIGIN, keys=(LOG.key,))
    return Witness(logs=(log,), signer=files.read_signer(NAME), files=files, now_s=now_s)


@pytest.fixture
async def scene(tmp_path: Path, database: Database) -> AsyncIterator[Scene]:
    witness = build_witness(tmp_path / "witness")
    async with AsyncExitStack() as stack:
        api = await stack.enter_async_context(running_api(database))
        log = RemoteLog(api.client, LOG_URL)
        client = await stack.enter_async_context(client_of(build_witness_app(witness, log)))
        yield Scene(witness, log, client, stack)


async def notarise(rig: Rig) -> None:
    await rig.notarise(rig.notary_parts(origin=ORIGIN))


async def grow_to(rig: Rig, size: int) -> None:
    """Let one game move until the ledger has that many leaves."""
    if not rig.last:
        await rig.append(opening(new_game()))
    last = next(iter(rig.last.values()))
    if last.last_version < size:
        await rig.append(following(last, size - last.last_version))
    await notarise(rig)


async def newest(rig: Rig) -> Any:
    stored = await rig.ledger.find_checkpoint(ORIGIN)
    assert stored is not None
    return parse_signed_checkpoint(stored.note)


async def test_a_witness_that_is_asked_cosigns_and_the_quorum_is_met(scene: Scene, rig: Rig) -> None:
    given = Policy(logs=(), witnesses=(scene.known,), groups=(), quorum="w1")
    policy = build_policy(LOG, given)
    for size in (3, 8, 300):
        await grow_to(rig, size)
        signed = await newest(rig)
        assert not evaluate(policy, signed).is_trusted

        line = await ask(scene.cosigning(rig), scene.known, signed, old_size=0)
        await rig.ledger.cosign(ORIGIN, tree_size=size, witness="w1", line=line)

        assert evaluate(policy, await newest(rig)).is_trusted
        assert evaluate(policy, await newest(rig)).sightings[0].time_s == NOON_S


async def test_a_witness_that_looks_cosigns_without_being_asked(scene: Scene, rig: Rig, database: Database) -> None:
    remote = await scene.remote(database)
    answers = []
    for size in (4, 4, 260, 600):
        await grow_to(rig, size)
        answers.append(await look(scene.witness, remote))

    latest = scene.witness.recall(ORIGIN).latest
    assert all(isinstance(answer, Cosign) for answer in answers)
    assert latest is not None
    assert latest.checkpoint.tree_size == 600


async def test_the_latest_checkpoint_is_shown_with_both_signatures(scene: Scene, rig: Rig, database: Database) -> None:
    await grow_to(rig, 5)
    await look(scene.witness, await scene.remote(database))

    shown = await scene.client.get(f"/{hash_origin(ORIGIN)}/checkpoint")
    fetched = await fetch_latest(scene.cosigning(rig), scene.known)

    keys = (LOG.key, scene.witness.signer.key)
    assert len(check_signed(parse_signed_checkpoint(shown.content).note, keys)) == 2
    assert fetched == (await newest(rig)).checkpoint


@pytest.mark.parametrize(("seen", "shown"), [(4, 4), (4, 9), (5, 5), (5, 9), (256, 300)])
async def test_a_fork_is_refused_for_ever_and_its_evidence_kept(
    scene: Scene, rig: Rig, database: Database, other_database: Database, seen: int, shown: int
) -> None:
    honest = await scene.remote(database)
    await grow_to(rig, seen)
    assert isinstance(await look(scene.witness, honest), Cosign)
    async with open_rig(other_database, rig.folder / "elsewhere") as forked:
        await grow_to(forked, shown)
        refused = await look(scene.witness, await scene.remote(other_database))
    await grow_to(rig, shown + 5)
    again = build_witness(rig.folder / "witness")

    later = await look(again, honest)

    fork = again.recall(ORIGIN).fork
    assert isinstance(refused, Refuse)
    assert isinstance(later, Refuse)
    assert int(later.reason) == 422
    assert fork is not None
    check_fork(fork, (LOG.key,))
    assert again.files.evidence_path(hash_origin(ORIGIN)).read_bytes().startswith(b"older:\n")
    assert (await scene.client.get(f"/{hash_origin(ORIGIN)}/fork")).content.startswith(b"older:\n")
    assert (await scene.client.get(f"/{hash_origin(ORIGIN)}/checkpoint")).status_code == 404


def leaves(*versions: int, stream: StreamId = STREAM, mac: str = "ab" * 32) -> list[bytes]:
    return [format_leaf(Leaf(stream=stream, version=StreamVersion(version), mac=mac)) for version in versions]


async def test_a_log_that_has_a_line_twice_is_not_cosigned(tmp_path: Path) -> None:
    witness, log = build_witness(tmp_path), OperatorsLog(LOG, leaves(1, 2, 3))
    async with client_over(log.answer) as client:
        seen = RemoteLog(client, LOG_URL)
        honest = await look(witness, seen)
        log.entries += leaves(3, mac="cd" * 32)

        answers = [await look(each, RemoteLog(client, LOG_URL)) for each in (witness, build_witness(tmp_path))]
        answers.append(await look(witness, seen))

    assert isinstance(honest, Cosign)
    for answer in answers:
        assert isinstance(answer, Refuse)
        assert answer.body == b"entry 3 is line 3 of %b, whose next line is 4\n" % STREAM.encode()
    latest = witness.recall(ORIGIN).latest
    assert latest is not None
    assert latest.checkpoint.tree_size == 3


async def test_a_log_whose_entries_are_not_those_of_its_tree_is_not_cosigned(tmp_path: Path) -> None:
    witness, log = build_witness(tmp_path), OperatorsLog(LOG, leaves(1, 2, 3))
    hidden = {
        f"/v1/ledger/{format_bundle_path(Bundle(index=0, width=3))}": encode_bundle(leaves(1, 2, 3, mac="0" * 64))
    }
    async with client_over(log.answer) as client:
        log.others = hidden
        refused = await look(witness, remote := RemoteLog(client, LOG_URL))
        log.others = {}
        mended = await look(witness, remote)

    assert isinstance(refused, Refuse)
    assert b"do not lead to the root of 3 leaves" in refused.body
    assert isinstance(mended, Cosign)


async def test_a_witness_that_is_asked_reads_the_entries_first(scene: Scene, rig: Rig) -> None:
    await grow_to(rig, 5)
    broken = AsyncClient(transport=MockTransport(lambda _: Response(503)))
    app = build_witness_app(scene.witness, RemoteLog(broken, LOG_URL))
    async with client_of(app) as client, broken:
        cosigning = Cosigning(ledger=rig.ledger, proofs=LedgerProofs(rig.ledger), client=client, log_key=LOG.key)

        with pytest.raises(WitnessRefused, match="entries cannot be read"):
            await ask(cosigning, scene.known, await newest(rig), old_size=0)

    assert scene.witness.recall(ORIGIN).latest is None


@pytest.mark.parametrize("is_packed", [False, True])
async def test_a_witness_that_answers_without_end_costs_little_memory(
    scene: Scene, rig: Rig, *, is_packed: bool
) -> None:
    await grow_to(rig, 5)
    sent: list[int] = []

    async def pieces() -> AsyncIterator[bytes]:
        while True:
            sent.append(65_536)
            yield bytes(65_536)

    headers = {"content-encoding": "gzip"} if is_packed else {}
    endless = MockTransport(lambda _: Response(200, content=pieces(), headers=headers))
    async with AsyncClient(transport=endless) as client:
        cosigning = Cosigning(ledger=rig.ledger, proofs=LedgerProofs(rig.ledger), client=client, log_key=LOG.key)
        with pytest.raises(WitnessRefused, match="found more"):
            await ask(cosigning, scene.known, await newest(rig), old_size=0)

    assert sum(sent) <= NOTE_SIZE_MAX + 65_536


async def test_an_answer_of_a_log_is_never_unpacked() -> None:
    packed = gzip.compress(bytes(1_000_000))

    async def piece() -> AsyncIterator[bytes]:
        yield packed

    transport = MockTransport(lambda _: Response(200, content=piece(), headers={"content-encoding": "gzip"}))
    async with AsyncClient(transport=transport) as client:
        found = await RemoteLog(client, LOG_URL).fetch(f"{LOG_URL}/checkpoint", size_max=NOTE_SIZE_MAX)

    assert found == packed


async def test_a_log_that_shrank_is_refused_and_forgiven_when_it_is_back(
    scene: Scene, rig: Rig, database: Database
) -> None:
    remote = await scene.remote(database)
    await grow_to(rig, 5)
    old = await newest(rig)
    await grow_to(rig, 9)
    await look(scene.witness, remote)

    with pytest.raises(WitnessRefused, match="seen 9"):
        await ask(scene.cosigning(rig), scene.known, old, old_size=0)

    assert isinstance(await look(scene.witness, remote), Cosign)


async def test_a_restored_database_is_found_out_by_a_witness(scene: Scene, rig: Rig, other_database: Database) -> None:
    await grow_to(rig, 9)
    await ask(scene.cosigning(rig), scene.known, await newest(rig), old_size=0)
    async with open_rig(other_database, rig.folder / "elsewhere") as restored:
        await grow_to(restored, 5)
        memory = restored.notary_parts(origin=ORIGIN).build_memory()

        with pytest.raises(OlderLedger, match="witness w1"):
            await check_witnesses(scene.cosigning(restored), [scene.known], memory)


class Interrupted(Exception):
    """The power went."""


class InterruptedSigner(WitnessSigner):
    def cosign(self, text: str, *, time_s: int) -> NoteSignature:
        raise Interrupted(text, time_s)


async def test_what_is_cosigned_is_remembered_before_it_is_told(scene: Scene, rig: Rig) -> None:
    whole = build_witness(rig.folder / "witness")
    signer = InterruptedSigner(NAME, bytes(range(32)))
    witness = Witness(logs=whole.logs, signer=signer, files=whole.files, now_s=whole.now_s)
    await grow_to(rig, 5)
    async with client_of(build_witness_app(witness, scene.log)) as client:
        cosigning = Cosigning(ledger=rig.ledger, proofs=LedgerProofs(rig.ledger), client=client, log_key=LOG.key)
        known = PolicyWitness(name="w1", key=signer.key, url=URL)

        with pytest.raises(WitnessRefused):
            await ask(cosigning, known, await newest(rig), old_size=0)

    latest = whole.recall(ORIGIN).latest
    assert latest is not None
    assert latest.checkpoint.tree_size == 5


async def test_a_clock_that_is_moved_back_changes_the_time_alone(scene: Scene, rig: Rig, database: Database) -> None:
    remote = await scene.remote(database)
    await grow_to(rig, 5)
    await look(scene.witness, remote)
    earlier = build_witness(rig.folder / "witness", now_s=lambda: NOON_S - 86_400)
    await grow_to(rig, 9)

    answer = await look(earlier, remote)

    assert isinstance(answer, Cosign)
    assert answer.signed.checkpoint.tree_size == 9


async def test_a_memory_that_was_cut_is_no_fresh_start(scene: Scene, rig: Rig, database: Database) -> None:
    remote = await scene.remote(database)
    await grow_to(rig, 5)
    await look(scene.witness, remote)
    path = rig.folder / "witness" / f"{hash_origin(ORIGIN)}.json"
    whole = path.read_bytes()

    for size in range(0, len(whole), 50):
        path.write_bytes(whole[:size])
        with pytest.raises(MemoryDamaged):
            await look(scene.witness, remote)


@pytest.mark.parametrize("body", [b"", b"old x\n\n", b"\xff" * 100])
async def test_what_is_no_request_is_malformed(scene: Scene, body: bytes) -> None:
    answer = await scene.client.post("/add-checkpoint", content=body)

    assert answer.status_code == 400


async def test_an_unknown_log_leaves_no_trace(scene: Scene, rig: Rig) -> None:
    await rig.play()
    await rig.notarise()
    stored = await rig.ledger.find_checkpoint(rig.notary_parts().signer.origin)
    assert stored is not None

    answer = await scene.client.post("/add-checkpoint", content=b"old 0\n\n" + stored.note)

    assert answer.status_code == 404
    assert not list((rig.folder / "witness").glob("*.json"))


def test_the_key_stays_the_same_and_is_nobody_elses(tmp_path: Path) -> None:
    first, second = WitnessFiles(tmp_path).read_signer(NAME), WitnessFiles(tmp_path).read_signer(NAME)

    assert first.key == second.key
    assert (tmp_path / "witness.key").stat().st_mode & 0o777 == 0o600


async def test_a_line_that_is_not_by_the_witness_is_not_kept(scene: Scene, rig: Rig) -> None:
    await grow_to(rig, 5)
    other = WitnessSigner(NAME, bytes(range(32)))
    expected = PolicyWitness(name="w1", key=other.key, url=URL)

    with pytest.raises(WitnessRefused, match="expected a signature by"):
        await ask(scene.cosigning(rig), expected, await newest(rig), old_size=0)


async def test_a_proof_is_under_the_first_checkpoint_that_has_the_quorum(scene: Scene, rig: Rig) -> None:
    given = Policy(logs=(), witnesses=(scene.known,), groups=(), quorum="w1")
    public = PublicLedger(
        ledger=rig.ledger,
        proofs=LedgerProofs(rig.ledger),
        policy=build_policy(LOG, given),
    )
    await grow_to(rig, 3)
    game = next(iter(rig.last))
    alone = await public.find_proof(game, StreamVersion(1))
    for size in (8, 11):
        await grow_to(rig, size)
        line = await ask(scene.cosigning(rig), scene.known, await newest(rig), old_size=0)
        await rig.ledger.cosign(ORIGIN, tree_size=size, witness="w1", line=line)

    proof = await public.find_proof(game, StreamVersion(1))

    assert alone is not None
    assert alone.signed.checkpoint.tree_size == 3
    assert proof is not None
    assert proof.signed.checkpoint.tree_size == 8
