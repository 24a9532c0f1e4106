"""Counters of a process's work, in labels that are closed sets."""

import pytest

from domain.game.rejections import NoSuchSeat, SeatNotVacant
from domain.ids import CommandId
from domain.rulesets.released import KITS
from infra.metrics import Metrics
from infra.store_faults import StoreUnavailable
from services.api.http.meters import Meters, list_codes
from simulate.stores.event_store import MemoryEventStore
from tests.domain.game.game_harness import ADA, GAME, opening
from tests.services.commands.test_arena import arena_on, take


def test_commands_are_counted_by_what_became_of_them() -> None:
    metrics = Metrics()
    meters = Meters(metrics, ())

    meters.note_command(opening(), None)
    meters.note_command(take(0, ADA), SeatNotVacant(expected="a free seat", found="Ada's"))
    meters.note_command(take(0, ADA), StoreUnavailable("away"))

    counted = [line for line in metrics.render().splitlines() if line.startswith("spina_commands_total{")]
    assert counted == [
        'spina_commands_total{command="game_opened",outcome="accepted"} 1',
        'spina_commands_total{command="seat_taken",outcome="fault"} 1',
        'spina_commands_total{command="seat_taken",outcome="seat-not-vacant"} 1',
    ]


async def test_every_command_that_the_arena_handles_is_noted_once() -> None:
    arena, noted = arena_on(MemoryEventStore()), []
    arena.on_handled = lambda command, error: noted.append((command.id, type(error)))
    refused = take(9, ADA, 2)

    await arena.handle(opening())
    with pytest.raises(NoSuchSeat):
        await arena.handle(refused)

    assert noted == [(CommandId(GAME), type(None)), (refused.id, NoSuchSeat)]


def test_a_batch_is_measured_by_its_size_and_its_time() -> None:
    metrics = Metrics()

    Meters(metrics, ()).note_batch(7, 0.004)

    assert 'spina_append_batch_size_bucket{le="10"} 1' in metrics.render()
    assert 'spina_append_batch_size_bucket{le="5"} 0' in metrics.render()
    assert 'spina_append_seconds_bucket{le="0.005"} 1' in metrics.render()


def test_the_rejections_of_every_ruleset_are_known() -> None:
    assert KITS, "whoever serves has loaded every ruleset"

    codes = list_codes()

    assert {"not-your-seat", "no-such-game"} <= codes
    assert all(code and code == code.lower() for code in codes)
