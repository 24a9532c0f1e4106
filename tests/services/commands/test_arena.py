"""The write path: what the client gets, what the cache holds and what the log states, also when a write breaks."""

import asyncio
from typing import Any

import msgspec
import pytest

from domain.canonical import encode
from domain.game.commands import GameCommand, OpenGame
from domain.game.custody import seal_opening
from domain.game.events import ActionPlayed, InputEvent, SeatReadied, SeatTaken
from domain.game.kind import GAMES
from domain.game.rejections import SeatNotVacant
from domain.game.state import FurtherLink, Game, Opening
from domain.ids import CommandId, DecisionId, PlayerId, Seat, StreamVersion
from domain.log.actors import ByPlayer
from domain.log.entry import as_stored
from domain.log.rejections import CommandIdReused
from domain.log.replay import replay
from domain.rejection import Rejection
from infra.event_store import Append, EventStore
from infra.keys import MasterKey
from infra.store_faults import StoreUnavailable
from services.commands.arena import Arena, NoSuchGame
from services.commands.vault import Vault
from services.commands.write_path import Written
from simulate.stores.announcer import MemoryAnnouncer
from simulate.stores.event_store import MemoryEventStore
from tests.domain.game.game_harness import (
    ADA,
    BOB,
    CATALOGUE,
    GAME,
    NOON,
    PLAYERS,
    SALT,
    SECRET,
    Table,
    mug_terms,
    opening,
)
from tests.domain.log.redeciding import redecide

KEY = MasterKey(bytes(32))


def arena_on(store: Any, announcer: MemoryAnnouncer | None = None) -> Arena:
    return Arena(store=store, announcer=announcer or MemoryAnnouncer(), catalogue=CATALOGUE, vault=Vault(KEY))


def command_of(player: PlayerId, number: int, event: InputEvent) -> GameCommand:
    return GameCommand(
        id=CommandId(f"0199c0de-0000-7000-a000-{number:012d}"),
        stream=GAME,
        at_ms=NOON,
        actor=ByPlayer(player=player),
        event=event,
    )


def take(seat: int, player: PlayerId, number: int = 1) -> GameCommand:
    taken = SeatTaken(seat=Seat(seat), player=player, anchor=None, links=0, key=None)
    return command_of(player, number, taken)


def ready(seat: int, player: PlayerId, number: int) -> GameCommand:
    return command_of(player, number, SeatReadied(seat=Seat(seat), nonce=None))


async def stored_lines(store: EventStore) -> list[bytes]:
    return await store.read_stream(GAME, after=StreamVersion(0), limit=1000)


async def start_game(arena: Arena) -> None:
    await arena.handle(opening(seats=2))
    for number, (seat, player) in enumerate(((0, ADA), (1, BOB))):
        await arena.handle(take(seat, player, 10 + number))
    for number, (seat, player) in enumerate(((0, ADA), (1, BOB))):
        await arena.handle(ready(seat, player, 20 + number))


def entrust(game: Game, seat: int, number: int) -> GameCommand:
    owed = next(due.decision for due in game.owed if due.decision.seat == seat)
    action = encode(game.ruleset.default_action(game.board, owed))
    opening = Opening(seat=Seat(seat), action=action, salt=SALT, link=None)
    command = command_of(PLAYERS[seat], 100 + number, seal_opening(GAME, owed.id, opening))
    return msgspec.structs.replace(command, entrusted=opening)


async def test_what_was_accepted_is_in_the_log_and_announced() -> None:
    store, announcer = MemoryEventStore(), MemoryAnnouncer()

    answer = await arena_on(store, announcer).handle(opening())

    lines = await stored_lines(store)
    assert len(lines) == answer.last_version == 1
    assert announcer.hints.newest == {GAME: 1}


async def test_a_game_in_the_servers_custody_goes_on_in_another_process() -> None:
    store = MemoryEventStore()
    first, second = arena_on(store), arena_on(store)
    await start_game(first)

    await first.handle(entrust(await first.load(GAME), 0, 1))
    answer = await second.handle(entrust(await second.load(GAME), 1, 2))

    lines = await stored_lines(store)
    assert answer.last_version == len(lines)
    assert sum(b'"type":"action_revealed"' in line for line in lines) == 2
    assert redecide(GAMES, lines, CATALOGUE, SECRET) == replay(GAMES, lines, CATALOGUE, secret=SECRET)


