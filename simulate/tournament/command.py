"""`spina simulate tournament`: a whole tournament on a server of its own, with everything that goes wrong at one."""

import asyncio
from pathlib import Path
from typing import Annotated, Literal

import typer

from services.terminal.refusal import told_in_a_sentence

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
Seed = Annotated[int, typer.Option("--seed", help="What the bots' whims are drawn from.")]
Bundle = Annotated[Path | None, typer.Option("--bundle", help="Write the tournament's bundle there.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print the figures as JSON, for machines.")]


def rehearse(  # noqa: PLR0913, PLR0917  each is an option of the command line
    ruleset: Ruleset = None,
    players: Players = 16,
    rounds: Rounds = 3,
    table_size: Size = 4,
    kind: Format = "score",
    restart: Restart = "kill",
    sit_down_s: SitDown = 20,
    seed: Seed = 1,
    to: Bundle = None,
    as_json: AsJson = False,
) -> None:
    """Play a tournament of bots over HTTP: late entries, no-shows, withdrawals, rulings and a restart in its middle.

    It has a server of its own, which goes away. The bundle is verified at the end; the exit code is that of it.

    Example: spina simulate tournament --players 64 --rounds 5 --bundle cup.tournament.zip
    """
    from clients.bots.player import GameStandsStill
    from infra.logging import configure_logging
    from services.terminal.kits import require_kit
    from simulate.tournament.figures import print_rehearsal
    from simulate.tournament.own_server import ServerDidNotStart
    from simulate.tournament.programme import Rehearsed, build_programme
    from simulate.tournament.rehearsal import rehearse_shown
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
    )
    with told_in_a_sentence(
        *(Refused, ServerUnreachable, AnswerUnreadable, GameStandsStill, ServerDidNotStart, OSError)
    ):
        rehearsal = asyncio.run(rehearse_shown(build_programme(asked), seed=seed))
    if to is not None:
        to.parent.mkdir(parents=True, exist_ok=True)
        to.write_bytes(rehearsal.bundle)
    raise typer.Exit(print_rehearsal(rehearsal, as_json=as_json))
