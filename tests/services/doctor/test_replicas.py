"""The doctor's look at replicas: where several nodes are named, a commit is to wait for one of the others."""

from services.doctor.servers import examine_replicas
from tests.database import Database

SEVERAL = "postgresql://spina@db1,db2,db3/spina"


async def test_one_node_has_no_finding_about_replicas(database: Database) -> None:
    async with database.owned() as owner:
        found = await examine_replicas(owner, database.app_url)

    assert found == []


async def test_several_nodes_without_synchronous_replicas_get_advice(database: Database) -> None:
    async with database.owned() as owner:
        (found,) = await examine_replicas(owner, SEVERAL)

    assert found.is_ok
    assert found.found == "3 nodes; a commit waits for none"
    assert "synchronous_standby_names" in found.advice
