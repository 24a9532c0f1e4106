"""The `spina` command. Only wires: each command is a file of its own, and imports its needs when it runs."""

from typing import Annotated

import typer

from services.cli.account import account
from services.cli.demo import demo
from services.cli.doctor import doctor
from services.cli.export import export
from services.cli.keys import keys
from services.cli.links import links
from services.cli.rebuild import rebuild
from services.cli.replay import replay
from services.cli.seal import seal
from services.cli.serve import serve
from services.cli.source_tree import add_groups
from services.cli.tournament import tournament
from services.cli.verify import verify
from services.cli.version import tell_and_exit, version
from services.cli.witness import witness
from services.terminal.refusal import bugs_told_in_a_sentence
from services.terminal.rulesets import RulesetCommand

app = typer.Typer(
    name="spina",
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
app.command()(rebuild)
app.add_typer(keys)
app.add_typer(account)
app.add_typer(tournament)
app.command()(doctor)
add_groups(app)
app.command()(witness)
app.command()(version)


@app.callback()
def options(
    is_version_asked: Annotated[
        bool,
        typer.Option("--version", help="Print the release, and exit.", callback=tell_and_exit, is_eager=True),
    ] = False,
) -> None:
    """Take the options of the command itself."""


def main() -> None:
    with bugs_told_in_a_sentence():
        app()