async def test_what_was_entrusted_and_overtaken_since_is_there_in_every_process() -> None:
    store = MemoryEventStore()
    table = Table(**mug_terms(rounds=3)).start().finish()

    # Each command is handled by a process that has only what is stored.
    await arena_on(store).handle(opening(**mug_terms(rounds=3)))
    for command in table.commands:
        await arena_on(store).handle(command)

    lines = await stored_lines(store)
    assert lines == table.raws
    assert None not in [fields["nonce"] for fields in table.data("action_revealed")]
    assert any(isinstance(action.entrusted, FurtherLink) for action in table.held)


async def test_neither_the_secret_nor_an_entrusted_action_is_stored_in_the_open() -> None:
    store = MemoryEventStore()
    arena = arena_on(store)
    await start_game(arena)
    await arena.handle(entrust(await arena.load(GAME), 0, 1))

    stored = await store.load_stream(GAME)

    boxes = [stored.secret_box or b"", *(action.sealed_box for action in stored.held)]
    assert len(boxes) == 2
    for box in (*boxes, *stored.lines):
        assert bytes(SECRET) not in box
        assert SECRET.hex().encode() not in box
        assert b'"card"' not in box
        assert SALT.encode() not in box


async def test_the_same_command_again_gets_the_same_answer_and_writes_nothing() -> None:
    store = MemoryEventStore()
    arena = arena_on(store)
    await arena.handle(opening())
    answer = await arena.handle(take(0, ADA))
    await arena.handle(take(1, BOB, 2))

    again = await arena.handle(take(0, ADA))
    elsewhere = await arena_on(store).handle(take(0, ADA))

    assert answer == again == elsewhere
    assert len(await stored_lines(store)) == 3


async def test_opening_a_game_twice_gives_one_game() -> None:
    store = MemoryEventStore()

    first = await arena_on(store).handle(opening())
    second = await arena_on(store).handle(opening(secret=bytes(32), at_ms=NOON + 5, leaf_key="66" * 32))

    assert first == second
    assert len(await stored_lines(store)) == 1


async def test_the_same_id_with_another_body_is_refused() -> None:
    store = MemoryEventStore()
    arena = arena_on(store)
    await arena.handle(opening())
    await arena.handle(take(0, ADA))

    with pytest.raises(CommandIdReused):
        await arena.handle(take(1, ADA))

    assert len(await stored_lines(store)) == 2


async def test_the_same_id_with_another_signature_is_refused() -> None:
    arena = arena_on(MemoryEventStore())
    await arena.handle(opening())
    await arena.handle(take(0, ADA))

    with pytest.raises(CommandIdReused):
        await arena.handle(msgspec.structs.replace(take(0, ADA), sig="ab" * 64))


async def test_a_game_that_nobody_opened_is_unknown() -> None:
    with pytest.raises(NoSuchGame):
        await arena_on(MemoryEventStore()).handle(take(0, ADA))


async def test_a_rejection_is_given_on_the_stored_head_and_not_on_a_stale_cache() -> None:
    store = MemoryEventStore()
    stale, other = arena_on(store), arena_on(store)
    await start_game(stale)
    game = await other.load(GAME)
    await other.handle(entrust(game, 0, 1))
    await other.handle(entrust(game, 1, 2))
    later = await other.load(GAME)
    plain = next(owed.decision for owed in later.owed if owed.decision.kind == "plain")
    command = play_default(later, plain.id, plain.seat)

    answer = await stale.handle(command)

    assert answer.first_version == later.version + 1


async def test_a_command_whose_reply_was_lost_is_announced_when_it_is_sent_again() -> None:
    store, announcer = BreakingStore(), MemoryAnnouncer()
    stale, arena = arena_on(store, announcer), arena_on(store, announcer)
    await stale.handle(opening())
    store.is_breaking, store.is_persisted = True, True
    with pytest.raises(StoreUnavailable):
        await arena.handle(take(0, ADA))

    told = []
    for each in (arena, stale):
        announcer.hints.newest.clear()
        await each.handle(take(0, ADA))
        told.append(dict(announcer.hints.newest))

    assert told == [{GAME: 2}, {GAME: 2}]


async def test_many_who_want_one_seat_at_once_get_it_once() -> None:
    store = MemoryEventStore()
    arenas = [arena_on(store) for _ in range(8)]
    await arenas[0].handle(opening())
    players = [PlayerId(f"0199c0de-0000-7000-c000-{number:012d}") for number in range(200)]

    answers = await asyncio.gather(
        *(arenas[number % 8].handle(take(0, player, 100 + number)) for number, player in enumerate(players)),
        return_exceptions=True,
    )

    assert sum(isinstance(answer, Written) for answer in answers) == 1
    assert sum(isinstance(answer, SeatNotVacant) for answer in answers) == 199
    assert len(await stored_lines(store)) == 2


