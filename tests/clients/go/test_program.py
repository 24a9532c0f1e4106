"""The ledger to a program by other hands: golang.org/x/mod/sumdb reads its tiles, checks its proofs and cosigns it."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from hashlib import sha256
from pathlib import Path

import msgspec
import pytest
from httpx2 import AsyncClient
from litestar import Litestar

from domain.ledger.add_checkpoint import parse_add_checkpoint
from domain.ledger.checkpoint import SignedCheckpoint, parse_signed_checkpoint
from domain.ledger.note import Note, parse_signatures
from domain.ledger.note_key import format_note_key
from domain.ledger.policy import PolicyWitness
from domain.ledger.signers import check_signed
from domain.ledger.spelling import Misspelt
from domain.ledger.tiles import (
    Bundle,
    decode_bundle,
    encode_bundle,
    format_bundle_path,
    format_tile_path,
    tiles_between,
)
from domain.ledger.witness import Answer as Judged
from domain.ledger.witness import Cosign, LogMemory, WatchedLog, decide_cosigning, refuse_malformed
from infra.ledger_keys import derive_log_signer
from infra.settings import Settings
from services.ledger.cosigning import Cosigning, ask
from services.ledger.proofs import LedgerProofs
from services.node.http_server import Hooks, StopSignal, base_url, held_port, serve_http
from tests.clients.go.fixed_ledger import (
    SIZE,
    build_dialogue,
    build_entries,
    build_entry,
    build_files,
    hold,
    serving,
)
from tests.clients.go.program import (
    VECTORS,
    GoFailed,
    Vectors,
    ask_program,
    hash_sources,
    read_log,
    witnessing,
)
from tests.database import Database
from tests.domain.ledger.signing import LOG, WITNESS
from tests.services.api.player import seat_two
from tests.services.api.server import running_api
from tests.services.ledger.ledger_harness import KEY, Rig, open_rig

GO = msgspec.json.decode(VECTORS.read_bytes(), type=Vectors)
SIGNER = derive_log_signer(KEY, Settings().origin)


def test_the_kept_answers_are_those_of_this_program() -> None:
    assert GO.program == hash_sources(), "run: .venv/bin/python -m tests.clients.go.program"


def test_a_ledger_of_a_hundred_thousand_entries_is_the_same_to_both() -> None:
    files = build_files()

    signed = parse_signed_checkpoint(files["checkpoint"])

    bundles = [path for path in files if path.startswith("tile/entries/")]
    tiles = [format_tile_path(tile) for tile in tiles_between(0, SIZE)]
    assert GO.read == {
        "origin": LOG.key.name,
        "size": SIZE,
        "root": signed.checkpoint.root.hex(),
        "tiles": len(tiles),
        "bundles": len(bundles),
        "files": sha256(b"".join(b"%b\n%b" % (path.encode(), files[path]) for path in tiles)).hexdigest(),
        "streams": 589,
        "proofs": 0,
        "hidden": 0,
        "witnesses": 0,
    }


def test_a_witness_in_go_decides_as_the_witness_of_this_project() -> None:
    log, memory = WatchedLog(origin=LOG.key.name, keys=(LOG.key,)), LogMemory()
    for step, go in zip(build_dialogue(), GO.witness, strict=True):
        judged: Judged
        try:
            request = parse_add_checkpoint(step.body)
        except Misspelt as error:
            judged = refuse_malformed(error)
        else:
            memory, judged = (verdict := decide_cosigning(log, memory, request)).memory, verdict.answer

        if isinstance(judged, Cosign):
            lines = parse_signatures(go.body)
            assert (go.about, go.status) == (step.about, 200)
            assert check_signed(Note(text=judged.signed.note.text, signatures=lines), [WITNESS.key])
        else:
            assert (go.about, go.status) == (step.about, int(judged.reason))
            assert go.status != 409 or go.body.encode() == judged.body


def test_the_program_answers_as_it_was_kept(tmp_path: Path) -> None:
    asked = ask_program(tmp_path)

    def told(vectors: Vectors) -> list[tuple[str, int, str]]:
        # A cosignature has the time of its signing.
        return [
            (answer.about, answer.status, answer.body if answer.status != 200 else "") for answer in vectors.witness
        ]

    assert asked.read == GO.read
    assert told(asked) == told(GO)


def test_the_program_refuses_a_ledger_in_which_one_byte_differs() -> None:
    entries = build_entries()[:600]
    twice = (*entries, build_entry(599))
    bundle = format_bundle_path(Bundle(index=1, width=256))
    files = build_files(entries)
    changed = decode_bundle(files[bundle], width=256)
    changed[7] = build_entry(7)
    refusals = {
        "expected entries of the root": files | {bundle: encode_bundle(changed)},
        "tile/0/001: expected the hashes of the entries": files | {"tile/0/001": files["tile/0/000"]},
        "tile/1/000.p/2: expected the hashes": files | {"tile/1/000.p/2": files["tile/0/000"][:64]},
        "invalid signature": files | {"checkpoint": files["checkpoint"].replace(b"\n600\n", b"\n601\n")},
        "entry 600: expected line 91": build_files(twice),
    }

    for said, shown in refusals.items():
        with serving(shown) as url, pytest.raises(GoFailed, match=said):
            read_log(url)


def test_the_program_reads_the_full_tile_of_a_ledger_that_has_grown_since_its_checkpoint() -> None:
    shown = build_files(build_entries()[:600])
    grown = build_files(build_entries()[:1_000])
    gone = {path for path in shown if "/002.p/88" in path}
    assert len(gone) == 2

    with serving(shown) as url:
        expected = read_log(url)
    with serving({path: raw for path, raw in (grown | shown).items() if path not in gone}) as url:
        found = read_log(url)

    assert found == expected


def test_two_histories_that_were_shown_to_two_witnesses_are_caught(tmp_path: Path) -> None:
    first, *_ = build_dialogue()
    one, two = build_entries()[:300], build_entries()[1:301]
    with witnessing(tmp_path / "one") as asked_one, witnessing(tmp_path / "two") as asked_two:
        assert hold(asked_one, first).status == 200
        shown = b"old 0\n\n" + build_files(two)["checkpoint"]
        assert hold(asked_two, msgspec.structs.replace(first, body=shown)).status == 200

        with serving(build_files(one)) as url:
            honest = read_log(url, "-witness", asked_one)
            with pytest.raises(GoFailed, match="two histories: at size 300"):
                read_log(url, "-witness", asked_one, "-witness", asked_two)

    assert honest["witnesses"] == 1


@asynccontextmanager
async def listening(app: Litestar) -> AsyncIterator[str]:
    ready, stop = asyncio.Event(), StopSignal()
    with held_port("127.0.0.1", 0) as listener:
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(serve_http(app, listener, stop=stop, hooks=Hooks(on_ready=ready.set)))
            await ready.wait()
            try:
                yield base_url(listener)
            finally:
                stop.give()


async def cosign(rig: Rig, client: AsyncClient, witness: PolicyWitness) -> SignedCheckpoint:
    """Publish a checkpoint, and have it cosigned as the notary does."""
    await rig.notarise(rig.notary_parts(origin=SIGNER.origin))
    stored = await rig.ledger.find_checkpoint(SIGNER.origin)
    assert stored is not None
    signed = parse_signed_checkpoint(stored.note)
    cosigning = Cosigning(ledger=rig.ledger, proofs=LedgerProofs(rig.ledger), client=client, log_key=SIGNER.key)
    line = await ask(cosigning, witness, signed, old_size=0)
    assert check_signed(Note(text=signed.note.text, signatures=parse_signatures(line)), [witness.key])
    return signed


async def test_a_server_is_read_and_cosigned_and_each_of_its_proofs_checked(database: Database, tmp_path: Path) -> None:
    vkey = format_note_key(SIGNER.key)
    async with running_api(database) as api, open_rig(database, tmp_path) as rig, listening(api.app) as url:
        with witnessing(tmp_path / "witness", vkey=vkey) as address:
            async with AsyncClient() as client:
                witness = PolicyWitness(name="go", key=WITNESS.key, url=address)
                await rig.play(games=2, lines=150)
                await cosign(rig, client, witness)
                await seat_two(api)
                signed = await cosign(rig, client, witness)

            arguments = ("-witness", address, "-proofs", "1")
            found = await asyncio.to_thread(read_log, f"{url}/v1/ledger", *arguments, vkey=vkey)

    shown = signed.checkpoint.tree_size - 302
    assert found | {"root": "", "files": "", "tiles": 0} == {
        "origin": SIGNER.origin,
        "size": signed.checkpoint.tree_size,
        "root": "",
        "tiles": 0,
        "bundles": 2,
        "files": "",
        "streams": 3,
        "proofs": shown,
        "hidden": 302,
        "witnesses": 1,
    }
