"""The figures of Chariotmaster, on a small scale: that they are measured, not how good they are."""

from bench.chariotmaster import measure_chariotmaster
from services.commands.rulesets import load_chariotmaster


def test_every_figure_is_measured() -> None:
    cost = measure_chariotmaster(load_chariotmaster(), chariot_turns=8)

    for rate in (cost.rules, cost.absent, cost.bots):
        assert rate.events_per_s > 0
        assert 0 < rate.p50_ms <= rate.p99_ms
    assert 0 < cost.geometry_share < 1
