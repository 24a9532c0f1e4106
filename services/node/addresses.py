"""Addresses of servers: those that a process connects to, and its own. URLs with passwords are not printed."""

from msgspec import Struct

from infra.embedded.servers import ServerUrls, find_server_urls
from infra.settings import Settings, read_database_url

# Addresses that mean "all of this machine" cannot be asked; the loopback stands for them.
WILDCARDS = {"0.0.0.0": "127.0.0.1", "::": "::1"}  # noqa: S104  nothing is bound here, the names are translated


def format_url(host: str, port: int) -> str:
    """Return the URL of a server that listens there."""
    host = WILDCARDS.get(host, host)
    return f"http://{f'[{host}]' if ':' in host else host}:{port}"


class NoServerRunning(Exception):
    """Nothing states where the database is."""

    def __init__(self, settings: Settings) -> None:
        super().__init__(
            f"expected a running server with its data in {settings.data}, found none; start it with `make run` or "
            "`spina serve`, or give SPINA_DATABASE_URL"
        )


class Places(Struct, frozen=True, kw_only=True):
    database_url: str
    owner_url: str
    redis_url: str | None

    def __repr__(self) -> str:
        return "Places(…)"


def given_places(settings: Settings, *, database_url: str) -> Places:
    return Places(
        database_url=database_url, owner_url=settings.owner_database_url or database_url, redis_url=settings.redis_url
    )


def find_database_url(settings: Settings, *, given: str | None) -> str:
    """Return the given URL, else that of the settings, else that of a running server.

    Raises SettingsRefused for the given one, NoServerRunning.
    """
    if given:
        return read_database_url("--database", given)
    return settings.database_url or _require_running(settings).database_url


def name_source(settings: Settings, *, given: str | None) -> str:
    """Name the place of that URL, for the operator who has to correct it."""
    if given:
        return "--database"
    return f"the server of {settings.data}" if settings.database_url is None else "SPINA_DATABASE_URL"


def find_owner_url(settings: Settings) -> str:
    """Return the owner's URL in the settings, else that of a running server. Raises NoServerRunning."""
    return settings.owner_database_url or settings.database_url or _require_running(settings).owner_url


def _require_running(settings: Settings) -> ServerUrls:
    running = find_server_urls(settings.data)
    if running is None:
        raise NoServerRunning(settings)
    return running
