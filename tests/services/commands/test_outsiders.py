"""Commands of those who have no part in a stream: refused beside its queue, and never in the way of those who have."""

import asyncio

import pytest

from domain.game.commands import GameCommand
from domain.game.events import SeatLeft, SeatResigned, SeatTaken
from domain.game.rejections import NotYourSeat, SeatNotVacant
from domain.ids import OrganiserId, PlayerId, Seat
from domain.log.actors import Actor, ByOrganiser, ByPlayer
from infra.event_store import Append
from services.commands.turns import WAITING_MAX, TooManyWaiting
from simulate.stores.event_store import MemoryEventStore
from tests.domain.game.game_harness import ADA, BOB, CEM, CLOCK, GAME, OPERATOR, ORGA, ORGANISER, SERVER, opening
from tests.domain.tournament.tournament_harness import CUP, player
from tests.domain.tournament.tournament_harness import ORGANISER as CUP_ORGANISER
from tests.domain.tournament.tournament_harness import opening as cup_opening
from tests.services.commands.test_arena import arena_on, command_of, entrust, start_game, stored_lines, take
from tests.services.commands.test_tournaments import enter, tournaments_on

STRANGERS = [PlayerId(f"0199c0de-0000-7000-9000-{number:012d}") for number in range(WAITING_MAX * 4)]


def taken_by(player: PlayerId) -> SeatTaken:
    return SeatTaken(seat=Seat(1), player=player, anchor=None, links=0, key=None)


def resign(seat: int, player: PlayerId, number: int) -> GameCommand:
    return command_of(player, number, SeatResigned(seat=Seat(seat)))


class HeldStore(MemoryEventStore):
    """An append waits until it is let go."""

    def __init__(self) -> None:
        super().__init__()
        self.go_on = asyncio.Event()
        self.go_on.set()

    async def append(self, append: Append) -> None:
        await self.go_on.wait()
        await super().append(append)


async def test_a_stranger_is_refused_while_a_seat_has_the_turn() -> None:
    store = HeldStore()
    arena = arena_on(store)
    await start_game(arena)
    store.go_on.clear()
    move = asyncio.create_task(arena.handle(entrust(await arena.recall(GAME), 0, 1)))
    await asyncio.sleep(0)

    refused = await asyncio.gather(
        *(arena.handle(resign(0, each, 200 + number)) for number, each in enumerate(STRANGERS)), return_exceptions=True
    )

    assert {type(written) for written in refused} == {NotYourSeat}
    store.go_on.set()
    assert (await move).last_version == len(await stored_lines(store))


async def test_strangers_who_fill_the_queue_leave_a_seat_its_place() -> None:
    store = HeldStore()
    arena = arena_on(store)
    await arena.handle(opening(seats=2))
    await arena.handle(take(0, ADA))
    store.go_on.clear()
    first, *others = [
        asyncio.create_task(arena.handle(command_of(each, 200 + number, taken_by(each))))
        for number, each in enumerate(STRANGERS)
    ]
    await asyncio.sleep(0)
    leaving = asyncio.create_task(arena.handle(command_of(ADA, 2, SeatLeft(seat=Seat(0)))))
    await asyncio.sleep(0)
    store.go_on.set()

    answer = await leaving

    assert ((await first).last_version, answer.last_version) == (3, 4)
    outcomes = await asyncio.gather(*others, return_exceptions=True)
    assert {type(outcome) for outcome in outcomes} == {TooManyWaiting, SeatNotVacant}


async def test_a_refusal_knows_of_a_seat_taken_elsewhere() -> None:
    store = MemoryEventStore()
    here, elsewhere = arena_on(store), arena_on(store)
    await start_game(here)
    await elsewhere.handle(entrust(await elsewhere.recall(GAME), 0, 1))

    answer = await here.handle(resign(1, BOB, 300))

    assert answer.last_version == len(await stored_lines(store))


async def test_a_command_that_was_accepted_is_answered_again_to_a_player_who_has_left() -> None:
    store = MemoryEventStore()
    arena = arena_on(store)
    await arena.handle(opening(seats=2))
    answer = await arena.handle(take(0, ADA))
    await arena.handle(command_of(ADA, 2, SeatLeft(seat=Seat(0))))

    again = await arena.handle(take(0, ADA))

    assert again == answer


@pytest.mark.parametrize(
    ("actor", "expected"),
    [
        (ByPlayer(player=ADA), True),
        (ByPlayer(player=CEM), False),
        (ORGANISER, True),
        (ByOrganiser(organiser=OrganiserId(CEM)), False),
        (OPERATOR, True),
        (CLOCK, True),
        (SERVER, True),
    ],
)
async def test_seats_organisers_and_workers_have_a_part_in_a_game(actor: Actor, *, expected: bool) -> None:
    arena = arena_on(MemoryEventStore())
    await arena.handle(opening(organisers={ORGA: None}))
    await arena.handle(take(0, ADA))

    assert await arena.has_role(GAME, actor) == expected


@pytest.mark.parametrize(
    ("actor", "expected"),
    [(ByPlayer(player=player(0)), True), (ByPlayer(player=player(1)), False), (CUP_ORGANISER, True)],
)
async def test_entrants_and_organisers_have_a_part_in_a_tournament(actor: Actor, *, expected: bool) -> None:
    tournaments = tournaments_on(MemoryEventStore())
    await tournaments.handle(cup_opening())
    await tournaments.handle(enter(0))

    assert await tournaments.has_role(CUP, actor) == expected
