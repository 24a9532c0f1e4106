"""The catalogue of a running server: today's components, and those that stored games were opened with."""

from hashlib import sha256
from pathlib import Path

import pytest
from structlog.testing import capture_logs

from domain.canonical import encode
from domain.ruleset.catalogue import UnknownRuleset, hash_components
from domain.ruleset.kit import Kit
from domain.rulesets.released import KITS, RELEASED
from infra.event_store import EventStore
from services.commands.catalogue import build_catalogue
from simulate.stores.event_store import MemoryEventStore
from tests.domain.rulesets.fake_ruleset_torches import Torches
from tests.services.api.server import TORCHES, build_torches


def torches_with(release: Path, cards: int) -> Kit:
    folder = release / f"{cards}_cards"
    folder.mkdir()
    (folder / "components.toml").write_text(f"cards = {cards}\n")
    return Kit(ruleset=Torches, build=build_torches, folder=str(folder))


async def save(store: EventStore, body: bytes, *, ruleset: str = "torches", version: int = 1) -> str:
    name = sha256(body).hexdigest()
    await store.save_components(name, ruleset=ruleset, version=version, body=body)
    return name


async def test_todays_components_are_stored_at_the_start() -> None:
    store = MemoryEventStore()

    catalogue = await build_catalogue(store, (TORCHES,))

    today = hash_components(catalogue.find_current(name="torches", version=1))
    assert await store.read_components(today) == Torches().components


async def test_games_with_older_components_stay_playable(tmp_path: Path) -> None:
    store = MemoryEventStore()
    before = await build_catalogue(store, (torches_with(tmp_path, 12),))
    old = hash_components(before.find_current(name="torches", version=1))

    catalogue = await build_catalogue(store, (torches_with(tmp_path, 15),))

    assert catalogue.find(name="torches", version=1, components=old).components == encode({"cards": 12})
    assert catalogue.find_current(name="torches", version=1).components == encode({"cards": 15})


async def test_components_nobody_can_use_are_said_and_the_server_starts() -> None:
    store = MemoryEventStore()
    damaged = await save(store, b'{"boards":1}')
    await save(store, b"{}", ruleset="senet")

    with capture_logs() as logged:
        catalogue = await build_catalogue(store, (TORCHES,))

    assert sorted(line["event"] for line in logged) == ["components_unusable", "ruleset_missing"]
    with pytest.raises(UnknownRuleset):
        catalogue.find(name="torches", version=1, components=damaged)


async def test_components_that_read_as_others_are_not_taken_for_them() -> None:
    store = MemoryEventStore()
    name = await save(store, b'{"cards": 15}')

    with capture_logs() as logged:
        catalogue = await build_catalogue(store, (TORCHES,))

    assert [line["event"] for line in logged] == ["components_changed"]
    with pytest.raises(UnknownRuleset):
        catalogue.find(name="torches", version=1, components=name)


async def test_an_unknown_ruleset_is_told_with_those_there_are() -> None:
    catalogue = await build_catalogue(MemoryEventStore(), (TORCHES,))

    with pytest.raises(UnknownRuleset, match="one of torches@1, found senet@1"):
        catalogue.find_current(name="senet", version=1)


async def test_every_ruleset_of_this_release_is_built_again_from_what_is_stored() -> None:
    store = MemoryEventStore()
    await build_catalogue(store)

    with capture_logs() as logged:
        again = await build_catalogue(store)

    assert logged == []
    assert len(again.current) == len(KITS) == len(await store.list_components())


async def test_the_rulesets_played_here_are_those_that_can_be_verified() -> None:
    catalogue = await build_catalogue(MemoryEventStore())

    assert {(ruleset.name, ruleset.version) for ruleset in catalogue.current} == set(RELEASED)
