"""`spina simulate`: whole games between bots, by the rules alone, summed up; the same seed gives the same games.

`spina simulate tournament` plays on a server of its own, with everything that goes wrong at a tournament; `spina
simulate world` runs whole installations in one process, from a seed.
"""

import asyncio
from collections.abc import Iterable, Iterator
from itertools import cycle, islice
from pathlib import Path
from typing import Annotated, Literal, TypeVar

import typer

from services.terminal.printing import say
from services.terminal.refusal import told_in_a_sentence
from services.terminal.rulesets import RulesetCommand, RulesetGroup
from simulate.attack.command import attack
from simulate.cluster.command import cluster
from simulate.kills.command import kill
from simulate.world.command import simulate_world

Ruleset = Annotated[str | None, typer.Option("--ruleset", help="One of RULESETS; else the first.")]
Players = Annotated[int, typer.Option("--players", min=4, max=256, help="How many bots enter.")]
Rounds = Annotated[int, typer.Option("--rounds", min=1, max=64, help="How many rounds.")]
Size = Annotated[int, typer.Option("--table-size", min=2, max=6, help="How many play at a table, or one less.")]
Format = Annotated[
    Literal["score", "round_robin"], typer.Option("--format", help="Rounds paired by score, or all against all.")
]
Restart = Annotated[
    Literal["kill", "stop"],
    typer.Option("--restart", help="Whether the server is killed in the middle, or told to stop."),
]
SitDown = Annotated[int, typer.Option("--sit-down-s", min=1, max=3600, help="How long a seat may stay empty.")]
Evening = Annotated[
    bool, typer.Option("--evening", help="A club's evening: codes, helpers, a pause, a lost phone, a hand-made round.")
]
TournamentSeed = Annotated[int, typer.Option("--seed", help="What the bots' whims are drawn from.")]
Bundle = Annotated[Path | None, typer.Option("--bundle", help="Write the tournament's bundle there.")]