async def test_nothing_is_announced_or_answered_before_it_is_durable() -> None:
    store, announcer = HeldStore(), MemoryAnnouncer()
    arena = arena_on(store, announcer)
    told: list[StreamVersion] = []
    arena.on_written = lambda _, entries: told.append(entries[-1].line.version)
    handling = asyncio.ensure_future(arena.handle(opening()))
    await store.is_asked.wait()

    announced_before, told_before, done_before = dict(announcer.hints.newest), list(told), handling.done()
    store.may_commit.set()
    await handling

    assert (announced_before, told_before, done_before) == ({}, [], False)
    assert (announcer.hints.newest, told) == ({GAME: 1}, [1])


@pytest.mark.parametrize("is_persisted", [False, True], ids=["not persisted", "reply lost"])
@pytest.mark.parametrize("step", ["open", "take", "ready", "entrust", "reveal"])
async def test_a_write_that_breaks_is_told_and_may_be_sent_again(step: str, *, is_persisted: bool) -> None:
    store = BreakingStore()
    arena = arena_on(store)
    command = await lead_up_to(step, arena)
    before = len(await stored_lines(store))
    store.is_breaking, store.is_persisted = True, is_persisted

    with pytest.raises(StoreUnavailable):
        await arena.handle(command)

    # The log has all of the command's lines or none, what is remembered is the log, and sending the command again gives
    # its one answer.
    broken = await stored_lines(store)
    assert (len(broken) > before) == is_persisted
    assert await remembered_version(arena) == len(broken)
    answer = await arena.handle(command)
    lines = await stored_lines(store)
    assert (answer.first_version, answer.last_version) == (before + 1, len(lines))
    assert lines[: len(broken)] == broken
    assert redecide(GAMES, lines, CATALOGUE, SECRET) == replay(GAMES, lines, CATALOGUE, secret=SECRET)


async def test_a_command_that_is_refused_leaves_the_log_and_the_cache_as_they_were() -> None:
    store, announcer = MemoryEventStore(), MemoryAnnouncer()
    arena = arena_on(store, announcer)
    await start_game(arena)
    before, announced = await stored_lines(store), dict(announcer.hints.newest)

    with pytest.raises(Rejection):
        await arena.handle(ready(0, ADA, 77))

    assert await stored_lines(store) == before
    assert announcer.hints.newest == announced


class HeldStore(MemoryEventStore):
    """Commits only when it may."""

    def __init__(self) -> None:
        super().__init__()
        self.is_asked, self.may_commit = asyncio.Event(), asyncio.Event()

    async def append(self, append: Append) -> None:
        self.is_asked.set()
        await self.may_commit.wait()
        await super().append(append)


class BreakingStore(MemoryEventStore):
    """Breaks one append, before it is stored or after."""

    is_breaking = False
    is_persisted = False

    async def append(self, append: Append) -> None:
        is_breaking, self.is_breaking = self.is_breaking, False
        if not is_breaking or self.is_persisted:
            await super().append(append)
        if is_breaking:
            raise StoreUnavailable("broken on purpose", may_have_committed=True)


async def remembered_version(arena: Arena) -> int:
    """Where the game is that the arena goes on from; 0 where there is none."""
    try:
        return (await arena.recall(GAME)).version
    except NoSuchGame:
        return 0


async def lead_up_to(step: str, arena: Arena) -> GameCommand | OpenGame:
    """Do everything before a step and return the command that is the step."""
    if step == "open":
        return opening(seats=2)
    await arena.handle(opening(seats=2))
    if step == "take":
        return take(0, ADA)
    for number, (seat, player) in enumerate(((0, ADA), (1, BOB))):
        await arena.handle(take(seat, player, 10 + number))
    await arena.handle(ready(0, ADA, 20))
    if step == "ready":
        return ready(1, BOB, 21)
    await arena.handle(ready(1, BOB, 21))
    game = await arena.load(GAME)
    if step == "entrust":
        return entrust(game, 0, 1)
    await arena.handle(entrust(game, 0, 1))
    return entrust(game, 1, 2)


def play_default(game: Game, decision: DecisionId, seat: Seat) -> GameCommand:
    owed = next(due.decision for due in game.owed if due.decision.id == decision)
    action = as_stored(game.ruleset.default_action(game.board, owed))
    played = ActionPlayed(seat=seat, decision=decision, action=action, nonce=None)
    return command_of(PLAYERS[seat], 200, played)
