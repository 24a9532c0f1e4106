"""`spina tournament key, open, close-entries, round, rule, close, abort`: an organiser's signed commands."""

import secrets
import sys
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import Annotated, Any, TypeVar

import typer

from services.cli.tournament_options import (
    Demands,
    Id,
    KeyFile,
    Reason,
    Rounds,
    Ruleset,
    Size,
    TermsFile,
    TokenFile,
    Url,
    run,
)
from services.terminal.printing import say
from services.terminal.refusal import told_in_a_sentence

T = TypeVar("T")


Name = Annotated[str, typer.Option("--name", help="The name of the tournament.")]
Table = Annotated[str | None, typer.Option("--table", help="A table by its name: TABLES.")]
Changes = Annotated[list[str] | None, typer.Option("--option", help="An option as NAME=VALUE; several times.")]
Organiser = Annotated[str | None, typer.Option("--organiser", help="Your id, by which the opening names your key.")]
Key = Annotated[Path, typer.Argument(metavar="FILE", help="Where the key is kept; only you can read it.")]
CloseReason = Annotated[str | None, typer.Option("--reason", help="Why rounds are left; it stays in the log for ever.")]
Kind = Annotated[str, typer.Option("--ruling", help="The kind of ruling; an unknown one lists all.")]
Entrant = Annotated[list[str] | None, typer.Option("--entrant", help="A number or a name; several for a group.")]
Points = Annotated[int | None, typer.Option("--points", help="An award, or a penalty below 0.")]
RoundNumber = Annotated[int | None, typer.Option("--round", min=1, max=64, help="The round.")]
TableNumber = Annotated[int | None, typer.Option("--table", min=1, help="The table, as it was drawn last.")]
Places = Annotated[str | None, typer.Option("--places", help="The place of each seat in order: 2,1,3; - for none.")]
Minutes = Annotated[int | None, typer.Option("--minutes", min=1, help="How much time is given.")]
Seats = Annotated[str | None, typer.Option("--seats", help="Who sits where: 1:Ada,Bob;2:Cleo,Dan.")]
Choice = Annotated[
    str | None, typer.Option("--choice", help="The wish, what becomes of a game, or the role; see above.")
]
Helper = Annotated[int | None, typer.Option("--helper", help="The number of a helper.", min=0)]
Yes = Annotated[bool, typer.Option("--yes", help="Rule without being asked; needed without a terminal.")]


def open_(  # noqa: PLR0913, PLR0917  each is an option of the command line
    name: Name,
    token_file: TokenFile = None,
    key_file: KeyFile = None,
    ruleset: Ruleset = None,
    table: Table = None,
    changes: Changes = None,
    rounds: Rounds = 3,
    table_size: Size = 4,
    demands: Demands = None,
    terms: TermsFile = None,
    organiser: Organiser = None,
    url: Url = None,
) -> None:
    """Open a tournament and print its id.

    Unless stated otherwise, its terms are those of the form on the page: links, 60 seconds for a decision and 10
    minutes for a game, 64 entrants at most, the options of the ruleset.

    Example: spina tournament open --token-file orga.token --name Consualia --rounds 5 --demand links --demand signed
    """
    from services.cli.tournament_asking import Identity, build_plan, open_with, read_terms
    from services.terminal.kits import require_kit, require_options

    options = require_options(require_kit(ruleset), table, changes)
    further = {**read_terms(terms, demands), **({} if options is None else {"options": dict(options)})}
    plan = build_plan(ruleset, players=0, rounds=rounds, table_size=table_size, terms=further)
    identity = Identity(url=url, token_file=token_file, key_file=key_file)
    say(run(lambda: open_with(identity, plan, name, organiser)))


def key(file: Key) -> None:
    """Make a key by which you sign your commands, and print its public half.

    Where the opening of a tournament names it, no other party can rule in your name. Open with --key-file and
    --organiser, and give --key-file to every later command.

    Example: spina tournament key ada.key
    """
    from services.terminal.signing_key_file import SigningKeyRefused, create_signing_key

    with told_in_a_sentence(SigningKeyRefused, OSError):
        say(create_signing_key(file))


def close_entries(given: Id, token_file: TokenFile = None, key_file: KeyFile = None, url: Url = None) -> None:
    """Close the entries: no late entry is possible any more.

    Example: spina tournament close-entries 0199c0de-0000-7000-8000-00000000c0b0 --token-file orga.token
    """
    from services.cli.tournament_asking import close_the_entries

    count = _organise(given, url, token_file, key_file, ask=close_the_entries)
    say(f"entries are closed with {count} entrants")


