"""Metrics: the text that a monitoring system reads, and nothing in it that only some may know."""

import time
from pathlib import Path

import pytest

from infra.metrics import Family, Label, Metrics
from infra.process_figures import show_process

COMMANDS = Family(
    name="spina_commands_total",
    help="Commands, by outcome.",
    labels=(
        Label(name="command", values=frozenset({"play_action", "take_seat"})),
        Label(name="outcome", values=frozenset({"accepted"})),
    ),
)
LATENCY = Family(name="spina_latency_seconds", help="How long it took.")
CACHES = Family(
    name="spina_cache_entries",
    help="What is kept.",
    labels=(Label(name="cache", values=frozenset({"games", "tokens"})),),
)


def test_a_counter_counts_for_each_value_of_its_labels() -> None:
    metrics = Metrics()
    counter = metrics.counter(COMMANDS)

    for command in ("take_seat", "play_action", "play_action"):
        counter.add(command, "accepted")

    assert metrics.render() == (
        "# HELP spina_commands_total Commands, by outcome.\n"
        "# TYPE spina_commands_total counter\n"
        'spina_commands_total{command="play_action",outcome="accepted"} 2\n'
        'spina_commands_total{command="take_seat",outcome="accepted"} 1\n'
    )


@pytest.mark.parametrize("value", ["0199c0de-0000-7000-8000-000000000001", 'Ada"} 1\nspina_up 0', ""])
def test_what_is_none_of_a_labels_values_is_never_shown(value: str) -> None:
    metrics = Metrics()

    metrics.counter(COMMANDS).add("play_action", value)

    assert 'outcome="other"} 1\n' in metrics.render()
    assert not value or value not in metrics.render()


def test_a_histogram_counts_all_up_to_each_bound() -> None:
    metrics = Metrics()
    histogram = metrics.histogram(LATENCY, (0.5, 1.0))

    for seconds in (0.25, 0.5, 0.75, 4.0):
        histogram.observe(seconds)

    assert metrics.render() == (
        "# HELP spina_latency_seconds How long it took.\n"
        "# TYPE spina_latency_seconds histogram\n"
        'spina_latency_seconds_bucket{le="0.5"} 2\n'
        'spina_latency_seconds_bucket{le="1"} 3\n'
        'spina_latency_seconds_bucket{le="+Inf"} 4\n'
        "spina_latency_seconds_sum 5.5\n"
        "spina_latency_seconds_count 4\n"
    )


def test_a_gauge_is_read_when_it_is_asked_for() -> None:
    metrics, cache = Metrics(), {"games": 1.0}
    metrics.gauge(CACHES, lambda: cache)

    cache |= {"games": 2.5, "tokens": 3}

    assert metrics.render().splitlines()[2:] == [
        'spina_cache_entries{cache="games"} 2.5',
        'spina_cache_entries{cache="tokens"} 3',
    ]


def test_a_gauge_without_a_label_has_one_value_or_none() -> None:
    metrics = Metrics()
    metrics.gauge(Family(name="spina_readers", help="Readers."), lambda: {"": 7})
    metrics.gauge(Family(name="spina_lag", help="Lag."), dict)

    assert metrics.render().splitlines()[2:] == [
        "spina_readers 7",
        "# HELP spina_lag Lag.",
        "# TYPE spina_lag gauge",
    ]


def test_two_families_of_one_name_are_a_mistake() -> None:
    metrics = Metrics()
    metrics.counter(COMMANDS)

    with pytest.raises(AssertionError):
        metrics.counter(COMMANDS)


def test_a_label_value_that_would_need_escaping_is_a_mistake() -> None:
    label = Label(name="cache", values=frozenset({'say "no"'}))

    with pytest.raises(AssertionError):
        Metrics().gauge(Family(name="spina_x", help="X.", labels=(label,)), dict)


def test_the_figures_of_the_process_are_those_of_the_system() -> None:
    metrics = Metrics()
    show_process(metrics)

    lines = metrics.render().splitlines()
    read = dict(line.split(" ") for line in lines if not line.startswith("#"))

    assert "# TYPE process_cpu_seconds_total counter" in lines
    assert 0 < float(read["process_cpu_seconds_total"]) <= time.process_time()
    assert float(read["process_start_time_seconds"]) <= time.time()
    assert 0 < float(read["process_open_fds"]) < float(read["process_max_fds"])
    assert float(read["process_resident_memory_bytes"]) > 1_000_000


def test_figures_that_a_machine_does_not_give_are_left_out(tmp_path: Path) -> None:
    metrics = Metrics()
    show_process(metrics, tmp_path / "missing")

    samples = [line for line in metrics.render().splitlines() if not line.startswith("#")]

    assert {sample.split(" ")[0] for sample in samples} == {
        "process_cpu_seconds_total",
        "process_max_fds",
        "process_start_time_seconds",
    }
