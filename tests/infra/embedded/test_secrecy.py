"""Passwords are in one file that only its owner may read, and nowhere else."""

from pathlib import Path

import asyncpg
import pytest
from redis.asyncio import Redis
from structlog.testing import capture_logs

from infra.embedded.credentials import Credentials, build_credentials, find_credentials
from infra.embedded.folder import DataFolder, find_servers
from infra.embedded.servers import ServerUrls, embedded_servers


async def test_no_password_shows_in_processes_logs_or_files(tmp_path: Path) -> None:
    folder = DataFolder(path=tmp_path / "data")
    with capture_logs() as told:
        async with embedded_servers(folder.path) as urls:
            await fail_on_purpose(urls)
            shown = shown_to_everyone(folder)

    credentials = find_credentials(folder.credentials)
    assert credentials is not None
    files = [path.read_bytes() for path in folder.path.rglob("*") if path.is_file() and path != folder.credentials]
    assert len(shown) == 4
    for secret in secrets_of(credentials):
        assert not any(secret.encode() in content for content in (*shown, *files))
        assert secret not in repr(told)


async def test_a_server_gets_none_of_this_process_environment(tmp_path: Path) -> None:
    folder = DataFolder(path=tmp_path / "data")
    async with embedded_servers(folder.path):
        names = [names_in_environment(pid) for pid in find_servers(folder)]

    assert len(names) == 2
    assert all(found <= {"PATH", "LC_ALL", "TZ"} for found in names)


async def test_the_file_with_the_passwords_is_its_owners_alone(tmp_path: Path) -> None:
    async with embedded_servers(tmp_path / "data"):
        pass

    modes = [(tmp_path / "data" / name).stat().st_mode & 0o777 for name in ("credentials.json", "logs", ".")]

    assert modes == [0o600, 0o700, 0o700]


def test_neither_urls_nor_credentials_print_a_password() -> None:
    credentials = build_credentials()
    urls = ServerUrls(
        database_url="postgresql://a:hidden@h/d", owner_url="postgresql://o:hidden@h/d", redis_url="redis://:hidden@h"
    )

    printed = " ".join(f"{value!r} {value} {list(value.__rich_repr__())}" for value in (credentials, urls))

    assert "hidden" not in printed
    assert not any(secret in printed for secret in secrets_of(credentials))


def test_each_folder_gets_passwords_of_its_own() -> None:
    found = {secret for _ in range(10) for secret in secrets_of(build_credentials())}

    assert len(found) == 30


def shown_to_everyone(folder: DataFolder) -> list[bytes]:
    return [Path(f"/proc/{pid}/{part}").read_bytes() for pid in find_servers(folder) for part in ("cmdline", "environ")]


def names_in_environment(pid: int) -> set[str]:
    settings = Path(f"/proc/{pid}/environ").read_text().split("\0")
    return {setting.partition("=")[0] for setting in settings if setting}


def secrets_of(credentials: Credentials) -> tuple[str, ...]:
    return (credentials.owner_password, credentials.app_password, credentials.valkey_password)


async def fail_on_purpose(urls: ServerUrls) -> None:
    """Typical log lines of servers: a failed login, a failed statement, a refused command."""
    with pytest.raises(asyncpg.InvalidPasswordError):
        await asyncpg.connect(urls.owner_url, password="a guess")
    owner = await asyncpg.connect(urls.owner_url)
    with pytest.raises(asyncpg.UndefinedObjectError):
        await owner.execute(f"ALTER ROLE nobody_here PASSWORD '{urls.owner_url}'")
    await owner.close()
    async with Redis.from_url(urls.redis_url) as client:
        await client.ping()
