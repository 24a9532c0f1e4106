"""There is one list of workers: documents, flags and processes follow it."""

from pathlib import Path

import pytest
import typer

from infra.postgres.connection import build_app_pool
from infra.postgres.kept_proofs import KeptProofs
from infra.postgres.queries import Queries
from infra.settings import Settings
from services.api.app import build_app
from services.cli.serve import read_workers
from services.node.ledger import build_public_ledger
from services.node.workers import build_workers
from services.workers.kinds import WORKERS, list_worker_names
from tests.database import Database
from tests.services.api.server import KEY, PROBES, memory_parts
from tests.services.ledger.ledger_harness import Rig

OPERATING = Path(__file__).parents[3] / "docs" / "operating.md"


def test_the_document_for_operators_has_a_row_for_each_worker_in_order() -> None:
    rows = [line for line in OPERATING.read_text().splitlines() if line.startswith("| ")]
    first = rows.index(f"| {WORKERS[0].name} | {WORKERS[0].work} | {WORKERS[0].without} |")

    assert rows[first : first + len(WORKERS)] == [
        f"| {worker.name} | {worker.work} | {worker.without} |" for worker in WORKERS
    ]


async def test_a_process_stands_by_for_every_worker_but_those_it_leaves_to_others(rig: Rig, database: Database) -> None:
    async with build_app_pool(database.app_url) as pool:
        ledger, kept = build_public_ledger(Settings(), Queries(pool), KEY), KeptProofs(Queries(pool))

        def names(*without: str) -> list[str]:
            parts = rig.notary_parts()
            made = memory_parts()
            app = build_app(probes=PROBES, parts=made)
            workers = build_workers(made, parts, ledger, kept, app, url=database.app_url, without=read_workers(without))
            return [worker.name for worker in workers]

        all_names, some_names, none = (
            names(),
            names("steward", "house", "notifier", "projector"),
            names(*(worker.name for worker in WORKERS)),
        )

    assert all_names == list_worker_names()
    assert some_names == ["notary", "archivist", "timekeeper"]
    assert none == []


def test_a_name_that_is_no_workers_is_refused() -> None:
    with pytest.raises(typer.BadParameter, match=r"expected a worker \(notary, .*, projector\), found butler"):
        read_workers(["butler"])
