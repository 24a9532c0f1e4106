"""`spina audit --all`: every stored stream decided again by this release, from the database alone."""

import msgspec
import pytest

from domain.audit.bundle import Bundle
from domain.ruleset.catalogue import hash_components
from infra.postgres.event_store import open_event_store
from tests.database import Database
from tests.domain.audit.forgery_tools import chained
from tests.domain.game.game_harness import GAME
from tests.domain.tournament.tournament_harness import PAIRS, RULES
from tests.infra.embedded.questions import execute
from tests.services.audits.files import cut, with_another_die
from tests.services.audits.test_bundles import store_race
from tests.services.cli.program import run
from tests.services.workers.steward_harness import Estate

pytestmark = pytest.mark.usefixtures("record")


def chained_anew(bundle: Bundle) -> Bundle:
    """Link the lines of a changed log again, as an operator could who decides otherwise."""
    raws = chained(msgspec.json.decode(raw) for raw in bundle.log.splitlines())
    return msgspec.structs.replace(bundle, log=b"".join(raw + b"\n" for raw in raws))


async def test_a_log_that_this_release_decides_otherwise_is_named(database: Database) -> None:
    async with open_event_store(database.app_url) as store:
        await store_race(store, chained_anew(with_another_die()))

    ended = run("audit", "--all", "--processes", "1", SPINA_DATABASE_URL=database.owner_url)

    named, summed = ended.stdout.splitlines()
    assert named.startswith(f"✗ {GAME}: ")
    assert "line" in named
    assert summed == ("1 games and tournaments: 0 hold, 0 go on, 0 are over and cannot be proven, 1 do not hold.")
    assert ended.returncode == 1


async def test_streams_that_go_on_are_counted_and_those_of_unknown_rules_are_named(database: Database) -> None:
    async with open_event_store(database.app_url) as store:
        await store_race(store, cut(40))
        await store.save_components(hash_components(RULES), ruleset="torches", version=1, body=RULES.components)
        estate = Estate(store)
        await estate.open(4, tables=PAIRS)
        await estate.draw()
        await estate.finish(1)
        await estate.steward.step()

    ended = run("audit", "--all", "--processes", "1", SPINA_DATABASE_URL=database.owner_url)

    told = dict(line.split(": ", 1) for line in ended.stdout.splitlines())
    assert told.pop("4 games and tournaments").startswith("0 hold, 3 go on, 1 are over and cannot be proven, ")
    assert [name.endswith("cannot be read without their rules.") for name in told.values()] == [True]


async def test_an_audit_continues_after_an_id(database: Database) -> None:
    async with open_event_store(database.app_url) as store:
        await store_race(store)

    before = run("audit", "--all", "--processes", "1", SPINA_DATABASE_URL=database.owner_url)
    after = run("audit", "--all", "--after", GAME, SPINA_DATABASE_URL=database.owner_url)

    assert before.stdout.startswith(f"… {GAME}: ")
    assert before.returncode == 3
    assert after.stdout.startswith("0 games and tournaments: ")
    assert after.returncode == 0


async def test_a_database_of_an_earlier_release_is_audited_before_its_upgrade(database: Database) -> None:
    async with open_event_store(database.app_url) as store:
        await store_race(store)
    await execute(database.owner_url, "drop table spina.record")

    ended = run("audit", "--all", "--processes", "1", SPINA_DATABASE_URL=database.owner_url)

    assert ended.stdout.startswith(f"… {GAME}: ")
    assert ended.returncode == 3
