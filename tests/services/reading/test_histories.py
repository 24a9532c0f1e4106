"""Games at any version, with and without the secret, and who may see how much of them."""

from typing import Any

import msgspec
import pytest

from domain.game.evolve import evolve
from domain.game.kind import GAMES
from domain.game.state import Game
from domain.ids import GameId, StreamId, StreamVersion
from domain.log.replay import read_entry, replay
from infra.event_store import Append, StoredCommand, StoredStream
from infra.keys import MasterKey
from services.commands.arena import NoSuchGame
from services.commands.vault import Vault
from services.reading.access import ANYONE, Caller, find_shown_version, find_visible_version
from services.reading.histories import SPACING, GameHistories
from simulate.stores.event_store import MemoryEventStore
from tests.domain.game.game_harness import ADA, BOB, CATALOGUE, DEE, GAME, NOON, ORGA, SECRET, Table
from tests.domain.tournament.tournament_harness import Club

VAULT = Vault(MasterKey(bytes(32)))


async def store_log(
    table: Table | Club, store: MemoryEventStore | None = None, *, after: int = 0, upto: int | None = None
) -> MemoryEventStore:
    """Put the lines of a table or a club into a store, from a version on."""
    store = store or MemoryEventStore()
    entries = table.entries[after:upto]
    stream = entries[0].line.stream
    await store.append(
        Append(
            stream=stream,
            expected_version=StreamVersion(after),
            expected_head=entries[0].line.prev,
            lines=tuple(entry.raw for entry in entries),
            types=tuple(entry.line.type for entry in entries),
            hashes=tuple(entry.hash for entry in entries),
            command=StoredCommand(id=entries[0].line.command, body_hash=bytes(32)) if entries[0].line.command else None,
            secret_box=VAULT.seal_secret(stream, SECRET) if not after else None,
        )
    )
    return store


def histories_on(store: MemoryEventStore, **limits: int) -> GameHistories:
    return GameHistories(store=store, catalogue=CATALOGUE, vault=VAULT, **limits)


def fold(table: Table, version: int, *, secret: Any = None) -> Game:
    game = replay(GAMES, table.raws[:1], CATALOGUE, secret=secret)
    for raw in table.raws[1:version]:
        game = evolve(game, read_entry(GAMES, raw, game.ruleset))
    return game


@pytest.mark.parametrize("knowledge", ["public", "secret"])
@pytest.mark.parametrize("states_max", [4096, 2])
async def test_every_version_is_the_fold_up_to_it(knowledge: Any, states_max: int) -> None:
    table = Table(options={"rounds": 12}).start().finish()
    histories = histories_on(await store_log(table), states_max=states_max)
    versions = [*range(1, len(table.raws) + 1, 7), SPACING, SPACING + 1, 1, len(table.raws)]

    games = [await histories.read_at(GAME, StreamVersion(version), knowledge) for version in versions]

    assert len(table.raws) > 2 * SPACING
    secret = SECRET if knowledge == "secret" else None
    assert games == [fold(table, version, secret=secret) for version in versions]


class CountingStore(MemoryEventStore):
    """States how many lines of a game were read at once, and whether one was read from its beginning."""

    def __init__(self) -> None:
        super().__init__()
        self.lines_max = 0
        self.whole_count = 0

    async def read_stream(self, stream: StreamId, *, after: StreamVersion, limit: int) -> list[bytes]:
        lines = await super().read_stream(stream, after=after, limit=limit)
        self.lines_max = max(self.lines_max, len(lines))
        return lines

    async def load_stream(self, stream: StreamId) -> StoredStream:
        self.whole_count += 1
        return await super().load_stream(stream)


async def test_once_warm_every_version_is_at_most_64_lines_away() -> None:
    table, store = Table(options={"rounds": 12}).start().finish(), CountingStore()
    histories = histories_on(await store_log(table, store))
    await histories.read_newest(GAME)
    warming, store.lines_max = store.whole_count, 0

    for version in range(len(table.raws), 0, -1):
        await histories.read_at(GAME, StreamVersion(version))

    assert store.whole_count == warming == 1
    assert 0 < store.lines_max <= SPACING == 64


async def test_what_is_appended_later_is_read_later() -> None:
    table = Table().start()
    store = await store_log(table)
    histories = histories_on(store)
    before = await histories.read_newest(GAME)
    known = len(table.entries)
    table.answer_by_default(table.owed()[0])

    await store_log(table, store, after=known)

    after = await histories.read_newest(GAME)
    assert (before.version, after.version) == (known, len(table.entries))


async def test_the_public_is_served_without_the_secret() -> None:
    histories = histories_on(await store_log(Table().start()))

    public, secret = await histories.read_newest(GAME), await histories.read_newest(GAME, "secret")

    assert public.chance.secret is None
    assert secret.chance.secret == SECRET
    views = [msgspec.json.encode(game.ruleset.view(game.board, None)) for game in (public, secret)]
    assert views[0] == views[1]


async def test_a_version_that_is_not_there_yet_is_none() -> None:
    table = Table()
    histories = histories_on(await store_log(table))

    found = [await histories.read_at(GAME, StreamVersion(version)) for version in (0, 2, -1)]

    assert found == [None, None, None]


async def test_a_game_that_is_not_there_is_unknown() -> None:
    with pytest.raises(NoSuchGame):
        await histories_on(MemoryEventStore()).read_newest(GameId(StreamId("0199c0de-0000-7000-8000-0000000000ff")))


@pytest.mark.parametrize(
    ("caller", "is_seen"),
    [
        (ANYONE, False),
        (Caller(player=DEE), False),
        (Caller(player=BOB), True),
        (Caller(player=ADA), True),
        (Caller(organiser=ORGA), True),
        (Caller(operator=ORGA), False),
    ],
    ids=["anyone", "another player", "a seat", "its opener", "its organiser", "the operator"],
)
async def test_a_private_game_is_there_for_those_it_concerns(caller: Caller, *, is_seen: bool) -> None:
    table = Table(visibility="private")
    table.take(1)
    histories = histories_on(await store_log(table))

    try:
        _, version = await find_visible_version(histories, GAME, caller, now_ms=NOON)
    except NoSuchGame:
        version = StreamVersion(0)

    assert version == (2 if is_seen else 0)


async def test_a_delayed_game_is_shown_later_to_whoever_has_no_seat() -> None:
    table = Table(delay_s=30)
    table.now = NOON + 10_000
    table.take(0)
    table.now = NOON + 20_000
    table.take(1)
    histories = histories_on(await store_log(table))

    seen = [(await find_visible_version(histories, GAME, ANYONE, now_ms=NOON + after))[1] for after in (30_000, 40_000)]
    _, at_the_table = await find_visible_version(histories, GAME, Caller(player=BOB), now_ms=NOON + 20_000)

    assert (seen, at_the_table) == ([1, 2], 3)
    with pytest.raises(NoSuchGame):
        await find_visible_version(histories, GAME, ANYONE, now_ms=NOON + 29_999)


async def test_the_delay_is_lifted_when_the_game_is_over() -> None:
    table = Table(delay_s=3600).start().finish()
    histories = histories_on(await store_log(table))

    _, version = await find_visible_version(histories, GAME, ANYONE, now_ms=NOON)

    assert version == len(table.raws)


async def test_what_is_shown_is_never_ahead_of_the_game_that_was_looked_at() -> None:
    table = Table(delay_s=30)
    store = await store_log(table)
    histories = histories_on(store)
    before = await histories.read_newest(GAME)
    table.take(0)

    await store_log(table, store, after=1)

    assert await find_shown_version(histories, before, None, now_ms=NOON + 30_000) == 1
