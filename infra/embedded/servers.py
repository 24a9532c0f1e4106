"""Real PostgreSQL and Valkey on any machine, from two wheels, without root and without Docker.

`async with embedded_servers(folder) as urls:` is all there is to it. The data stays in the folder; nothing else does.
"""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from msgspec import Struct

from infra.embedded.account import Account, candidates, give
from infra.embedded.binaries import Binaries, find_binaries
from infra.embedded.credentials import (
    APP_ROLE,
    DATABASE,
    HOST,
    OWNER_ROLE,
    Credentials,
    build_credentials,
    find_credentials,
    with_free_ports,
    write_credentials,
)
from infra.embedded.folder import DataFolder, forget_stale_pid, hold, is_held, wait_until_free
from infra.embedded.program import Errand, ServerFailed, run_to_end
from infra.embedded.programs import initialise, postgres_program, renew_passwords, valkey_program
from infra.embedded.supervisor import supervised

# It prints one line and ends; only a disk or a machine that hangs needs longer.
PROBE_TIMEOUT_S = 30.0


class ServerUrls(Struct, frozen=True, kw_only=True):
    """How to reach both servers: as the app, as the owner of the schema, and Valkey.

    The URLs carry passwords, so the value prints none of them.
    """

    database_url: str
    owner_url: str
    redis_url: str

    def __repr__(self) -> str:
        return "ServerUrls(…)"

    def __rich_repr__(self) -> list[tuple[str, str]]:
        return []


@asynccontextmanager
async def embedded_servers(folder: Path, accounts: tuple[Account, ...] | None = None) -> AsyncIterator[ServerUrls]:
    """Run both servers while the block runs, on the same ports throughout; each is restarted when it dies.

    They run as the first of the accounts that this machine allows, which are by default those it may allow at all.

    Raises BinaryMissing, FolderInUse, ServersLeftRunning, NoFreePort or ServerFailed, and then leaves nothing running.
    """
    with hold(folder) as held:
        binaries = find_binaries()
        await wait_until_free(held)
        account = await _choose_account(held, binaries, candidates() if accounts is None else accounts)
        credentials = await _prepare(held, binaries, account)
        postgres = postgres_program(held, binaries, credentials.postgres_port)
        valkey = valkey_program(held, binaries, port=credentials.valkey_port, password=credentials.valkey_password)
        async with supervised(postgres, account), supervised(valkey, account):
            yield _urls(credentials)


def find_server_urls(folder: Path) -> ServerUrls | None:
    """Return the URLs of a folder's running servers; None when none run."""
    if not is_held(folder):
        return None
    credentials = find_credentials(DataFolder(path=folder).credentials)
    return None if credentials is None else _urls(credentials)


async def _choose_account(folder: DataFolder, binaries: Binaries, accounts: tuple[Account, ...]) -> Account:
    """Find the first account as which PostgreSQL can be executed on this machine, by doing it."""
    if len(accounts) == 1:
        return accounts[0]
    for account in accounts:
        command = (str(binaries.postgres), "--version")
        errand = Errand(command=command, account=account, log=folder.postgres_log, timeout_s=PROBE_TIMEOUT_S)
        if await run_to_end(errand) == 0:
            return account
    raise ServerFailed(
        "postgres",
        "it may not run as root, and root could become nobody else here; start as an ordinary user",
        folder.postgres_log,
    )


async def _prepare(folder: DataFolder, binaries: Binaries, account: Account) -> Credentials:
    """Bring the folder from wherever an earlier start was cut off to where the servers can run."""
    known = find_credentials(folder.credentials)
    credentials = build_credentials() if known is None else with_free_ports(known)
    if not folder.postgres.exists():
        await initialise(folder, binaries, account=account, credentials=credentials)
    else:
        give(folder.postgres, account)
        forget_stale_pid(folder)
        if known is None:
            await renew_passwords(folder, binaries, account=account, credentials=credentials)
    folder.valkey.mkdir(mode=0o700, exist_ok=True)
    give(folder.valkey, account)
    if credentials != known:
        write_credentials(folder.credentials, credentials)
    return credentials


def _urls(credentials: Credentials) -> ServerUrls:
    # It listens on the loopback, without TLS: a driver that tries both builds a context for each connection.
    database = f"{HOST}:{credentials.postgres_port}/{DATABASE}?sslmode=disable"
    return ServerUrls(
        database_url=f"postgresql://{APP_ROLE}:{credentials.app_password}@{database}",
        owner_url=f"postgresql://{OWNER_ROLE}:{credentials.owner_password}@{database}",
        redis_url=f"redis://:{credentials.valkey_password}@{HOST}:{credentials.valkey_port}/0",
    )