simulate = typer.Typer(
    name="simulate",
    cls=RulesetGroup,
    help="Play whole games between bots and sum them up. Example: spina simulate charioteer --games 200 --seats 4",
    no_args_is_help=True,
)
T = TypeVar("T")
BAR_WIDTH = 50
Games = Annotated[int, typer.Option(min=1, max=1_000_000, help="How many games.")]
Seats = Annotated[int, typer.Option(min=2, max=6, help="How many seats each game has.")]
Bots = Annotated[str | None, typer.Option(help="Who plays, with commas, repeated until every seat has one: BOTS.")]
Seed = Annotated[int, typer.Option(help="The seed of the games.")]
Options = Annotated[
    str | None, typer.Option(help="The game's options as JSON; by default those of a game that is short to watch.")
]
Least = Annotated[
    int | None,
    typer.Option(
        min=50,
        max=100,
        help="End with 1 where a bot is ahead of one named after it in less than this percentage of pairs.",
    ),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print the figures as JSON, for machines.")]


def rehearse(  # noqa: PLR0913, PLR0917  each is an option of the command line
    ruleset: Ruleset = None,
    players: Players = 16,
    rounds: Rounds = 3,
    table_size: Size = 4,
    kind: Format = "score",
    restart: Restart = "kill",
    sit_down_s: SitDown = 20,
    evening: Evening = False,
    seed: TournamentSeed = 1,
    to: Bundle = None,
    as_json: AsJson = False,
) -> None:
    """Play a tournament of bots over HTTP: late entries, no-shows, withdrawals, rulings and a restart in its middle.

    It has a server of its own, which goes away. The bundle is verified at the end; the exit code is that of it.

    Example: spina simulate tournament --players 64 --rounds 5 --bundle cup.tournament.zip
    """
    from infra.logging import configure_logging
    from services.terminal.kits import require_kit
    from simulate.tournament.figures import print_rehearsal
    from simulate.tournament.own_server import ServerDidNotStart
    from simulate.tournament.programme import Rehearsed, build_programme
    from simulate.tournament.rehearsal import rehearse_shown
    from spina_client.bot import GameStandsStill
    from spina_client.problems import AnswerUnreadable, Refused, ServerUnreachable

    configure_logging("warning")
    asked = Rehearsed(
        kit=require_kit(ruleset),
        format=kind,
        players=players,
        rounds=rounds,
        table_size=table_size,
        restart=restart,
        sit_down_ms=sit_down_s * 1000,
        is_evening=evening,
    )
    with told_in_a_sentence(
        *(Refused, ServerUnreachable, AnswerUnreadable, GameStandsStill, ServerDidNotStart, OSError)
    ):
        rehearsal = asyncio.run(rehearse_shown(build_programme(asked), seed=seed))
    if to is not None:
        to.parent.mkdir(parents=True, exist_ok=True)
        to.write_bytes(rehearsal.bundle)
    raise typer.Exit(print_rehearsal(rehearsal, as_json=as_json))


simulate.command(name="tournament", cls=RulesetCommand)(rehearse)
simulate.command(name="attack")(attack)
simulate.command(name="world")(simulate_world)
simulate.command(name="cluster")(cluster)
simulate.command(name="kills")(kill)


def variants(
    ruleset: Ruleset = None,
    games: Games = 20,
    seed: Seed = 1,
    as_json: AsJson = False,
) -> None:
    """Play games of each preset of a ruleset with each number of seats, between bots of one kind.

    Seats that win too often or too seldom are named. A board that the rules rule out ends the program with 1.

    Example: spina simulate variants --ruleset chariotmaster --games 20
    """
    import msgspec

    from infra.ruleset_files import load_ruleset, read_words
    from services.terminal.kits import require_kit
    from simulate.variants import list_variants, play_variants, print_variants

    kit = require_kit(ruleset)
    rules = load_ruleset(kit)
    listed = list_variants(rules, read_words(kit).presets)
    figures = tuple(shown(play_variants(kit, rules, listed, games=games, seed=seed), len(listed)))
    if as_json:
        say(msgspec.json.format(msgspec.json.encode(figures)).decode())
    else:
        print_variants(figures, title=kit.reference)
    if any(found.unsound for found in figures):
        raise typer.Exit(1)


simulate.command(name="variants", cls=RulesetCommand)(variants)


@simulate.command(cls=RulesetCommand)
def ruleset(  # noqa: PLR0913, PLR0917  each is an option of the command line
    context: typer.Context,
    games: Games = 20,
    seats: Seats = 4,
    bots: Bots = None,
    seed: Seed = 1,
    options: Options = None,
    least: Least = None,
    as_json: AsJson = False,
) -> None:
    """Play whole games of this ruleset. A board that the rules rule out ends the program with 1.

    Example: spina simulate charioteer --games 50 --bots strategic,longest --options '{"laps":2}'
    """
    import msgspec

    from infra.ruleset_files import load_ruleset
    from services.practice.games import Plan, find_weak, summarise
    from services.practice.games import simulate as play
    from services.terminal.kits import require_bots, require_kit
    from simulate.summary_tables import print_summary

    kit = require_kit(str(context.info_name))
    names = require_bots(kit, ",".join(kit.bots) if bots is None else bots)
    rules = load_ruleset(kit)
    try:
        chosen = kit.short if options is None else msgspec.json.decode(options, type=dict)
        msgspec.convert(dict(chosen), rules.options_type)
    except msgspec.DecodeError as error:
        raise typer.BadParameter(f"expected options of {kit.reference}, found {error}") from None
    plan = Plan(bots=tuple(islice(cycle(names), seats)), games=games, seed=seed, options=chosen)
    summary = summarise(shown(play(kit, rules, plan), games))
    claims = kit.judge_claims(summary)
    if as_json:
        say(msgspec.json.format(msgspec.json.encode({"summary": summary, "claims": claims})).decode())
    else:
        print_summary(summary, claims, title=kit.reference, width=BAR_WIDTH)
    weak = () if least is None else tuple(find_weak(summary, names, least))
    for sentence in weak:
        say(f"spina: {sentence}", err=True)
    if summary.unsound or weak:
        raise typer.Exit(1)


def shown(results: Iterable[T], count: int) -> Iterator[T]:
    """Pass the results on while a bar shows how far they are; on standard error, and only to a person."""
    from rich.progress import track

    from services.terminal.plain_console import PlainConsole

    return iter(track(results, total=count, description="playing", console=PlainConsole(stderr=True), transient=True))
