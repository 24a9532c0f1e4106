"""The monitor of a ledger: it mirrors, resumes, compares with witnesses, and counts games by lines of the ledger."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from httpx2 import AsyncClient, ConnectError, Request, Response

from domain.accounts.account import Account
from domain.derived_ids import derive_record
from domain.ids import GameId, StreamId, StreamVersion
from domain.ledger.checkpoint import format_signed_checkpoint
from domain.ledger.leaf import Leaf, format_leaf
from domain.ledger.policy import QUORUM_NONE, Policy, PolicyLog, PolicyWitness
from domain.ledger.tiles import Bundle, bundles_between, format_bundle_path, format_tile_path, tiles_between
from infra.ledger_keys import derive_log_signer
from infra.settings import Settings
from infra.witness_files import MemoryDamaged, hash_origin
from services.ledger.monitoring import Look, Monitor, build_monitor
from tests.database import Database
from tests.domain.ledger.signing import WITNESS
from tests.services.api.player import Player, expect, seat_two
from tests.services.api.server import Api, running_api
from tests.services.ledger.ledger_harness import KEY, Rig
from tests.services.ledger.operators_log import OperatorsLog, client_over

SIGNER = derive_log_signer(KEY, Settings().origin)
STREAM = StreamId("0199c0de-0000-7000-8000-000000000001")
URL = "http://spina.test"
OTHER = "http://witness.test"
POLICY = Policy(
    logs=(PolicyLog(key=SIGNER.key),),
    witnesses=(PolicyWitness(name="w1", key=WITNESS.key, url=OTHER),),
    groups=(),
    quorum=QUORUM_NONE,
)

ALONE = Policy(logs=POLICY.logs, witnesses=(), groups=(), quorum=QUORUM_NONE)


def leaves(count: int, *, first: int = 1, mac: str = "ab" * 32) -> list[bytes]:
    versions = range(first, first + count)
    return [format_leaf(Leaf(stream=STREAM, version=StreamVersion(version), mac=mac)) for version in versions]


class World:
    """A ledger over HTTP, and a witness that has seen the same one or another; `asked` are all requests."""

    def __init__(self, entries: list[bytes]) -> None:
        self.log = OperatorsLog(SIGNER, entries)
        self.seen: list[bytes] | None = None
        self.asked: list[str] = []
        self.is_away = False
        self.gone: tuple[str, ...] = ()
        self.refused = 0

    def answer(self, request: Request) -> Response:
        self.asked.append(request.url.path)
        if self.is_away:
            raise ConnectError("away")
        if request.url.path.endswith(self.gone):
            return Response(404)
        if self.refused:
            self.refused -= 1
            return Response(429, headers={"retry-after": "1"})
        if request.url.host == "witness.test":
            seen = OperatorsLog(SIGNER, self.log.entries if self.seen is None else self.seen)
            return Response(200, content=format_signed_checkpoint(seen.signed))
        return self.log.answer(request)

    async def look(self, folder: Path) -> Look:
        async with client_over(self.answer) as client:
            return await open_monitor(client, folder).look()


def list_files(folder: Path) -> dict[str, Path]:
    return {path.relative_to(folder).as_posix(): path for path in folder.rglob("*") if path.is_file()}


def open_monitor(client: AsyncClient, folder: Path, policy: Policy = POLICY) -> Monitor:
    return build_monitor(client, URL, policy, folder, lambda _: None)


@pytest.mark.parametrize("sizes", [(3,), (256,), (700,), (5, 255, 1_000)])
async def test_a_mirror_is_the_files_of_the_ledger_and_nothing_else(tmp_path: Path, sizes: tuple[int, ...]) -> None:
    world = World([])
    for size in sizes:
        world.log.entries = leaves(size)
        found = await world.look(tmp_path)

    size = sizes[-1]
    paths = {format_tile_path(tile) for tile in tiles_between(0, size)}
    paths |= {format_bundle_path(bundle) for bundle in bundles_between(0, size)} | {"checkpoint"}
    mirrored = list_files(tmp_path)
    assert found == Look(tree_size=size, contradictions=(), unreached=())
    assert {path for path in mirrored if path.startswith(("tile/", "checkpoint"))} == paths
    for path in paths:
        shown = world.log.answer(Request("GET", f"{URL}/v1/ledger/{path}"))
        assert mirrored[path].read_bytes() == shown.content, path


def list_tiles(folder: Path, size: int) -> dict[str, bytes]:
    """Read the files that a mirror has of a ledger of this size."""
    paths = {format_tile_path(tile) for tile in tiles_between(0, size)}
    paths |= {format_bundle_path(bundle) for bundle in bundles_between(0, size)}
    found = list_files(folder)
    return {path: found[path].read_bytes() for path in paths & set(found)}


async def test_a_mirror_that_grows_keeps_the_files_of_earlier_checkpoints_until_their_tile_is_full(
    tmp_path: Path,
) -> None:
    world, shown = World([]), []
    for size in (300, 310, 320, 600):
        world.log.entries = leaves(size)
        await world.look(tmp_path)
        shown.append([list_tiles(tmp_path, earlier) for earlier in (300, 310)])

    # Of level 0 a full tile and a partial one with their bundles, and a partial one of level 1, which stays.
    assert [len(item) for item in shown[1]] == [5, 5]
    assert shown[2] == shown[1]
    assert [len(item) for item in shown[3]] == [3, 3]


async def test_a_mirror_keeps_no_file_of_a_checkpoint_that_was_refused(tmp_path: Path) -> None:
    world = World(leaves(300))
    await world.look(tmp_path)
    world.log.entries = [*leaves(300), *leaves(1, first=300)]
    refused = await world.look(tmp_path)
    world.log.entries = leaves(310)

    found = await world.look(tmp_path)

    assert (bool(refused.contradictions), found.contradictions) == (True, ())
    assert format_bundle_path(Bundle(index=1, width=45)) not in list_files(tmp_path)


async def test_a_monitor_goes_on_from_its_mirror(tmp_path: Path) -> None:
    world = World(leaves(600))
    await world.look(tmp_path)
    world.log.entries = leaves(700)
    world.asked.clear()

    found = await world.look(tmp_path)

    bundles = [path for path in world.asked if "entries" in path]
    assert found.tree_size == 700
    assert bundles == ["/v1/ledger/tile/entries/002.p/188"]


@pytest.mark.parametrize(
    ("name", "raw"), [("checkpoint", b"cut"), ("streams.ndjson", b"none\n"), ("tile/entries/000", None)]
)
async def test_a_mirror_that_was_damaged_is_no_fresh_start(tmp_path: Path, name: str, raw: bytes | None) -> None:
    world = World(leaves(300))
    await world.look(tmp_path)
    damaged = list_files(tmp_path).get(name, tmp_path / name)
    damaged.unlink(missing_ok=True) if raw is None else damaged.write_bytes(raw)
    world.log.entries, world.seen = leaves(700), leaves(299)

    with pytest.raises((MemoryDamaged, FileNotFoundError)) as refused:
        await world.look(tmp_path)

    assert name in str(refused.value)


async def test_a_log_that_has_filled_a_tile_since_its_checkpoint_is_read_by_the_full_tile(tmp_path: Path) -> None:
    world = World(leaves(260))
    await world.look(tmp_path)
    world.log.entries, world.gone = leaves(300), ("/0/001.p/44", "/entries/001.p/44")
    world.log.others = {"/v1/ledger/checkpoint": format_signed_checkpoint(world.log.signed)}
    world.log.entries = leaves(600)
    world.asked.clear()

    found = await world.look(tmp_path)

    assert found.tree_size == 300
    assert {f"/v1/ledger/tile{path}" for path in world.gone} <= set(world.asked)


async def test_a_busy_server_is_asked_again(tmp_path: Path) -> None:
    world = World(leaves(300))
    world.refused = 1

    found = await world.look(tmp_path)

    assert found == Look(tree_size=300, contradictions=(), unreached=())


async def test_a_server_that_is_away_contradicts_nothing(tmp_path: Path) -> None:
    world = World(leaves(5))
    await world.look(tmp_path)
    world.is_away = True

    found = await world.look(tmp_path)

    assert found.tree_size == 5
    assert found.contradictions == ()
    assert len(found.unreached) == 3


async def test_another_history_than_before_is_told_for_ever_with_its_evidence(tmp_path: Path) -> None:
    world = World(leaves(300))
    await world.look(tmp_path)
    for entries in (leaves(300, mac="cd" * 32), [*leaves(3), *leaves(400, first=4, mac="cd" * 32)], leaves(400)):
        world.log.entries = world.seen = entries
        found = await world.look(tmp_path)

        assert found.contradictions
        assert found.tree_size == 300

    assert (tmp_path / f"{hash_origin(SIGNER.origin)}.fork.txt").read_bytes().startswith(b"older:\n")


@pytest.mark.parametrize("seen", [3, 256, 300])
async def test_two_histories_shown_to_the_monitor_and_to_a_witness_are_found(tmp_path: Path, seen: int) -> None:
    world = World(leaves(300))
    honest = await world.look(tmp_path)
    world.seen = leaves(seen, mac="cd" * 32)

    found = await world.look(tmp_path)

    assert honest.contradictions == ()
    assert "has signed two histories" in found.contradictions[0]


async def test_a_witness_that_is_behind_or_ahead_contradicts_nothing(tmp_path: Path) -> None:
    world = World(leaves(300))
    for seen in (0, 1, 256, 299, 400):
        world.seen = leaves(seen)
        found = await world.look(tmp_path)

        assert (found.contradictions, found.tree_size) == ((), 300), seen


async def test_a_log_that_shows_less_than_before_is_told_only_where_it_is_another_one(tmp_path: Path) -> None:
    world = World(leaves(300))
    await world.look(tmp_path)
    world.log.entries = leaves(200)
    cached = await world.look(tmp_path)
    world.log.entries = leaves(200, mac="cd" * 32)

    rewritten = await world.look(tmp_path)

    assert cached.contradictions == ()
    assert "has signed two histories" in rewritten.contradictions[0]


async def test_a_line_that_is_logged_twice_is_told_and_not_mirrored(tmp_path: Path) -> None:
    world = World(leaves(300))
    await world.look(tmp_path)
    world.log.entries = [*leaves(300), *leaves(1, first=300, mac="cd" * 32)]

    found = await world.look(tmp_path)

    assert found.tree_size == 300
    assert f"entry 300 is line 300 of {STREAM}, whose next line is 301" in found.contradictions[0]


@pytest.fixture
async def api(database: Database) -> AsyncIterator[Api]:
    async with running_api(database) as api:
        yield api


async def test_games_are_counted_by_opener_and_end_and_not_asked_about_again(
    api: Api, rig: Rig, tmp_path: Path
) -> None:
    ada, bob = await seat_two(api)
    operator = Player(
        api,
        await api.create_account(Account(id="0199c0de-0000-7000-8000-0000000000f1", name="Opa", role="operator")),
        number=3,
    )
    await expect(operator.command("abort", reason="the hall was cleared"), 200)
    ada_game = str(ada.game)
    games = [GameId(StreamId(f"0199c0de-0000-7000-8000-00000000000{number}")) for number in (2, 3, 4)]
    for player, game, terms in zip((ada, bob, ada), games, ({}, {}, {"visibility": "private"}), strict=True):
        player.game = game
        await expect(player.open(**terms), 201)
    await rig.notarise(rig.notary_parts(origin=SIGNER.origin))

    await open_monitor(api.client, tmp_path / "mirror", ALONE).look()
    asked: list[str] = []

    async def note(request: Request) -> None:
        asked.append(request.url.path)

    api.client.event_hooks["request"] = [note]
    monitor = open_monitor(api.client, tmp_path / "mirror", ALONE)
    found = await monitor.look()

    told = [(each.opener, each.opened, each.aborted, each.going_on) for each in monitor.games.sum_up()]
    assert (found.contradictions, found.unreached) == ((), ())
    assert told == [(f"player:{ada.id}", 2, 1, 1), (f"player:{bob.id}", 1, 0, 1)]
    assert monitor.games.count_hidden() == 1
    assert not any(ada_game in path for path in asked)


@pytest.mark.parametrize("ledger", [SIGNER.origin, "of.another.name/before"])
async def test_an_operators_record_is_no_game_that_is_not_shown(tmp_path: Path, ledger: str) -> None:
    record = derive_record(ledger)
    first_lines = [Leaf(stream=stream, version=StreamVersion(1), mac="ab" * 32) for stream in (record, STREAM)]
    world = World([format_leaf(line) for line in first_lines])

    async with client_over(world.answer) as client:
        monitor = open_monitor(client, tmp_path, ALONE)
        await monitor.look()

    assert monitor.games.count_hidden() == 1
    assert not any(record in path for path in world.asked)


async def test_a_game_whose_opener_chose_an_id_like_that_of_a_record_is_counted(tmp_path: Path) -> None:
    chosen = StreamId("00000000-0000-7000-8000-000000000001")
    world = World([format_leaf(Leaf(stream=chosen, version=StreamVersion(1), mac="ab" * 32))])

    async with client_over(world.answer) as client:
        monitor = open_monitor(client, tmp_path, ALONE)
        await monitor.look()

    assert monitor.games.count_hidden() == 1


async def test_a_line_that_is_not_the_one_in_the_ledger_is_told(tmp_path: Path) -> None:
    world = World(leaves(1))
    line = b'{"at":"2026-11-18T12:00:00.000Z","base":null,"by":"player:0199c0de-0000-7000-8000-0000000000aa",'
    line += b'"command":"%b","data":{"leaf_key":"%b"},"kind":"input","prev":"%b",' % (
        STREAM.encode(),
        b"55" * 32,
        b"0" * 64,
    )
    line += b'"sig":null,"stream":"%b","type":"game_opened","version":1}\n' % STREAM.encode()
    world.log.others = {f"/v1/games/{STREAM}/events": line}

    async with client_over(world.answer) as client:
        monitor = open_monitor(client, tmp_path)
        found = await monitor.look()

    assert "shows another line than the one in the ledger" in found.contradictions[0]
    assert monitor.games.is_all_asked
