"""`spina tournament`: organising from a terminal, over the public API; and a whole tournament of bots, to see one."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Annotated, TypeVar

import typer

from services.cli.refusal import told_in_a_sentence

T = TypeVar("T")

tournament = typer.Typer(
    name="tournament",
    help="Organise tournaments. Example: spina tournament demo --players 8 --rounds 2",
    no_args_is_help=True,
)

URL = "http://127.0.0.1:8000"

Id = Annotated[str, typer.Argument(metavar="TOURNAMENT", help="The id of the tournament.")]
Url = Annotated[str, typer.Option("--url", help="The server.")]
TokenFile = Annotated[Path, typer.Option("--token-file", help="A file with your token.", exists=True, dir_okay=False)]
Ruleset = Annotated[str, typer.Option("--ruleset", help="charioteer, chariot-race or chariotmaster.")]
Name = Annotated[str, typer.Option("--name", help="What the tournament is called.")]
Rounds = Annotated[int, typer.Option("--rounds", min=1, max=64, help="How many rounds, paired by score.")]
Size = Annotated[int, typer.Option("--table-size", min=2, max=6, help="How many play at a table, or one less.")]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON object.")]
Reason = Annotated[str | None, typer.Option("--reason", help="Why rounds are left; it stays in the log for ever.")]


@tournament.callback()
def group() -> None:
    """Organise tournaments."""


@tournament.command("open")
def open_(
    token_file: TokenFile,
    name: Name,
    ruleset: Ruleset = "charioteer",
    rounds: Rounds = 3,
    table_size: Size = 4,
    url: Url = URL,
) -> None:
    """Open a tournament and print its id. All other terms are those of the description at /v1/.

    Example: spina tournament open --token-file orga.token --name Consualia --rounds 5
    """
    from services.cli.tournament_asking import build_plan, open_cup

    plan = build_plan(ruleset, players=0, rounds=rounds, table_size=table_size, name=name)
    typer.echo(_run(lambda: open_cup(url, token_file, plan)))


@tournament.command("round")
def call_round(given: Id, token_file: TokenFile, url: Url = URL) -> None:
    """Call the next round: opens its check-in. It is drawn when all have checked in, or when time is up.

    Example: spina tournament round 0199c0de-0000-7000-8000-00000000c0b0 --token-file orga.token
    """
    from services.cli.tournament_asking import call_next_round

    number = _run(lambda: call_next_round(url, token_file, given))
    typer.echo(f"round {number} is called")


@tournament.command()
def rule(
    given: Id,
    token_file: TokenFile,
    ruling: Annotated[str, typer.Option("--ruling", help="points_ruled, result_replaced, game_voided, …")],
    fields: Annotated[str, typer.Option("--fields", help="What it says, as JSON; see /v1/ for the fields of each.")],
    url: Url = URL,
) -> None:
    """Rule. Nothing that was is edited; the ruling and its reason stay in the log for ever.

    Example: spina tournament rule ID --token-file orga.token --ruling points_ruled
    --fields '{"entrant":3,"round":1,"points":-10,"reason":"Came late twice."}'
    """
    import msgspec

    from domain.canonical import Json as AnyJson
    from services.cli.tournament_asking import rule_on

    try:
        asked = msgspec.json.decode(fields, type=dict[str, AnyJson])
    except msgspec.DecodeError as error:
        raise typer.BadParameter(f"expected the fields of a ruling as JSON, found {error}") from None

    line = _run(lambda: rule_on(url, token_file, given, ruling, asked))
    typer.echo(f"line {line}: {ruling}")


@tournament.command()
def close(given: Id, token_file: TokenFile, reason: Reason = None, url: Url = URL) -> None:
    """Close a tournament: its standings are final then.

    Example: spina tournament close 0199c0de-0000-7000-8000-00000000c0b0 --token-file orga.token
    """
    from services.cli.tournament_asking import close_cup

    _run(lambda: close_cup(url, token_file, given, reason))
    typer.echo("closed")


@tournament.command()
def show(given: Id, url: Url = URL, as_json: Json = False) -> None:
    """Show the last round's tables and the standings.

    Example: spina tournament show 0199c0de-0000-7000-8000-00000000c0b0
    """
    import msgspec

    from services.cli.tournament_asking import read_shown
    from services.cli.tournament_tables import print_standings

    shown = _run(lambda: read_shown(url, given))
    if as_json:
        typer.echo(msgspec.json.encode(shown))
    else:
        print_standings(shown.tournament, shown.standings, shown.pairings)


@tournament.command()
def bundle(
    given: Id,
    to: Annotated[Path | None, typer.Option("--to", help="The file; ID.tournament.zip by default.")] = None,
    url: Url = URL,
) -> None:
    """Fetch the one file with which anyone verifies the tournament and all its games offline.

    Example: spina tournament bundle 0199c0de-0000-7000-8000-00000000c0b0 --to cup.tournament.zip
    """
    from services.cli.tournament_asking import fetch_tournament_bundle

    path = to or Path(f"{given}.tournament.zip")
    path.write_bytes(_run(lambda: fetch_tournament_bundle(url, given)))
    typer.echo(str(path))


@tournament.command()
def demo(  # noqa: PLR0913, PLR0917  each is an option of the command line
    ruleset: Ruleset = "charioteer",
    players: Annotated[int, typer.Option("--players", min=2, max=256, help="How many bots enter.")] = 8,
    rounds: Rounds = 2,
    table_size: Size = 4,
    url: Url = URL,
    token_file: Annotated[
        Path | None, typer.Option("--token-file", help="An organiser's; without it one is made in the database.")
    ] = None,
    to: Annotated[Path | None, typer.Option("--bundle", help="Write the tournament's bundle there.")] = None,
    seed: Annotated[int, typer.Option("--seed", help="What the bots' whims are drawn from.")] = 1,
) -> None:
    """Play a whole tournament of bots over the public API.

    Example: spina tournament demo --ruleset chariot-race --players 12 --rounds 3 --bundle cup.tournament.zip
    """
    from random import Random

    from infra.logging import configure_logging
    from services.cli.tournament_asking import build_plan, play_demonstration
    from services.cli.tournament_tables import print_standings

    configure_logging("warning")
    plan = build_plan(ruleset, players=players, rounds=rounds, table_size=table_size, name="Demonstration")
    numbers = Random(seed)  # noqa: S311  the bots' whims, which a seed repeats
    played = _run(lambda: play_demonstration(url, plan, numbers, token_file=token_file, wants_bundle=to is not None))
    print_standings(played.shown.tournament, played.shown.standings, played.shown.pairings)
    typer.echo(played.shown.url)
    if to is not None and played.bundle is not None:
        to.write_bytes(played.bundle)
        typer.echo(str(to))


def _run(ask: Callable[[], Awaitable[T]]) -> T:
    """Run, and say in a sentence what went wrong."""
    import asyncpg

    from infra.settings import SettingsRefused
    from services.accounts import AccountRefused
    from services.audits.sources import SourceRefused
    from services.bots.player import GameStandsStill
    from services.client.connection import ServerUrlRefused
    from services.client.problems import AnswerUnreadable, Refused, ServerUnreachable
    from services.serving import DatabaseRefused

    async def first_failure() -> T:
        try:
            return await ask()
        except ExceptionGroup as failed:
            raise failed.exceptions[0] from None

    with told_in_a_sentence(
        *(Refused, ServerUnreachable, AnswerUnreadable, ServerUrlRefused, GameStandsStill, SourceRefused),
        *(SettingsRefused, DatabaseRefused, AccountRefused, asyncpg.PostgresError, OSError),
    ):
        return asyncio.run(first_failure())
    raise AssertionError
