"""Exporting: the bundle holds the stored bytes, at any time."""

from hashlib import sha256

import pytest

from domain.audit.bundle import Bundle, format_bundle, parse_bundle
from domain.audit.reading import read_opening
from domain.audit.verify import verify
from domain.game.kind import GAMES
from domain.ids import GameId, StreamId, StreamVersion
from domain.log.record import GENESIS, line_hash, parse_line
from domain.rulesets.released import Rebuilder
from infra.event_store import Append, EventStore
from infra.store_faults import UnknownStream
from services.audits.bundles import build_bundle
from simulate.stores.event_store import MemoryEventStore
from tests.domain.game.game_harness import GAME
from tests.services.audits.files import race


async def stored() -> MemoryEventStore:
    store = MemoryEventStore()
    await store_race(store)
    return store


async def store_race(store: EventStore, bundle: Bundle | None = None) -> None:
    """Keep the race, or another bundle of it, in a store, as if it had been played there."""
    lines = tuple((bundle or race()).log.splitlines())
    for start in range(0, len(lines), 100):
        part = lines[start : start + 100]
        await store.append(
            Append(
                stream=GAME,
                expected_version=StreamVersion(start),
                expected_head=line_hash(lines[start - 1]) if start else GENESIS,
                lines=part,
                types=tuple(parse_line(line).type for line in part),
                hashes=tuple(line_hash(line) for line in part),
            )
        )
    opened = read_opening(GAMES, lines[0])
    assert opened is not None
    components = race().components
    assert sha256(components).hexdigest() == opened.ruleset.components
    await store.save_components(opened.ruleset.components, ruleset="chariot-race", version=1, body=components)


async def test_a_stored_game_is_exported_to_the_byte() -> None:
    bundle = await build_bundle(await stored(), GAME)

    assert bundle.log == race().log
    assert bundle.components == race().components


async def test_the_same_game_gives_the_same_bytes() -> None:
    one, other = await build_bundle(await stored(), GAME), await build_bundle(await stored(), GAME)

    assert format_bundle(one) == format_bundle(other)


async def test_what_was_exported_can_be_verified() -> None:
    raw = format_bundle(await build_bundle(await stored(), GAME))

    verified = verify(parse_bundle(raw), rebuilder=Rebuilder())

    assert verified.report.broken == ()
    assert {finding.check for finding in verified.report.unchecked} == {"inclusion", "checkpoint", "witnesses", "times"}


async def test_a_game_that_is_not_there_is_refused() -> None:
    with pytest.raises(UnknownStream):
        await build_bundle(MemoryEventStore(), GameId(StreamId("0199c0de-0000-7000-8000-00000000dead")))
