"""Tournaments on the write path: what was accepted is in the log, in every process, and repeated when asked again."""

from typing import Any

import msgspec
import pytest

from domain.ids import CommandId, StreamVersion, TournamentId
from domain.log.actors import ByPlayer
from domain.tournament.commands import TournamentCommand
from domain.tournament.events import EntrantEntered, RoundCalled
from domain.tournament.kind import TOURNAMENTS
from domain.tournament.rejections import NotNextEntrant
from services.commands.arena import NoSuchGame
from services.commands.tournaments import NoSuchTournament, Tournaments
from services.reading.tournaments.histories import TournamentHistories
from simulate.stores.announcer import MemoryAnnouncer
from simulate.stores.event_store import MemoryEventStore
from tests.domain.game.game_harness import GAME
from tests.domain.game.game_harness import opening as opening_of_game
from tests.domain.log.redeciding import redecide
from tests.domain.tournament.tournament_harness import CATALOGUE, CUP, NOON, ORGANISER, SECRET, opening, player
from tests.services.api.server import VAULT
from tests.services.commands.test_arena import arena_on, take
from tests.services.live.test_restored import RestorableStore


def tournaments_on(store: MemoryEventStore, announcer: MemoryAnnouncer | None = None) -> Tournaments:
    return Tournaments(store=store, announcer=announcer or MemoryAnnouncer(), catalogue=CATALOGUE, vault=VAULT)


def enter(number: int, *, entrant: int | None = None, **fields: Any) -> TournamentCommand:
    command = TournamentCommand(
        event=EntrantEntered(
            entrant=number if entrant is None else entrant, player=player(number), anchor=None, links=0, key=None
        ),
        id=CommandId(f"0199c0de-0000-7000-a000-{number:012d}"),
        stream=CUP,
        at_ms=NOON,
        actor=ByPlayer(player=player(number)),
    )
    return msgspec.structs.replace(command, **fields)


async def lines_of(store: MemoryEventStore) -> list[bytes]:
    return await store.read_stream(CUP, after=StreamVersion(0), limit=1_000)


async def test_what_was_accepted_is_in_the_log_and_announced() -> None:
    store, announcer = MemoryEventStore(), MemoryAnnouncer()
    tournaments = tournaments_on(store, announcer)

    await tournaments.handle(opening())
    answer = await tournaments.handle(enter(0))

    lines = await lines_of(store)
    assert (answer.first_version, answer.last_version) == (2, len(lines))
    assert announcer.hints.newest == {CUP: 2}
    assert redecide(TOURNAMENTS, lines, CATALOGUE, SECRET).head == answer.head


async def test_two_processes_enter_players_one_after_the_other_and_neither_loses_one() -> None:
    store = MemoryEventStore()
    first, second = tournaments_on(store), tournaments_on(store)
    await first.handle(opening())
    await second.read_newest(CUP)

    for number in range(6):
        await (first, second)[number % 2].handle(enter(number))

    assert [entry.player for entry in (await first.read_newest(CUP)).entries] == [player(index) for index in range(6)]


async def test_the_same_command_again_gets_the_same_answer_and_a_late_one_its_rejection() -> None:
    store = MemoryEventStore()
    tournaments = tournaments_on(store)
    await tournaments.handle(opening())
    answer = await tournaments.handle(enter(0))

    again = await tournaments_on(store).handle(enter(0, at_ms=NOON + 9))

    assert again == answer
    with pytest.raises(NotNextEntrant):
        await tournaments.handle(enter(1, entrant=0))
    assert len(await lines_of(store)) == 2


async def test_neither_kind_of_stream_is_taken_for_the_other() -> None:
    store = MemoryEventStore()
    arena, tournaments = arena_on(store), tournaments_on(store)
    await arena.handle(opening_of_game())
    await tournaments.handle(opening())
    stranger = TournamentId(GAME)

    with pytest.raises(NoSuchTournament):
        await tournaments.handle(enter(0, stream=stranger))
    with pytest.raises(NoSuchTournament):
        await TournamentHistories(store).read_newest(stranger)
    with pytest.raises(NoSuchGame):
        await arena.handle(msgspec.structs.replace(take(0, player(0)), stream=CUP))


async def test_readers_see_every_version_and_never_the_secret() -> None:
    store = MemoryEventStore()
    tournaments, histories = tournaments_on(store), TournamentHistories(store)
    await tournaments.handle(opening())
    first = await histories.read_newest(CUP)
    for number in range(4):
        await tournaments.handle(enter(number))
    call = TournamentCommand(
        event=RoundCalled(round=1),
        id=CommandId("0199c0de-0000-7000-b000-000000000001"),
        stream=CUP,
        at_ms=NOON,
        actor=ORGANISER,
    )
    await tournaments.handle(call)

    newest = await histories.read_newest(CUP)

    assert (first.version, newest.version) == (1, 7)
    assert (await histories.read_at(CUP, StreamVersion(3))) == await TournamentHistories(store).read_at(
        CUP, StreamVersion(3)
    )
    assert await histories.read_at(CUP, StreamVersion(8)) is None
    assert first.chance.secret is newest.chance.secret is None
    assert (await tournaments.read_newest(CUP)).chance.secret == SECRET
    stored = await store.load_stream(CUP)
    assert all(SECRET.hex().encode() not in raw for raw in stored.lines)
    assert bytes(SECRET) not in (stored.secret_box or b"")


async def test_readers_see_what_is_stored_after_the_database_was_restored_under_them() -> None:
    store, backup = RestorableStore(), MemoryEventStore()
    for tournaments, entrants in ((tournaments_on(store), (0,)), (tournaments_on(backup), (1, 2))):
        await tournaments.handle(opening())
        for place, number in enumerate(entrants):
            await tournaments.handle(enter(number, entrant=place))
    histories = TournamentHistories(store)
    lost = await histories.read_newest(CUP)

    store.restore(backup)
    found = await histories.read_newest(CUP)

    assert [entry.player for entry in lost.entries] == [player(0)]
    assert [entry.player for entry in found.entries] == [player(1), player(2)]
