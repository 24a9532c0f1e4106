"""The servers from container images, for machines that have an engine and want to test against the published builds."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from secrets import token_urlsafe

from docker.errors import DockerException  # type: ignore[import-untyped]  # docker publishes no types
from msgspec import Struct
from testcontainers.community.postgres import PostgresContainer
from testcontainers.community.valkey import ValkeyContainer

from infra.embedded.credentials import OWNER_ROLE

# The same major versions as the embedded servers.
POSTGRES_IMAGE = "postgres:18"
VALKEY_IMAGE = "valkey/valkey:9"


class NoContainerEngine(Exception):
    """Containers were asked for and there is nothing that runs them."""

    def __init__(self, reason: str) -> None:
        host = os.environ.get("DOCKER_HOST", "the default socket")
        super().__init__(
            f"--services=containers: expected a container engine at {host}, found none ({reason}); "
            f"start one, set DOCKER_HOST, or leave the option out to use the embedded servers"
        )


class Containers(Struct, frozen=True, kw_only=True):
    owner_url: str
    redis_url: str


@contextmanager
def containers() -> Iterator[Containers]:
    """Run both images while the block runs. Raises NoContainerEngine."""
    try:
        postgres = PostgresContainer(POSTGRES_IMAGE, username=OWNER_ROLE, password=token_urlsafe(24), driver=None)
        valkey = ValkeyContainer(VALKEY_IMAGE).with_password(password := token_urlsafe(24))
    except DockerException as error:
        raise NoContainerEngine(str(error)) from error
    with postgres, valkey:
        place = f"{valkey.get_host()}:{valkey.get_exposed_port()}"
        yield Containers(owner_url=postgres.get_connection_url(), redis_url=f"redis://:{password}@{place}/0")
