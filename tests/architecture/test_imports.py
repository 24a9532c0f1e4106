"""Dependencies point inward and the core is pure; each rule is shown to fail on a made-up tree."""

import re
from pathlib import Path

import pytest

from tests.architecture.import_rules import (
    PACKAGES,
    closure,
    folder_rings,
    hidden_imports,
    impurities,
    modules,
    wrong_imports,
)
from tests.architecture.sources import read_source

ROOT = Path(__file__).parents[2]
# The algorithm, its three neighbours, and the ids.
PAIRING_MODULES_MAX = 5
# A sender posts bytes: the facts of notices, its network, its secrets.
WEBHOOK_MODULES_MAX = 20


def made_up(root: Path, name: str, text: str) -> Path:
    """Make a tree of one file, with all packages there."""
    for folder in PACKAGES.values():
        (root / folder).mkdir(parents=True, exist_ok=True)
    path = root / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return root


def test_every_package_imports_only_what_it_may() -> None:
    found = wrong_imports(ROOT)

    assert found == []


def test_no_two_folders_import_each_other() -> None:
    found = folder_rings(ROOT)

    assert found == []


def test_the_server_has_no_loose_files() -> None:
    found = [path.name for path in (ROOT / "services").glob("*.py") if path.name != "__init__.py"]

    assert found == []


def test_the_pairing_of_a_round_stands_alone() -> None:
    needed = closure(ROOT, "domain.tournament.pairing")

    assert {module for module in needed if module.startswith("domain.tournament.")} == {
        f"domain.tournament.{name}" for name in ("pairing", "contender", "seatings", "sizes")
    }
    assert len(needed) <= PAIRING_MODULES_MAX


def test_a_sender_of_notices_needs_no_game() -> None:
    needed = closure(ROOT, "services.notices.webhooks")

    assert len(needed) <= WEBHOOK_MODULES_MAX


@pytest.mark.parametrize("command", ["verify", "replay", "monitor", "practice", "rules"])
def test_a_command_for_outsiders_needs_no_package_of_a_server(command: str) -> None:
    of_server = set(re.findall(r"^([a-z]+)", (ROOT / "requirements" / "server.in").read_text(), re.MULTILINE))
    known = dict(modules(ROOT))

    needed = {
        name.partition(".")[0]
        for module in closure(ROOT, f"services.cli.{command}")
        for import_ in read_source(known[module]).imports
        for name in import_.modules()
    }

    assert needed & of_server == set()


def test_a_ring_over_three_folders_is_found(tmp_path: Path) -> None:
    root = made_up(tmp_path, "services/api/a.py", "from services.live.b import B")
    for name, text in (
        ("services/live/b.py", "import services.reading.c"),
        ("services/reading/c.py", "from services.api import a"),
        ("services/node/d.py", "from services.api.a import A"),
    ):
        (root / name).parent.mkdir()
        (root / name).write_text(text)

    found = folder_rings(root)

    assert found == [["services.api", "services.live", "services.reading"]]


def test_the_core_is_a_function_of_its_arguments() -> None:
    found = impurities(ROOT)

    assert found == []


def test_nothing_is_imported_for_the_type_checker_alone() -> None:
    found = hidden_imports(ROOT)

    assert found == []


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("domain/a.py", "import infra.keys"),
        ("domain/a.py", "from services.commands import arena"),
        ("domain/a.py", "from projections.lobby import Lobby"),
        ("domain/a.py", "import asyncpg"),
        ("domain/a.py", "from cryptography.hazmat import primitives"),
        ("domain/a.py", "import os"),
        ("domain/a.py", "from time import monotonic"),
        ("domain/a.py", "import random"),
        ("domain/a.py", "import secrets"),
        ("domain/a.py", "import logging"),
        ("domain/a.py", "from . import b"),
        ("domain/a.py", "def f() -> None:\n    import asyncio"),
        ("domain/rulesets/deep/a.py", "import random"),
        ("projections/a.py", "import infra.postgres.connection"),
        ("projections/a.py", "import redis"),
        ("infra/a.py", "from services.commands.arena import Arena"),
        ("infra/a.py", "from projections import lobby"),
        ("infra/a.py", "import litestar"),
        ("services/api/a.py", "import tests.database"),
        ("services/api/a.py", "import requests"),
    ],
)
def test_a_wrong_import_is_found(tmp_path: Path, name: str, text: str) -> None:
    root = made_up(tmp_path, name, text)

    found = wrong_imports(root)

    assert len(found) == 1
    assert found[0].startswith(name)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("domain/a.py", "import msgspec, hashlib, hmac\nfrom domain.ids import GameId"),
        ("domain/signature.py", "from cryptography.hazmat.primitives import serialization"),
        ("projections/a.py", "import asyncpg\nfrom domain.ids import GameId"),
        ("infra/a.py", "import os, asyncpg\nfrom domain.ids import GameId"),
        ("services/api/a.py", "import litestar\nimport infra.keys, projections.lobby, domain.ids"),
        ("services/node/a.py", "from services.api.app import build_app\nfrom spina_players.exhibition import house"),
    ],
)
def test_a_right_import_is_left_alone(tmp_path: Path, name: str, text: str) -> None:
    root = made_up(tmp_path, name, text)

    found = wrong_imports(root)

    assert found == []


@pytest.mark.parametrize(
    "text",
    [
        "async def f() -> None: ...",
        "def f(x): return x.now()",
        "from datetime import datetime\nAT = datetime.utcnow()",
        "from datetime import date\nAT = date.today()",
        "TEXT = open('x').read()",
        "print('x')",
        "KEY = hash('x')",
        "HALF = 0.5",
    ],
)
def test_an_impure_line_is_found(tmp_path: Path, text: str) -> None:
    root = made_up(tmp_path, "domain/a.py", text)

    found = impurities(root)

    assert len(found) == 1


def test_a_bot_may_weigh_in_floats_and_may_not_draw_numbers_of_its_own(tmp_path: Path) -> None:
    root = made_up(tmp_path, "domain/rulesets/deep/bots/a.py", "import random\nHALF = 0.5")

    found = impurities(root)

    assert found == []
    assert wrong_imports(root) == ["domain/rulesets/deep/bots/a.py:1 imports random"]


def test_an_import_for_the_type_checker_alone_is_found(tmp_path: Path) -> None:
    text = "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from domain.ids import GameId"
    root = made_up(tmp_path, "services/api/a.py", text)

    found = hidden_imports(root)

    assert found == ["services/api/a.py imports under TYPE_CHECKING"]