def call_round(given: Id, token_file: TokenFile = None, key_file: KeyFile = None, url: Url = None) -> None:
    """Call the next round: opens its check-in. It is drawn when all have checked in, or when time is up.

    Example: spina tournament round 0199c0de-0000-7000-8000-00000000c0b0 --token-file orga.token
    """
    from services.cli.tournament_asking import call_next_round

    called = _organise(given, url, token_file, key_file, ask=call_next_round)
    say(f"round {called.round} is called: {len(called.waiting)} may check in until {called.until}")


def rule(  # noqa: PLR0913, PLR0917  each is an option of the command line
    given: Id,
    ruling: Kind,
    reason: Reason,
    token_file: TokenFile = None,
    key_file: KeyFile = None,
    entrant: Entrant = None,
    round_: RoundNumber = None,
    table: TableNumber = None,
    points: Points = None,
    places: Places = None,
    minutes: Minutes = None,
    seats: Seats = None,
    choice: Choice = None,
    helper: Helper = None,
    yes: Yes = False,
    url: Url = None,
) -> None:
    """Rule. Nothing that was is edited; the ruling and its reason stay in the log for ever.

    The effect is shown first, and you are asked; a script, without a terminal, needs --yes.

    points_ruled takes --entrant, --round and --points; entrant_removed and entrant_returned --entrant; entrant_excused
    --entrant, --round and --points; result_replaced --round, --table and --places; game_voided and table_replayed
    --round and --table; no_show_told these and --entrant; tables_seated --round and --seats; draw_held, draw_released,
    round_paused and round_resumed --round; time_given --round, --minutes and --table for one alone; pairing_wished
    --entrant often and --choice apart, apart_if_possible, together, together_if_possible or none; entry_handed
    --entrant and --choice again or goes_on; helper_invited --choice with a role; helper_dismissed --helper.

    Example: spina tournament rule 0199c0de-0000-7000-8000-00000000c0b0 --token-file orga.token --ruling points_ruled
    --entrant 3 --round 1 --points -10 --reason "Came late twice."
    """
    from domain.audit.findings import escape_unseen
    from services.cli.tournament_asking import rule_on
    from services.cli.tournament_ruling import RulingAsked, check_ruling, has_link

    asked = RulingAsked(
        ruling=ruling,
        reason=reason.strip(),
        secret=secrets.token_bytes(32) if has_link(ruling) else b"",
        entrants=tuple(entrant or ()),
        round=round_,
        table=table,
        points=points,
        places=places,
        minutes=minutes,
        seats=seats,
        choice=choice,
        helper=helper,
    )
    check_ruling(asked)
    if not yes and not sys.stdin.isatty():
        raise typer.BadParameter("expected --yes or a terminal where you could be asked, found neither")

    def agree(effects: Sequence[str]) -> bool:
        for effect in effects:
            say(escape_unseen(effect), err=True)
        return yes or typer.confirm("Rule so?", err=True)

    say(_organise(given, url, token_file, key_file, ask=lambda at: rule_on(at, asked, agree)))


def close(
    given: Id, token_file: TokenFile = None, key_file: KeyFile = None, reason: CloseReason = None, url: Url = None
) -> None:
    """Close a tournament: its standings are final then, and its secret is disclosed.

    Example: spina tournament close 0199c0de-0000-7000-8000-00000000c0b0 --token-file orga.token
    """
    _organise(given, url, token_file, key_file, ask=lambda at: at.close(reason))
    say("closed: the standings are final")


def abort(given: Id, reason: Reason, token_file: TokenFile = None, key_file: KeyFile = None, url: Url = None) -> None:
    """Abort a tournament: it has no final standings, and its secret is disclosed all the same.

    Example: spina tournament abort 0199c0de-0000-7000-8000-00000000c0b0 --token-file orga.token --reason "A fire."
    """
    _organise(given, url, token_file, key_file, ask=lambda at: at.abort(reason))
    say("aborted")


def _organise(
    given: str, url: str | None, token_file: Path | None, key_file: Path | None, *, ask: Callable[[Any], Awaitable[T]]
) -> T:
    from services.cli.tournament_asking import Identity, organise

    return run(lambda: organise(Identity(url=url, token_file=token_file, key_file=key_file), given, ask))
