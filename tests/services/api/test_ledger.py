"""The ledger over HTTP: its public parts, the parts that need the right to see an event, and receipts."""

from collections.abc import AsyncIterator
from pathlib import Path

import msgspec
import pytest
from httpx2 import Response

from domain.ids import StreamVersion
from domain.ledger.checkpoint import parse_signed_checkpoint
from domain.ledger.leaf import build_leaf, format_leaf, hash_leaf, parse_leaf
from domain.ledger.merkle import GrowingTree
from domain.ledger.policy import evaluate
from domain.ledger.policy_file import parse_policy
from domain.ledger.proof import check_proof, parse_proof
from domain.ledger.receipt import SignedReceipt, is_receipt_signed_by
from domain.ledger.tiles import (
    bundles_between,
    decode_bundle,
    decode_tile,
    format_bundle_path,
    format_tile_path,
    tiles_between,
)
from domain.log.record import line_hash
from infra.settings import Settings
from tests.appends import following, new_game, opening
from tests.database import Database
from tests.services.api.player import GAME, Player, expect, register, seat_two
from tests.services.api.server import Api
from tests.services.api.test_problems import problem_of
from tests.services.ledger.ledger_harness import Rig, open_rig


@pytest.fixture
async def rig(database: Database, tmp_path: Path) -> AsyncIterator[Rig]:
    async with open_rig(database, tmp_path) as rig:
        yield rig


async def notarise(rig: Rig) -> None:
    await rig.notarise(rig.notary_parts(origin=Settings().origin))


async def get(api: Api, path: str) -> Response:
    return await api.client.get(f"/v1/ledger/{path}")


async def get_proof(player: Player, version: int) -> Response:
    return await player.api.client.get(f"/v1/ledger/proofs/{player.game}/{version}", headers=player.headers)


async def test_before_the_first_checkpoint_there_is_nothing(api: Api) -> None:
    answers = [await get(api, path) for path in ("checkpoint", "tile/0/000", "tile/entries/000.p/1")]

    assert [problem_of(answer) for answer in answers] == [(404, "not-found")] * 3


async def test_the_checkpoint_is_by_the_key_that_the_policy_names(api: Api, rig: Rig) -> None:
    await seat_two(api)
    await notarise(rig)

    answer = await get(api, "checkpoint")
    policy = parse_policy((await get(api, "policy")).content)

    assert answer.headers["content-type"] == "text/plain; charset=utf-8"
    assert answer.headers["cache-control"] == "public, max-age=1"
    assert evaluate(policy, parse_signed_checkpoint(answer.content)).is_trusted


async def test_tiles_and_entries_lead_to_the_root_of_the_checkpoint(api: Api, rig: Rig) -> None:
    for _ in range(3):
        await rig.append(opening(new_game()))
        await rig.append(following(rig.last[list(rig.last)[-1]], 199))
    await notarise(rig)
    checkpoint = parse_signed_checkpoint((await get(api, "checkpoint")).content).checkpoint

    tree, hashes = GrowingTree(), []
    for bundle in bundles_between(0, checkpoint.tree_size):
        answer = await get(api, format_bundle_path(bundle))
        assert (answer.headers["content-type"], answer.headers["cache-control"]) == (
            "application/octet-stream",
            "public, max-age=31536000, immutable",
        )
        hashes += [hash_leaf(parse_leaf(raw)) for raw in decode_bundle(answer.content, width=bundle.width)]
    for leaf in hashes:
        tree.append(leaf)
    tiles = {tile: (await get(api, format_tile_path(tile))).content for tile in tiles_between(0, 600)}
    lowest = [each for tile, raw in tiles.items() if tile.level == 0 for each in decode_tile(raw, width=tile.width)]

    assert checkpoint.tree_size == 600
    assert tree.root() == checkpoint.root
    assert lowest == hashes
    assert [tile.width for tile in tiles if tile.level == 1] == [2]


