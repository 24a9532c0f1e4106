"""The common part of the commands of `spina tournament`: their options, and how a failure becomes one sentence."""

import asyncio
from collections.abc import Awaitable, Callable
from enum import StrEnum
from pathlib import Path
from typing import Annotated, TypeVar

import typer

from services.terminal.refusal import told_in_a_sentence

T = TypeVar("T")


class Demand(StrEnum):
    OWN_CUSTODY = "own_custody"
    SIGNED = "signed"
    WITNESSED_OPENING = "witnessed_opening"
    LINKS = "links"


Id = Annotated[str, typer.Argument(metavar="TOURNAMENT", help="The id of the tournament.")]
Url = Annotated[str | None, typer.Option("--url", help="The server; the one of SPINA_HOST and SPINA_PORT by default.")]
TokenFile = Annotated[
    Path | None, typer.Option("--token-file", help="A file with your token; without it SPINA_TOKEN is the token.")
]
KeyFile = Annotated[
    Path | None, typer.Option("--key-file", help="A file with the key that you sign by, where the opening names one.")
]
Ruleset = Annotated[str | None, typer.Option("--ruleset", help="One of RULESETS; else the first.")]
Rounds = Annotated[int, typer.Option("--rounds", min=1, max=64, help="How many rounds, paired by score.")]
Size = Annotated[int, typer.Option("--table-size", min=2, max=6, help="How many play at a table, or one less.")]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON object.")]
Demands = Annotated[
    list[Demand] | None, typer.Option("--demand", help="A demand of every game in it; may be given several times.")
]
TermsFile = Annotated[
    Path | None,
    typer.Option(
        "--terms", help="A JSON object of further terms, which replace these; the fields are those at /v1/docs."
    ),
]
Reason = Annotated[str, typer.Option("--reason", help="Why; it stays in the log for ever.")]


def run(ask: Callable[[], Awaitable[T]]) -> T:
    """Run a request to a server, and state a failure in a sentence."""
    import asyncpg

    from infra.logging import configure_logging
    from infra.settings import SettingsRefused
    from services.audits.sources import SourceRefused
    from services.cli.tournament_ruling import AskingRefused
    from services.node.accounts import AccountRefused
    from services.node.addresses import NoServerRunning
    from services.node.databases import DatabaseRefused
    from services.terminal.signing_key_file import SigningKeyRefused
    from spina_client.bot import GameStandsStill
    from spina_client.connection import ServerUrlRefused
    from spina_client.problems import AnswerUnreadable, NoServerThere, Refused, ServerUnreachable
    from spina_players.demonstrations.tournament import TournamentNotWitnessed

    configure_logging("warning")
    with told_in_a_sentence(
        *(Refused, ServerUnreachable, NoServerThere, AnswerUnreadable, ServerUrlRefused, AskingRefused, SourceRefused),
        *(
            GameStandsStill,
            TournamentNotWitnessed,
            SettingsRefused,
            DatabaseRefused,
            NoServerRunning,
            AccountRefused,
            SigningKeyRefused,
        ),
        *(asyncpg.PostgresError, OSError),
    ):
        return asyncio.run(_with_first_failure(ask))
    raise AssertionError


async def _with_first_failure(ask: Callable[[], Awaitable[T]]) -> T:
    try:
        return await ask()
    except ExceptionGroup as failed:
        raise failed.exceptions[0] from None
