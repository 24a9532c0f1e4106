"""`spina tournament`: organising from a terminal over the public API. Only wires; each command imports when it runs."""

import typer

from services.cli.tournament_demo import demo
from services.cli.tournament_export import export
from services.cli.tournament_organising import abort, call_round, close, close_entries, key, open_, rule
from services.cli.tournament_reading import bundle, due, entrants, list_, show
from services.terminal.rulesets import RulesetCommand

tournament = typer.Typer(
    name="tournament",
    help="Organise tournaments. Example: spina tournament demo --players 8 --rounds 2",
    no_args_is_help=True,
)


@tournament.callback()
def group() -> None:
    """Organise tournaments."""


tournament.command("open", cls=RulesetCommand)(open_)
tournament.command()(key)
tournament.command("list")(list_)
tournament.command()(show)
tournament.command()(entrants)
tournament.command()(due)
tournament.command("close-entries")(close_entries)
tournament.command("round")(call_round)
tournament.command()(rule)
tournament.command()(close)
tournament.command()(abort)
tournament.command()(bundle)
tournament.command()(export)
tournament.command(cls=RulesetCommand)(demo)
