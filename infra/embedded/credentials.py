"""Ports and passwords of one data folder, chosen at its first start and kept, so that URLs stay true."""

import base64
import hashlib
import hmac
import os
import secrets
import socket
from pathlib import Path

import msgspec
from msgspec import Struct

HOST = "127.0.0.1"
OWNER_ROLE = "spina_owner"
APP_ROLE = "spina_app"
DATABASE = "spina"
# Below the range from which systems lend ports to outgoing connections: one of those
# could otherwise sit on a server's port during the moment of its restart.
PORTS = range(20_000, 30_000)
PORT_TRIES_MAX = 200
PASSWORD_BYTES = 24
# PostgreSQL's own default.
SCRAM_ITERATIONS = 4096


class NoFreePort(Exception):
    """No port could be bound on the loopback interface."""

    def __init__(self) -> None:
        super().__init__(
            f"expected a free port on {HOST} between {PORTS.start} and {PORTS.stop - 1}, "
            f"found none in {PORT_TRIES_MAX} tries"
        )


class Credentials(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    postgres_port: int
    valkey_port: int
    owner_password: str
    app_password: str
    valkey_password: str

    def __repr__(self) -> str:
        return f"Credentials(postgres_port={self.postgres_port}, valkey_port={self.valkey_port})"

    def __rich_repr__(self) -> list[tuple[str, int]]:
        return [("postgres_port", self.postgres_port), ("valkey_port", self.valkey_port)]


def build_credentials() -> Credentials:
    postgres_port = choose_port(())
    return Credentials(
        postgres_port=postgres_port,
        valkey_port=choose_port((postgres_port,)),
        owner_password=secrets.token_urlsafe(PASSWORD_BYTES),
        app_password=secrets.token_urlsafe(PASSWORD_BYTES),
        valkey_password=secrets.token_urlsafe(PASSWORD_BYTES),
    )


def with_free_ports(known: Credentials) -> Credentials:
    """Keep everything but a port that another process has taken meanwhile."""
    postgres_port = known.postgres_port if is_free(known.postgres_port) else choose_port((known.valkey_port,))
    valkey_port = known.valkey_port if is_free(known.valkey_port) else choose_port((postgres_port,))
    return msgspec.structs.replace(known, postgres_port=postgres_port, valkey_port=valkey_port)


def find_credentials(file: Path) -> Credentials | None:
    """Return None when the folder is new, or the file was deleted: then the roles get new passwords."""
    return msgspec.json.decode(file.read_bytes(), type=Credentials) if file.exists() else None


def write_credentials(file: Path, credentials: Credentials) -> None:
    """Readable by their owner alone, whole or not at all."""
    unfinished = file.with_suffix(".new")
    unfinished.unlink(missing_ok=True)
    with os.fdopen(os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as output:
        output.write(msgspec.json.encode(credentials))
        output.flush()
        os.fsync(output.fileno())
    unfinished.replace(file)


def is_free(port: int) -> bool:
    with socket.socket() as probe:
        # As the servers do themselves; without it a port counts as taken for a minute after its last connection.
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((HOST, port))
        except OSError:
            return False
        return True


def choose_port(taken: tuple[int, ...] = ()) -> int:
    """Find a free port that the system gives to no connection: one of those is lost before a server listens there."""
    for _ in range(PORT_TRIES_MAX):
        port = secrets.choice(PORTS)
        if port not in taken and is_free(port):
            return port
    raise NoFreePort


def scram_verifier(password: str) -> str:
    """Compute PostgreSQL's stored form of a password (RFC 5803), so that the server and its log never see the password.

    Example: `SCRAM-SHA-256$4096:<salt>$<stored key>:<server key>`, all in base64.
    """
    salt = secrets.token_bytes(16)
    salted = hashlib.pbkdf2_hmac("sha256", password.encode(), salt, SCRAM_ITERATIONS)
    stored_key = hashlib.sha256(hmac.digest(salted, b"Client Key", "sha256")).digest()
    server_key = hmac.digest(salted, b"Server Key", "sha256")
    salt_text, stored_text, server_text = (base64.b64encode(part).decode() for part in (salt, stored_key, server_key))
    return f"SCRAM-SHA-256${SCRAM_ITERATIONS}:{salt_text}${stored_text}:{server_text}"
