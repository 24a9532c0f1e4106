"""A round that an organiser pauses: its deadlines move, the clocks of its games stand, and the file shows both."""

from typing import Any

import pytest

from domain.game.clock import list_running
from domain.game.commands import GameCommand
from domain.game.consent import PAUSE_MS_MAX, find_pause_end_ms
from domain.game.events import ClockExpired, ClockTerms, InputEvent, PauseEnded, SeatResigned, TablePaused
from domain.game.rejections import ConsentRefused, GamePausedNow
from domain.ids import Seat, StreamVersion
from domain.log.actors import ByClock, ByPlayer, ByServer
from domain.log.rejections import NotAllowed
from domain.tournament import rejections, ruling_events
from domain.tournament.events import CheckInClosed
from domain.tournament.state import Table, find_sit_down_ms
from simulate.stores.event_store import MemoryEventStore
from tests.domain.audit.audited_tournament import audit, broken_in, bundle
from tests.domain.tournament.tournament_harness import CLOCK, HOUR, ORGANISER, player
from tests.services.workers.steward_harness import Estate
from tests.services.workers.test_acts_at_every_moment import file_of

SECOND = 1_000
MINUTE = 60 * SECOND
TERMS = ClockTerms(per_decision_ms=MINUTE, bank_ms=0)


async def begun() -> tuple[Estate, Table]:
    """Three race at one table, with a minute for each decision."""
    estate = Estate(MemoryEventStore())
    await estate.open(3, clock=TERMS)
    await estate.draw()
    table = (await estate.round()).tables[0]
    await estate.sit(table, *table.entrants)
    return estate, table


async def rule(estate: Estate, kind: Any) -> None:
    await estate.order(kind, ORGANISER, round=1, reason="the lights went out")
    await estate.steward.step()


async def command(estate: Estate, table: Table, event: InputEvent, actor: Any) -> None:
    await estate.arena.handle(
        GameCommand(id=estate.next_id(), stream=table.game, at_ms=estate.now_ms, actor=actor, event=event)
    )


async def expire(estate: Estate, table: Table) -> None:
    decision = (await estate.game(1)).owed[0].decision
    await command(estate, table, ClockExpired(seat=decision.seat, decision=decision.id), ByClock())


async def find_broken(estate: Estate, table: Table) -> dict[str, Any]:
    """Play the table to its end, and audit the file."""
    for entrant in reversed(table.entrants[1:]):
        await estate.play(SeatResigned, table, entrant)
    await estate.steward.step()
    return broken_in(audit(bundle(await file_of(estate))))


async def test_the_clocks_of_a_paused_round_stand_until_it_goes_on_and_the_file_holds() -> None:
    estate, table = await begun()
    before = [clock.deadline_ms for clock in list_running(await estate.game(1))]
    estate.now_ms += 20 * SECOND

    await rule(estate, ruling_events.RoundPaused)
    estate.now_ms += HOUR
    with pytest.raises(GamePausedNow):
        await expire(estate, table)
    paused = await estate.game(1)
    await rule(estate, ruling_events.RoundResumed)

    assert list_running(paused) == []
    assert (await estate.types(table.game))[-3:] == ["table_paused", "game_paused", "pause_ended"]
    assert [clock.deadline_ms for clock in list_running(await estate.game(1))] == [at + HOUR for at in before]
    assert await find_broken(estate, table) == {}


async def test_no_seat_ends_the_pause_of_a_round_and_a_steward_that_restarts_keeps_it() -> None:
    estate, table = await begun()
    await rule(estate, ruling_events.RoundPaused)

    with pytest.raises(ConsentRefused):
        await command(estate, table, PauseEnded(seat=Seat(0)), ByPlayer(player=player(table.entrants[0])))
    with pytest.raises(NotAllowed):
        await command(estate, table, PauseEnded(seat=None), ByClock())
    estate.restart()
    await estate.steward.step()

    assert (await estate.types(table.game)).count("table_paused") == 1
    assert (await estate.game(1)).paused_ms is not None


