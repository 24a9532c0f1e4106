"""`spina doctor` on replicas: each by its number in the setting, with its lag or its fault."""

import asyncio

from infra.embedded.servers import ServerUrls
from infra.settings import Settings
from services.doctor.servers import examine_listed_replicas
from tests.replication import PATIENCE_S, Primary, replica_of

FOUND = [
    ("replica 1", True, "follows the primary, 0 bytes behind"),
    ("replica 2", True, "is the primary at present, and is read as that"),
    ("replica 3", False, "expected a replica of the primary, found another database"),
]


async def test_each_replica_is_told_with_its_lag_or_its_fault(primary: Primary, server_urls: ServerUrls) -> None:
    async with primary.database() as database, replica_of(primary, database) as replica:
        urls = replica.database.app_url, database.app_url, server_urls.database_url
        settings = Settings(database_url=database.app_url, replica_urls=urls)

        told = None
        # On a busy machine an answer may be late.
        async with asyncio.timeout(PATIENCE_S):
            while told != FOUND:
                findings = await examine_listed_replicas(settings, database.app_url)
                told = [(finding.what, finding.is_ok, finding.found) for finding in findings]

    assert told == FOUND