@pytest.mark.parametrize(
    "path",
    [
        "tile/0/001",
        "tile/0/000.p/13",
        "tile/0/000.p/0",
        "tile/0/0",
        "tile/1/000.p/1",
        "tile/entries/000.p/13",
        "tile/x",
    ],
)
async def test_what_is_not_under_the_checkpoint_is_not_there(api: Api, rig: Rig, path: str) -> None:
    await rig.play()
    for append in list(rig.last.values())[1:]:
        assert append.last_version == 5
    await notarise(rig)
    await rig.play()

    narrower = await get(api, "tile/0/000.p/12")
    missing = await get(api, path) if "13" not in path else await get(api, path.replace("13", "16"))

    assert narrower.status_code == 200
    assert problem_of(missing) == (404, "not-found")


async def test_a_proof_shows_that_a_line_is_in_the_ledger(api: Api, rig: Rig) -> None:
    ada, _bob = await seat_two(api)
    await notarise(rig)
    lines = (await ada.get("/events", headers={"accept": "application/x-ndjson"})).content.splitlines()

    answers = [await get_proof(Player(api, None), version) for version in range(1, len(lines) + 1)]

    for version, (raw, answer) in enumerate(zip(lines, answers, strict=True), start=1):
        leaf = build_leaf(bytes(range(32)), stream=GAME, version=StreamVersion(version), line=line_hash(raw))
        check_proof(parse_proof(answer.content), format_leaf(leaf))
    assert answers[0].headers["content-disposition"] == f'attachment; filename="{GAME}-1.tlog-proof"'


async def test_a_proof_stays_under_the_first_checkpoint_that_covers_it(api: Api, rig: Rig) -> None:
    await seat_two(api)
    await notarise(rig)
    before = await get_proof(Player(api, None), 1)
    await rig.play()
    await notarise(rig)

    after = await get_proof(Player(api, None), 1)

    assert after.content == before.content


async def test_an_event_that_no_checkpoint_covers_has_no_proof_yet(api: Api) -> None:
    ada, _bob = await seat_two(api)

    answer = await get_proof(ada, 1)

    assert problem_of(answer) == (404, "not-yet-in-ledger")


async def test_whoever_may_not_see_an_event_gets_no_proof_of_it(api: Api, rig: Rig) -> None:
    ada = await register(api, "Ada")
    await expect(ada.open(visibility="private"), 201)
    stranger = await register(api, "Cem", number=3)
    await notarise(rig)

    refused = [await get_proof(player, 1) for player in (stranger, Player(api, None))]
    given = await get_proof(ada, 1)

    assert [problem_of(response) for response in refused] == [(404, "no-such-game")] * 2
    assert given.status_code == 200
    assert given.headers["cache-control"].startswith("private")


async def test_a_spectator_gets_the_proof_when_the_delay_has_passed(api: Api, rig: Rig) -> None:
    ada = await register(api, "Ada")
    await expect(ada.open(delay_s=60), 201)
    api.clock.now_ms += 30_000
    await expect(ada.take(0), 200)
    await notarise(rig)
    api.clock.now_ms += 31_000

    early = await get_proof(Player(api, None), 2)
    api.clock.now_ms += 31_000
    late = await get_proof(Player(api, None), 2)

    assert problem_of(early) == (404, "no-such-version")
    assert late.status_code == 200


async def test_an_accepted_command_is_answered_with_the_receipt_of_the_ledger_for_its_last_line(api: Api) -> None:
    ada = await register(api, "Ada")
    opened = await expect(ada.open(), 201)
    taken = await expect(ada.take(0), 200)
    (log,) = parse_policy((await get(api, "policy")).content).logs

    for answer in (opened, taken):
        receipt = msgspec.convert(answer["receipt"], SignedReceipt)
        assert (receipt.hash, receipt.version, receipt.at) == (answer["head"], answer["last_version"], answer["at"])
        assert (receipt.stream, receipt.ledger) == (GAME, log.key.name)
        assert is_receipt_signed_by(receipt, log.key.public_key.hex())


async def test_a_command_sent_again_gets_the_same_receipt(api: Api) -> None:
    ada = await register(api, "Ada")

    answers = [await ada.open(), await ada.open()]

    assert answers[0].json() == answers[1].json()
    assert answers[0].json()["receipt"] is not None
