"""How an arena that is behind the log comes to its head: by what is new, or anew where that is safer."""

import pytest

from domain.game.kind import GAMES
from domain.game.state import FurtherLink
from domain.ids import PlayerId, StreamId
from domain.rejection import Rejection
from infra.event_store import StoredStream
from services.commands.write_path import CATCH_UP_LINES_MAX
from simulate.stores.event_store import MemoryEventStore
from tests.domain.game.game_harness import ADA, BOB, CATALOGUE, CEM, GAME, SECRET, Table, mug_terms, opening
from tests.domain.log.redeciding import redecide
from tests.services.commands.test_arena import arena_on, entrust, ready, start_game, stored_lines, take


async def test_a_rejection_where_nothing_is_newer_does_not_read_the_whole_game() -> None:
    store = CountingStore()
    arena = arena_on(store)
    await start_game(arena)

    for number in range(3):
        with pytest.raises(Rejection):
            await arena.handle(ready(0, ADA, 70 + number))

    assert store.games_read == 0


async def test_an_outsider_who_looks_again_and_again_reads_no_game_anew() -> None:
    store = CountingStore()
    arena, other = arena_on(store), arena_on(store)
    await start_game(arena)
    looks = [await arena.peek(GAME) for _ in range(3)]
    assert store.games_read == 0

    await other.handle(entrust(looks[0], 0, 1))

    assert await arena.peek(GAME) == await other.load(GAME)


async def test_a_lost_race_is_caught_up_with_and_what_is_held_beside_it() -> None:
    store = CountingStore()
    late, other = arena_on(store), arena_on(store)
    await start_game(late)
    game = await late.recall(GAME)
    await other.handle(entrust(game, 0, 1))
    store.games_read = 0

    answer = await late.handle(entrust(game, 1, 2))

    lines = await stored_lines(store)
    assert (store.games_read, answer.last_version) == (0, len(lines))
    assert sum(b'"type":"action_revealed"' in line for line in lines) == 2
    assert await late.recall(GAME) == await other.load(GAME)


async def test_what_was_entrusted_and_overtaken_elsewhere_is_caught_up_with() -> None:
    store = CountingStore()
    arenas = [arena_on(store), arena_on(store)]
    table = Table(**mug_terms(rounds=3)).start().finish()
    await arenas[0].handle(opening(**mug_terms(rounds=3)))
    await arenas[1].load(GAME)

    for number, command in enumerate(table.commands):
        await arenas[number % 2].handle(command)

    assert await stored_lines(store) == table.raws
    assert any(isinstance(action.entrusted, FurtherLink) for action in table.held)
    assert store.games_read <= 2


async def test_who_is_far_behind_reads_the_game_anew() -> None:
    store = CountingStore()
    late, other = arena_on(store), arena_on(store)
    table = Table(**mug_terms(rounds=20)).start().finish()
    await late.handle(opening(**mug_terms(rounds=20)))
    for command in table.commands[:-1]:
        await other.handle(command)
    behind = len(await stored_lines(store)) - (await late.recall(GAME)).version
    store.games_read = 0

    await late.handle(table.commands[-1])

    assert behind > CATCH_UP_LINES_MAX
    assert store.games_read == 1
    assert await stored_lines(store) == table.raws


@pytest.mark.parametrize("seated", [None, CEM], ids=["shorter", "another of the same length"])
@pytest.mark.parametrize("number", [0, 1], ids=["refused by what is held", "accepted by what is held"])
async def test_a_store_that_was_restored_is_believed(seated: PlayerId | None, number: int) -> None:
    store, backup = RestoredStore(), MemoryEventStore()
    arena = arena_on(store)
    for each in (arena, arena_on(backup)):
        await each.handle(opening())
    await arena.handle(take(0, ADA))
    if seated is not None:
        await arena_on(backup).handle(take(2, seated))
    store.restore(backup)

    await arena.handle(take(number, BOB, 2))

    lines = await stored_lines(store)
    assert redecide(GAMES, lines, CATALOGUE, SECRET) == await arena.recall(GAME)


async def test_opening_a_game_again_does_not_make_it_be_read_anew() -> None:
    store = CountingStore()
    arena = arena_on(store)
    await arena.handle(opening())
    await arena.handle(take(0, ADA))

    await arena.handle(opening())

    assert (await arena.recall(GAME)).version == 2
    assert store.games_read == 0


class CountingStore(MemoryEventStore):
    """Counts how often a whole game is read."""

    def __init__(self) -> None:
        super().__init__()
        self.games_read = 0

    async def load_stream(self, stream: StreamId) -> StoredStream:
        self.games_read += 1
        return await super().load_stream(stream)


class RestoredStore(MemoryEventStore):
    """Holds from some moment on what a backup holds."""

    def restore(self, backup: MemoryEventStore) -> None:
        vars(self).update(vars(backup))
