"""`spina tournament`: organising from a terminal over the public API. Only wires; each command imports when it runs."""

from pathlib import Path
from typing import Annotated

import typer

from services.cli.tournament_export import export
from services.cli.tournament_helping import follow, helper
from services.cli.tournament_options import Demands, Rounds, Ruleset, Size, TermsFile, TokenFile, Url, run
from services.cli.tournament_organising import abort, call_round, close, close_entries, key, open_, rule
from services.cli.tournament_reading import bundle, due, entrants, list_, show
from services.terminal.printing import say
from services.terminal.rulesets import RulesetCommand

Players = Annotated[int, typer.Option("--players", min=2, max=256, help="How many bots enter.")]
To = Annotated[Path | None, typer.Option("--bundle", help="Write the tournament's bundle there.")]
Seed = Annotated[int, typer.Option("--seed", help="The seed of the bots' whims.")]

tournament = typer.Typer(
    name="tournament",
    help="Organise tournaments. Example: spina tournament demo --players 8 --rounds 2",
    no_args_is_help=True,
)


def demo(  # noqa: PLR0913, PLR0917  each is an option of the command line
    ruleset: Ruleset = None,
    players: Players = 8,
    rounds: Rounds = 2,
    table_size: Size = 4,
    url: Url = None,
    token_file: TokenFile = None,
    to: To = None,
    demands: Demands = None,
    terms: TermsFile = None,
    seed: Seed = 1,
) -> None:
    """Play a whole tournament of bots. Without a token an organiser is made in the database.

    Example: spina tournament demo --ruleset chariot-race --players 12 --rounds 3 --bundle cup.tournament.zip
    """
    from random import Random

    from services.cli.demonstrations import play_demonstration
    from services.cli.tournament_asking import build_plan, read_terms
    from services.cli.tournament_tables import print_shown

    plan = build_plan(ruleset, players=players, rounds=rounds, table_size=table_size, terms=read_terms(terms, demands))
    numbers = Random(seed)  # noqa: S311  the bots' whims, which a seed repeats
    shown = run(lambda: play_demonstration(url, plan, numbers, token_file=token_file, to=to))
    print_shown(shown)
    say(shown.url)
    if to is not None:
        say(str(to))


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
tournament.command()(helper)
tournament.command()(follow)
tournament.command()(abort)
tournament.command()(bundle)
tournament.command()(export)
tournament.command(cls=RulesetCommand)(demo)
