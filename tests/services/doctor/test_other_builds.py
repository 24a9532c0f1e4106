"""The doctor over a database of another build: it states why a start is refused, and asks its tables no more."""

import pytest

from infra.settings import Settings
from services.doctor.servers import examine_postgres
from services.node.addresses import Places
from services.node.databases import DatabaseRefused
from services.node.export import bundles_of
from tests.database import Database

OTHER_MIGRATION = "update spina.migration set hash = '\\x00' where number = 4"
OTHER_TABLE = "alter table spina.ledger_checkpoint rename column origin to name"
OTHER_LOG = """
insert into spina.event (position, stream, version, type, hash, body)
values (1, gen_random_uuid(), 1, 'opened', decode(repeat('00', 32), 'hex'), 'no line')
"""


@pytest.mark.parametrize(
    ("change", "what", "found"),
    [
        (OTHER_MIGRATION, "migrations", "migration 4 was applied as "),
        (OTHER_LOG, "log", "expected a database at SPINA_DATABASE_URL, found: a log of another build, which "),
    ],
)
async def test_the_doctor_says_what_a_start_says(database: Database, change: str, what: str, found: str) -> None:
    async with database.owned() as owner:
        await owner.execute(OTHER_TABLE)
        await owner.execute(change)
    places = Places(database_url=database.app_url, owner_url=database.owner_url, redis_url=None)

    findings = await examine_postgres(Settings(database_url=database.app_url), places)

    (refused,) = [finding for finding in findings if not finding.is_ok]
    assert refused.what == what
    assert refused.found.startswith(found)
    assert refused.advice


@pytest.mark.parametrize(
    ("change", "found"),
    [
        (OTHER_LOG, "a log of another build, which "),
        ("drop schema spina cascade", "no tables of Spina; the first start"),
    ],
)
async def test_exports_and_audits_are_refused_as_a_start_is(database: Database, change: str, found: str) -> None:
    async with database.owned() as owner:
        await owner.execute(change)

    with pytest.raises(DatabaseRefused) as refused:
        async with bundles_of(Settings(database_url=database.owner_url)) as (queries, _):
            await queries.fetch_value("select count(*) from stream")

    assert str(refused.value).startswith(f"expected a database at SPINA_DATABASE_URL, found: {found}")
