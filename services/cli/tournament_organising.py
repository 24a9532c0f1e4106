"""`spina tournament open, close-entries, round, rule, close, abort`: what an organiser does, each a line of the log."""

from enum import StrEnum
from typing import Annotated

import typer

from services.cli.tournament_options import Demands, Id, Reason, Rounds, Ruleset, Size, TermsFile, TokenFile, Url, run


class Ruling(StrEnum):
    POINTS_RULED = "points_ruled"
    RESULT_REPLACED = "result_replaced"
    GAME_VOIDED = "game_voided"
    TABLE_REPLAYED = "table_replayed"
    ENTRANT_REMOVED = "entrant_removed"
    NO_SHOW_TOLD = "no_show_told"


Name = Annotated[str, typer.Option("--name", help="What the tournament is called.")]
CloseReason = Annotated[str | None, typer.Option("--reason", help="Why rounds are left; it stays in the log for ever.")]
Kind = Annotated[Ruling, typer.Option("--ruling", help="What is ruled.")]
Entrant = Annotated[list[str] | None, typer.Option("--entrant", help="A number or a name; several for a no-show.")]
Points = Annotated[int | None, typer.Option("--points", help="An award, or a penalty below 0.")]
RoundNumber = Annotated[int | None, typer.Option("--round", min=1, max=64, help="The round.")]
TableNumber = Annotated[int | None, typer.Option("--table", min=1, help="The table, as it was drawn last.")]
Places = Annotated[str | None, typer.Option("--places", help="The place of each seat in order: 2,1,3; - for none.")]


def open_(  # noqa: PLR0913, PLR0917  each is an option of the command line
    name: Name,
    token_file: TokenFile = None,
    ruleset: Ruleset = "charioteer",
    rounds: Rounds = 3,
    table_size: Size = 4,
    demands: Demands = None,
    terms: TermsFile = None,
    url: Url = None,
) -> None:
    """Open a tournament and print its id. Its games demand links of the players unless something else is said.

    Example: spina tournament open --token-file orga.token --name Consualia --rounds 5 --demand links --demand signed
    """
    from services.cli.tournament_asking import build_plan, open_cup, read_terms

    further = read_terms(terms, demands)
    plan = build_plan(ruleset, players=0, rounds=rounds, table_size=table_size, terms=further)
    typer.echo(run(lambda: open_cup(url, token_file, plan, name)))


def close_entries(given: Id, token_file: TokenFile = None, url: Url = None) -> None:
    """Close the entries: nobody comes late any more.

    Example: spina tournament close-entries 0199c0de-0000-7000-8000-00000000c0b0 --token-file orga.token
    """
    from services.cli.tournament_asking import close_the_entries

    typer.echo(f"entries are closed with {run(lambda: close_the_entries(url, token_file, given))} entrants")


def call_round(given: Id, token_file: TokenFile = None, url: Url = None) -> None:
    """Call the next round: opens its check-in. It is drawn when all have checked in, or when time is up.

    Example: spina tournament round 0199c0de-0000-7000-8000-00000000c0b0 --token-file orga.token
    """
    from services.cli.tournament_asking import call_next_round

    called = run(lambda: call_next_round(url, token_file, given))
    typer.echo(f"round {called.round} is called: {len(called.waiting)} may check in until {called.until}")


def rule(  # noqa: PLR0913, PLR0917  each is an option of the command line
    given: Id,
    ruling: Kind,
    reason: Reason,
    token_file: TokenFile = None,
    entrant: Entrant = None,
    round_: RoundNumber = None,
    table: TableNumber = None,
    points: Points = None,
    places: Places = None,
    url: Url = None,
) -> None:
    """Rule. Nothing that was is edited; the ruling and its reason stay in the log for ever.

    points_ruled takes --entrant, --round and --points; entrant_removed --entrant; result_replaced --round, --table and
    --places; game_voided and table_replayed --round and --table; no_show_told these and --entrant.

    Example: spina tournament rule 0199c0de-0000-7000-8000-00000000c0b0 --token-file orga.token --ruling points_ruled
    --entrant 3 --round 1 --points -10 --reason "Came late twice."
    """
    from services.cli.tournament_asking import rule_on
    from services.cli.tournament_ruling import RulingAsked, check_ruling

    asked = RulingAsked(
        ruling=ruling.value,
        reason=reason,
        entrants=tuple(entrant or ()),
        round=round_,
        table=table,
        points=points,
        places=places,
    )
    check_ruling(asked)
    typer.echo(run(lambda: rule_on(url, token_file, given, asked)))


def close(given: Id, token_file: TokenFile = None, reason: CloseReason = None, url: Url = None) -> None:
    """Close a tournament: its standings are final then, and its secret is disclosed.

    Example: spina tournament close 0199c0de-0000-7000-8000-00000000c0b0 --token-file orga.token
    """
    from services.cli.tournament_asking import close_cup

    run(lambda: close_cup(url, token_file, given, reason))
    typer.echo("closed: the standings are final")


def abort(given: Id, reason: Reason, token_file: TokenFile = None, url: Url = None) -> None:
    """Abort a tournament: it has no final standings, and its secret is disclosed all the same.

    Example: spina tournament abort 0199c0de-0000-7000-8000-00000000c0b0 --token-file orga.token --reason "A fire."
    """
    from services.cli.tournament_asking import abort_cup

    run(lambda: abort_cup(url, token_file, given, reason))
    typer.echo("aborted")
