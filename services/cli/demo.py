"""`spina demo`: a whole game of bots against a running server."""

import asyncio
import os
from typing import Annotated

import typer

from services.terminal.refusal import told_in_a_sentence

Ruleset = Annotated[
    str | None, typer.Option("--ruleset", help="One of RULESETS, with or without @version; else the first.")
]
Url = Annotated[str | None, typer.Option("--url", help="The server; else the one of SPINA_HOST and SPINA_PORT.")]
Table = Annotated[
    str | None, typer.Option("--table", help="A table by its name: TABLES. Without it a short race is played.")
]
Changes = Annotated[list[str] | None, typer.Option("--option", help="An option as NAME=VALUE; several times.")]
Seats = Annotated[int, typer.Option("--seats", min=2, max=6, help="How many seats.")]
Bots = Annotated[str | None, typer.Option("--bots", help="Who plays, by name, with commas: BOTS.")]
OwnCustody = Annotated[bool, typer.Option("--own-custody", help="Bots keep what they seal until they reveal it.")]
Signed = Annotated[bool, typer.Option("--signed", help="Every command is signed by a key of its seat.")]
Witnessed = Annotated[bool, typer.Option("--witnessed", help="Seats are taken once the ledger shows the opening.")]
Seed = Annotated[int, typer.Option("--seed", help="What the bots' whims are drawn from.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON object.")]


def demo(  # noqa: PLR0913, PLR0917  each is an option of the command line
    ruleset: Ruleset = None,
    url: Url = None,
    table: Table = None,
    changes: Changes = None,
    seats: Seats = 3,
    bots: Bots = None,
    own_custody: OwnCustody = False,
    is_signed: Signed = False,
    is_witnessed: Witnessed = False,
    seed: Seed = 1,
    as_json: AsJson = False,
) -> None:
    """Play one game of bots, each with an account, links and secrets of its own, over the public API.

    Example: spina demo --ruleset chariot-race --table "Side B" --bots careful,fast --seats 4 --signed
    """
    from infra.logging import configure_logging
    from infra.settings import SettingsRefused, read_settings
    from services.cli.demonstrations import print_demonstration, shown
    from services.node.addresses import format_url
    from services.terminal.kits import require_bots, require_kit, require_options
    from spina_client.bot import GameStandsStill
    from spina_client.connection import ServerUrlRefused
    from spina_client.problems import AnswerUnreadable, NoServerThere, Refused, ServerUnreachable
    from spina_players.demonstrations.game import OpeningNotWitnessed, Plan

    configure_logging("warning")
    kit = require_kit(ruleset)
    plan = Plan(
        kit=kit,
        bots=require_bots(kit, bots),
        options=require_options(kit, table, changes),
        seats=seats,
        custody="own" if own_custody else "server",
        is_signed=is_signed,
        is_witnessed=is_witnessed,
    )
    with told_in_a_sentence(
        *(SettingsRefused, ServerUrlRefused, NoServerThere),
        *(Refused, ServerUnreachable, AnswerUnreadable, GameStandsStill, OpeningNotWitnessed),
    ):
        if url is None:
            settings = read_settings(os.environ)
            url = format_url(settings.host, settings.port)
        demonstrated = asyncio.run(shown(url, plan, seed))
    print_demonstration(demonstrated, as_json=as_json)
