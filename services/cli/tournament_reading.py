"""`spina tournament list, show, entrants, due, bundle`: the public views of tournaments, without a token."""

import asyncio
from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer

from services.cli.tournament_options import Id, Json, Url, run
from services.terminal.printing import say, say_json


class Status(StrEnum):
    OPEN = "open"
    RUNNING = "running"
    FINISHED = "finished"
    ABORTED = "aborted"


Only = Annotated[Status | None, typer.Option("--status", help="Only these.")]
Of = Annotated[str | None, typer.Option("--ruleset", help="Only of this one: charioteer@1.")]
RoundNumber = Annotated[int | None, typer.Option("--round", min=1, max=64, help="This round; the last by default.")]
To = Annotated[Path | None, typer.Option("--to", help="The file; TOURNAMENT.tournament.zip by default.")]


def list_(status: Only = None, ruleset: Of = None, url: Url = None, as_json: Json = False) -> None:
    """List the tournaments, the newest first.

    Example: spina tournament list --status running
    """
    from services.cli.tournament_asking import list_by
    from services.cli.tournament_tables import print_list

    listed = run(lambda: list_by(url, status=status, ruleset=ruleset))
    if as_json:
        say_json({"items": listed})
    else:
        print_list(listed)


def show(given: Id, round_: RoundNumber = None, url: Url = None, as_json: Json = False) -> None:
    """Show a round's tables, why each is as it is, every ruling, and the standings.

    Example: spina tournament show 0199c0de-0000-7000-8000-00000000c0b0 --round 1
    """
    from services.cli.tournament_asking import consult, read_answers, read_shown
    from services.cli.tournament_tables import print_shown

    if as_json:
        say_json(run(lambda: consult(url, given, read_answers)))
        return
    shown = run(lambda: consult(url, given, read_shown))
    if round_ is not None and round_ > shown.tournament.round:
        raise typer.BadParameter(f"expected a round of {shown.tournament.round} that were called, found {round_}")
    print_shown(shown, round_)


def entrants(given: Id, url: Url = None, as_json: Json = False) -> None:
    """Show all entrants with their numbers, who left, and their part in the current round.

    Example: spina tournament entrants 0199c0de-0000-7000-8000-00000000c0b0
    """
    from services.cli.tournament_asking import consult, read_entered
    from services.cli.tournament_tables import print_entered

    entered = run(lambda: consult(url, given, read_entered))
    if as_json:
        say_json({"items": entered})
    else:
        print_entered(entered)


def due(given: Id, url: Url = None, as_json: Json = False) -> None:
    """Show the due inputs: by when, of whom, and who is late.

    Example: spina tournament due 0199c0de-0000-7000-8000-00000000c0b0
    """
    from services.cli.tournament_asking import consult
    from services.cli.tournament_due import list_due
    from services.cli.tournament_tables import print_due

    items = run(lambda: consult(url, given, lambda at: list_due(at, datetime.now(UTC))))
    if as_json:
        say_json({"items": items})
    else:
        print_due(items)


def bundle(given: Id, to: To = None, url: Url = None) -> None:
    """Fetch the one file that verifies the tournament and all its games offline.

    Example: spina tournament bundle 0199c0de-0000-7000-8000-00000000c0b0 --to cup.tournament.zip
    """
    from services.cli.tournament_asking import consult, fetch_bundle

    async def save(at: Any) -> Path:
        path = to or Path(f"{given}.tournament.zip")
        await asyncio.to_thread(path.write_bytes, await fetch_bundle(at))
        return path

    say(str(run(lambda: consult(url, given, save))))
