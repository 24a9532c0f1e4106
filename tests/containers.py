"""The servers from the images of the compose file, for machines that have an engine: `make containers`."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from secrets import token_urlsafe

import yaml  # type: ignore[import-untyped]  # it comes with Litestar, without types
from docker.errors import DockerException  # type: ignore[import-untyped]  # docker publishes no types
from msgspec import Struct
from testcontainers.community.postgres import PostgresContainer
from testcontainers.community.valkey import ValkeyContainer

from infra.embedded.credentials import OWNER_ROLE

COMPOSE = Path(__file__).parents[1] / "infra" / "deploy" / "compose.yaml"


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
    images = {name: service["image"] for name, service in yaml.safe_load(COMPOSE.read_text())["services"].items()}
    try:
        postgres = PostgresContainer(images["postgres"], username=OWNER_ROLE, password=token_urlsafe(24), driver=None)
        valkey = ValkeyContainer(images["valkey"]).with_password(password := token_urlsafe(24))
    except DockerException as error:
        raise NoContainerEngine(str(error)) from error
    with postgres, valkey:
        place = f"{valkey.get_host()}:{valkey.get_exposed_port()}"
        yield Containers(owner_url=postgres.get_connection_url(), redis_url=f"redis://:{password}@{place}/0")


def main() -> None:
    """Start both once, or end with one sentence: without an engine every test would repeat it."""
    try:
        with containers():
            pass
    except NoContainerEngine as error:
        sys.exit(str(error))


if __name__ == "__main__":
    main()