async def test_a_pause_of_a_round_has_no_longest_time() -> None:
    estate, table = await begun()
    await rule(estate, ruling_events.RoundPaused)
    estate.now_ms += 2 * PAUSE_MS_MAX

    with pytest.raises(NotAllowed):
        await command(estate, table, PauseEnded(seat=None), ByClock())

    assert find_pause_end_ms(await estate.game(1)) is None


async def test_a_game_that_begins_in_a_pause_stands_at_once() -> None:
    estate = Estate(MemoryEventStore())
    await estate.open(3, clock=TERMS)
    await estate.draw()
    table = (await estate.round()).tables[0]
    await rule(estate, ruling_events.RoundPaused)
    await estate.sit(table, *table.entrants)

    await estate.steward.step()

    assert (await estate.types(table.game))[-2:] == ["table_paused", "game_paused"]


async def test_no_time_to_check_in_or_to_sit_down_runs_in_a_pause() -> None:
    estate = Estate(MemoryEventStore())
    await estate.open(3)
    await estate.call()
    until_ms = (await estate.round()).until_ms
    await rule(estate, ruling_events.RoundPaused)
    estate.now_ms += 2 * HOUR
    await estate.check_in(0)
    with pytest.raises(rejections.CheckInGoesOn):
        await estate.order(CheckInClosed, CLOCK, round=1)
    await rule(estate, ruling_events.RoundResumed)
    assert (await estate.round()).until_ms == until_ms + 2 * HOUR

    await estate.check_in(1, 2)
    await estate.steward.step()
    round_ = await estate.round()
    by_ms = find_sit_down_ms(await estate.read(), round_, round_.tables[0])
    await rule(estate, ruling_events.RoundPaused)
    estate.now_ms += 3 * HOUR
    await estate.steward.step()
    assert "no_show_told" not in await estate.types()
    await rule(estate, ruling_events.RoundResumed)

    round_ = await estate.round()
    assert find_sit_down_ms(await estate.read(), round_, round_.tables[0]) == by_ms + 3 * HOUR


async def test_a_clock_that_runs_out_in_a_pause_is_found() -> None:
    estate, table = await begun()
    await estate.order(ruling_events.RoundPaused, ORGANISER, round=1, reason="the lights went out")
    estate.now_ms += 2 * MINUTE

    # A server that leaves the clocks of one table running.
    await expire(estate, table)
    estate.now_ms += MINUTE
    await rule(estate, ruling_events.RoundResumed)

    assert "no clock that ran out" in (await find_broken(estate, table))["pauses"].expected


async def test_a_pause_of_a_table_that_no_organiser_ruled_is_found() -> None:
    estate, table = await begun()

    await command(estate, table, TablePaused(line=StreamVersion(2)), ByServer())
    await command(estate, table, PauseEnded(seat=None), ByServer())

    assert "a ruling on the round" in (await find_broken(estate, table))["pauses"].expected


async def test_a_table_that_goes_on_before_its_round_is_found() -> None:
    estate, table = await begun()
    await rule(estate, ruling_events.RoundPaused)
    estate.now_ms += MINUTE

    await command(estate, table, PauseEnded(seat=None), ByServer())
    estate.now_ms += MINUTE
    await estate.order(ruling_events.RoundResumed, ORGANISER, round=1, reason="the lights are back")

    assert "as long as that of the round" in (await find_broken(estate, table))["pauses"].expected


async def test_a_round_is_paused_once_at_a_time() -> None:
    estate, _ = await begun()

    with pytest.raises(rejections.RoundHalted):
        await rule(estate, ruling_events.RoundResumed)
    await rule(estate, ruling_events.RoundPaused)
    with pytest.raises(rejections.RoundHalted):
        await rule(estate, ruling_events.RoundPaused)
