"""Alert rules and dashboard: every expression asks for metrics and labels that `/metrics` has."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import yaml  # type: ignore[import-untyped]  # it comes with Litestar, without types

from infra.metrics import Metrics
from services.api.app import list_all_operations
from services.api.http.meters import ACCEPTED, FAULT, STATUSES, Meters
from services.node.metrics import PARTS, Measuring, Vitals, build_metrics_page
from services.workers.kinds import list_worker_names
from tests.services.api.server import memory_parts

DEPLOY = Path(__file__).parents[3] / "infra" / "deploy"
RULES: list[dict[str, Any]] = yaml.safe_load((DEPLOY / "alerts.yaml").read_text())["groups"][0]["rules"]
PANELS: list[dict[str, Any]] = json.loads((DEPLOY / "dashboard.json").read_text())["panels"]
# Prometheus makes it for every job that it scrapes.
OF_THE_SCRAPER = {"up"}
VALUES = {
    "part": set(PARTS),
    "worker": set(list_worker_names()),
    "outcome": {ACCEPTED, FAULT},
    "status": STATUSES,
    "job": {"spina"},
    "source": {"primary", "replica"},
}
GROUPED = {*VALUES, "le", "operation", "cache", "replica"}
SELECTOR = re.compile(r"\b(up|(?:spina|process)_[a-z_]+)\b(?:\{([^}]*)\})?")
MATCHER = re.compile(r'([a-z_]+)(=~|=)"([^"]*)"')


def expressions() -> list[str]:
    return [rule["expr"] for rule in RULES] + [target["expr"] for panel in PANELS for target in panel["targets"]]


def served_metrics() -> set[str]:
    """List the names of all samples that a process can show."""
    metrics = Metrics()
    measuring = Measuring(metrics=metrics, meters=Meters(metrics, list_all_operations()), token="f" * 64)
    there: Any = SimpleNamespace(readers_count=0, lag_s=0, buffers_count=0)
    live: Any = SimpleNamespace(hub=there)
    build_metrics_page(measuring, memory_parts(), live, Vitals(there, there, now_ms=lambda: 0), ())
    kinds = re.findall(r"^# TYPE (\S+) (\S+)$", metrics.render(), re.MULTILINE)
    parts = {"histogram": ("_bucket", "_sum", "_count")}
    return {name + part for name, kind in kinds for part in parts.get(kind, ("",))}


def matched(expression: str) -> Iterator[tuple[str, str, str]]:
    for _, inside in SELECTOR.findall(expression):
        yield from MATCHER.findall(inside)


@pytest.mark.parametrize("expression", expressions())
def test_an_expression_asks_for_metrics_and_labels_that_there_are(expression: str) -> None:
    asked = {name for name, _ in SELECTOR.findall(expression)}
    grouped = {part.strip() for by in re.findall(r"\bby \(([^)]*)\)", expression) for part in by.split(",")}
    found = [[value for value in VALUES[name] if re.fullmatch(text, value)] for name, _, text in matched(expression)]

    assert asked
    assert asked <= served_metrics() | OF_THE_SCRAPER
    assert grouped <= GROUPED
    assert all(found)


def test_every_metric_but_the_release_is_on_the_dashboard() -> None:
    shown = {name for panel in PANELS for target in panel["targets"] for name, _ in SELECTOR.findall(target["expr"])}

    families = {re.sub("_(bucket|sum|count)$", "", name) for name in served_metrics()}
    assert {re.sub("_(bucket|sum|count)$", "", name) for name in shown} == families - {"spina_info"}


def test_every_rule_has_a_name_of_its_own_a_pause_and_a_meaning() -> None:
    names = [rule["alert"] for rule in RULES]

    assert len(set(names)) == len(names)
    assert all(re.fullmatch(r"\d+[sm]", rule["for"]) for rule in RULES)
    assert all(rule["annotations"]["summary"].endswith(".") for rule in RULES)
