"""PostgreSQL and Valkey in a data folder, each on one loopback port.

PostgreSQL is made once, completely or not at all. Valkey carries hints alone: it writes nothing to disk.
"""

import asyncio
import shutil
from contextlib import suppress
from pathlib import Path
from signal import SIGINT, SIGQUIT, SIGTERM

from infra.durable_file import sync_folder
from infra.embedded.account import Account, give
from infra.embedded.binaries import Binaries
from infra.embedded.credentials import APP_ROLE, DATABASE, HOST, OWNER_ROLE, Credentials, scram_verifier
from infra.embedded.folder import DataFolder
from infra.embedded.program import READY_TIMEOUT_S, Errand, Program, ServerFailed, run_to_end

PING_TIMEOUT_S = 1.0
PONG = b"+OK\r\n+PONG\r\n"
# Read from standard input: in the arguments everyone on the machine could read the password.
CONFIG = """\
bind {host}
port {port}
requirepass {password}
save ""
appendonly no
# Hints, presence and rate limits are small; when something floods it, what is oldest in use goes first.
maxmemory 128mb
maxmemory-policy allkeys-lru
# Keeps the arguments as they are; a later start recognises a server left running by them.
set-proc-title no
"""

# Logins with a password, over loopback. Nothing else listens.
ACCESS_RULES = f"host all all {HOST}/32 scram-sha-256\n"
# The locale is PostgreSQL's own, so that an index sorts the same on every machine.
INITDB_OPTIONS = ("-A", "reject", "-E", "UTF8", "--locale=C", "--locale-provider=builtin", "--builtin-locale=C.UTF-8")
CREATE_ROLE_AND_DATABASE = f"""\
CREATE ROLE {APP_ROLE} LOGIN;
CREATE DATABASE {DATABASE} OWNER {OWNER_ROLE};
"""
SETTINGS = {
    "listen_addresses": HOST,
    # Their paths have a limit of about a hundred bytes, which a deep folder breaks.
    "unix_socket_directories": "",
    # Every commit reaches the disk before it is answered.
    "fsync": "on",
    # The pools of a server and its workers, some command lines, and a test session with a pool a worker.
    "max_connections": "200",
    # Modest, as this is a personal machine; the system's cache does the rest.
    "shared_buffers": "128MB",
    # A failed statement may carry a secret; its error message is logged, its text is not.
    "log_min_error_statement": "panic",
    "log_timezone": "UTC",
    "timezone": "UTC",
}
# Making a database takes a second or two. Setting passwords may first have to replay the log after a crash, as a start
# does, and is given as long.
PREPARE_TIMEOUT_S = READY_TIMEOUT_S
# The line of postmaster.pid with the state, and its text when connections are taken (as pg_ctl reads it).
PID_LINE = 0
STATUS_LINE = 7
READY = "ready"


def valkey_program(folder: DataFolder, binaries: Binaries, *, port: int, password: str) -> Program:
    async def is_ready(_pid: int) -> bool:
        return await _answers(port, password)

    return Program(
        name="valkey",
        command=(str(binaries.valkey), "-", "--dir", str(folder.valkey)),
        stdin=CONFIG.format(host=HOST, port=port, password=password).encode(),
        stop_signals=(SIGTERM,),
        port=port,
        log=folder.valkey_log,
        is_ready=is_ready,
    )


async def _answers(port: int, password: str) -> bool:
    with suppress(OSError, asyncio.IncompleteReadError, TimeoutError):
        async with asyncio.timeout(PING_TIMEOUT_S):
            reader, writer = await asyncio.open_connection(HOST, port)
            try:
                writer.write(f"AUTH {password}\r\nPING\r\n".encode())
                return await reader.readexactly(len(PONG)) == PONG
            finally:
                writer.close()
                with suppress(OSError):
                    await writer.wait_closed()
    return False


async def initialise(folder: DataFolder, binaries: Binaries, *, account: Account, credentials: Credentials) -> None:
    """Make roles and database beside the final place, then rename, so that the place never holds a part."""
    unfinished = folder.unfinished_postgres
    shutil.rmtree(unfinished, ignore_errors=True)
    unfinished.mkdir(mode=0o700)
    give(unfinished, account)
    await _run(
        folder, account, command=(str(binaries.initdb), "-D", str(unfinished), "-U", OWNER_ROLE, *INITDB_OPTIONS)
    )
    (unfinished / "pg_hba.conf").write_text(ACCESS_RULES)
    statements = CREATE_ROLE_AND_DATABASE + _set_passwords(credentials)
    await _run(folder, account, command=_single_user(binaries, unfinished), stdin=statements)
    unfinished.rename(folder.postgres)
    sync_folder(folder.path)


async def renew_passwords(
    folder: DataFolder, binaries: Binaries, *, account: Account, credentials: Credentials
) -> None:
    """For data whose passwords were lost: write access to the folder suffices to set them. The server must not run."""
    command = _single_user(binaries, folder.postgres)
    await _run(folder, account, command=command, stdin=_set_passwords(credentials))


def postgres_program(folder: DataFolder, binaries: Binaries, port: int) -> Program:
    settings = [f"{name}={value}" for name, value in SETTINGS.items()]
    options = [part for setting in settings for part in ("-c", setting)]

    async def is_ready(pid: int) -> bool:
        return _is_ready(folder.postgres / "postmaster.pid", pid)

    return Program(
        name="postgres",
        command=(str(binaries.postgres), "-D", str(folder.postgres), "-p", str(port), *options),
        # Fast (connections are ended, a checkpoint is written), then at once (the next start replays the log).
        stop_signals=(SIGINT, SIGQUIT),
        port=port,
        log=folder.postgres_log,
        is_ready=is_ready,
    )


def _is_ready(pid_file: Path, pid: int) -> bool:
    """Whether this very process takes connections; the file may still be an earlier one's."""
    try:
        lines = pid_file.read_text().splitlines()
    except FileNotFoundError:
        return False
    return len(lines) > STATUS_LINE and lines[PID_LINE] == str(pid) and lines[STATUS_LINE].strip() == READY


def _set_passwords(credentials: Credentials) -> str:
    return (
        f"ALTER ROLE {OWNER_ROLE} PASSWORD '{scram_verifier(credentials.owner_password)}';\n"
        f"ALTER ROLE {APP_ROLE} PASSWORD '{scram_verifier(credentials.app_password)}';\n"
    )


def _single_user(binaries: Binaries, data: Path) -> tuple[str, ...]:
    """PostgreSQL without a port, reading one statement a line, that gives up at the first error."""
    quiet = ("-c", "exit_on_error=on", "-c", "log_min_error_statement=panic")
    return (str(binaries.postgres), "--single", "-D", str(data), *quiet, "postgres")


async def _run(folder: DataFolder, account: Account, *, command: tuple[str, ...], stdin: str = "") -> None:
    errand = Errand(
        command=command, account=account, log=folder.postgres_log, timeout_s=PREPARE_TIMEOUT_S, stdin=stdin.encode()
    )
    code = await run_to_end(errand)
    if code != 0:
        raise ServerFailed(Path(command[0]).name, f"it ended with {code}", folder.postgres_log)
