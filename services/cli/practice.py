"""`spina practice`: a bot of the caller's plays many games against house bots, by the rules alone, without a server."""

from pathlib import Path
from typing import Annotated

import typer

from services.terminal.printing import say, say_json
from services.terminal.refusal import told_in_a_sentence

Named = Annotated[
    str, typer.Argument(metavar="BOT", help="MODULE:FUNCTION or FILE.py:FUNCTION, a choose(board, choices).")
]
Ruleset = Annotated[str, typer.Option("--ruleset", help="One of RULESETS.")]
Against = Annotated[
    str | None, typer.Option("--against", help="House bots, with commas, until all seats have one: BOTS.")
]
Seats = Annotated[int, typer.Option(min=2, max=12, help="How many seats each game has.")]
Games = Annotated[int, typer.Option(min=1, max=1_000_000, help="How many games.")]
Seed = Annotated[int, typer.Option(help="The seed of the games.")]
Table = Annotated[str | None, typer.Option("--table", help="A preset of the ruleset: TABLES.")]
Option = Annotated[list[str] | None, typer.Option("--option", help="An option of the game, as NAME=VALUE.")]
To = Annotated[Path | None, typer.Option("--to", help="A folder for plot.svg, report.json and every lost game.")]
Least = Annotated[
    int | None, typer.Option(min=1, max=100, help="End with 1 where the bot won less than this percentage.")
]
AsJson = Annotated[bool, typer.Option("--json", help="Print the report as JSON.")]


def practice(  # noqa: PLR0913, PLR0917  each is an option of the command line
    named: Named,
    ruleset: Ruleset = "chariot-race",
    against: Against = None,
    seats: Seats = 2,
    games: Games = 100,
    seed: Seed = 1,
    table: Table = None,
    option: Option = None,
    to: To = None,
    least: Least = None,
    as_json: AsJson = False,
) -> None:
    """Play a bot against house bots, and print its places with the interval of each share.

    The bot gets the JSON of the API, changes seats from game to game, and loses the games in which it breaks. In the
    folder of `--to` every lost game is a file with a line for each decision: board, choices and action.

    Exit code 0 when all games were played, 1 when the bot broke, or won less than `--least`.

    Example: spina practice my_bot:choose --against fast --games 1000 --to practice
    """
    from itertools import cycle, islice
    from time import process_time

    from infra.ruleset_files import load_ruleset
    from services.practice.games import Plan
    from services.practice.guest import GuestRefused, load_guest
    from services.practice.practice import practise, sum_up, write_loss
    from services.terminal.kits import require_bots, require_kit, require_options
    from services.terminal.practice_tables import print_report, shown, write_report

    kit = require_kit(ruleset)
    rules, names, options = load_ruleset(kit), require_bots(kit, against), require_options(kit, table, option)
    if seats not in rules.seats:
        raise typer.BadParameter(f"expected {rules.seats.start} to {rules.seats.stop - 1} seats, found {seats}")
    rivals = tuple(islice(cycle(names), seats - 1))
    plan = Plan(bots=(), games=games, seed=seed, options=kit.short if options is None else options)
    with told_in_a_sentence(GuestRefused, OSError):
        choose, played = load_guest(named), []
        if to is not None:
            (to / "losses").mkdir(parents=True, exist_ok=True)
        started = process_time()
        for game in shown(practise(kit, rules, choose, rivals, plan), games):
            if to is not None and game.is_lost:
                write_loss(to / "losses", game)
            played.append(game)
        took_s = process_time() - started
        report, title = sum_up(played), f"{named} against {', '.join(rivals)}: {games} games of {kit.reference}"
        if to is not None:
            write_report(to, report, [game.is_won for game in played], title=title)
    if as_json:
        say_json(report)
    else:
        print_report(report, title=title, took_s=took_s)
    is_weak = least is not None and 100 * report.won.count < least * games
    if is_weak:
        say(f"spina: expected at least {least} % won, found {report.won.count} of {games}", err=True)
    if is_weak or report.faults:
        raise typer.Exit(1)
