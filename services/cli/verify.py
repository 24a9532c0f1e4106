"""`spina verify`: whether bundles prove their claims, by the bundles and the reader's own key alone."""

import os
from pathlib import Path
from typing import Annotated

import typer

from services.terminal.printing import say_json
from services.terminal.refusal import told_in_a_sentence

Given = Annotated[
    list[str],
    typer.Argument(metavar="SOURCE...", help="Bundles, folders of them, or addresses of games or tournaments."),
]
PolicyFile = Annotated[
    Path | None, typer.Option("--policy", help="A tlog-policy file: the ledgers and witnesses you trust.")
]
Key = Annotated[str | None, typer.Option("--key", help="The key of the ledger you trust, as NAME+ID+KEY.")]
Since = Annotated[
    Path | None,
    typer.Option("--since", help="A checkpoint that you kept, or an older bundle: the ledger and the game only grew."),
]
Ledger = Annotated[
    str | None, typer.Option("--ledger", help="The ledger's address: every entry is read, for a game logged twice.")
]
Receipts = Annotated[
    Path | None, typer.Option("--receipts", help="What the ledger signed for you: a log that differs is convicted.")
]
Boxes = Annotated[
    list[Path] | None, typer.Option("--box", help="Components that you have yourself beside those of the release.")
]
TokenFile = Annotated[
    Path | None, typer.Option("--token-file", help="A file with your token, for addresses of games not open to all.")
]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON object.")]
Html = Annotated[Path | None, typer.Option("--html", help="Write a page there, to read and to print.")]
Processes = Annotated[int, typer.Option(min=0, max=256, help="How many at once; 0 for one on each core.")]


def verify(  # noqa: PLR0913, PLR0917  each is an option of the command line
    given: Given,
    policy: PolicyFile = None,
    key: Key = None,
    since: Since = None,
    ledger: Ledger = None,
    receipts: Receipts = None,
    box: Boxes = None,
    token_file: TokenFile = None,
    as_json: Json = False,
    html: Html = None,
    processes: Processes = 0,
) -> None:
    """Check bundles offline: every hash, die, seal, signature and clock, and every outcome decided again.

    The bundle of a tournament (ID.tournament.zip) is checked with all its games, every pairing and every standing.
    Of a game or a tournament at a server's address its bundle is fetched, and every entry of the ledger is read that
    the server shows today; a game's is also compared with it.

    Exit code 0 when everything holds by a key you trust, 1 when something does not, 2 when a file is no bundle, 3 when
    all holds that can be checked and something cannot be yet: an unfinished game, no proof or no key.

    Example: spina verify game.spina.zip --key games.example+0123abcd+AZ…

    Example: spina verify season/ --policy club.policy --html season.html

    Example: spina verify cup.tournament.zip --policy club.policy --html cup.html

    Example: spina verify https://games.example/games/0199c0de-0000-7000-8000-000000000001 --policy club.policy
    """
    from domain.rulesets.released import RELEASED
    from services.audits.audit import Terms, sum_up
    from services.audits.fetching import FetchRefused
    from services.audits.page import build_page
    from services.audits.report import report_audit
    from services.audits.sources import SourceRefused, audit_sources, find_sources, read_ledger_for, read_token
    from services.audits.trust import TrustRefused, read_earlier, read_trust
    from services.cli.finding_tables import print_audit, verifying

    try:
        trust = read_trust(policy=policy, key=key, since=since, receipts=receipts, boxes=box or ())
        sources = find_sources(given)
        terms = Terms(trust=read_ledger_for(sources.files, ledger, trust), builders=RELEASED)
        token = None if token_file is None else read_token(token_file, sources.addresses)
    except (TrustRefused, SourceRefused, FetchRefused) as refusal:
        raise typer.BadParameter(str(refusal)) from None
    if not sources.count:
        raise typer.BadParameter("expected at least one bundle, found none (*.zip) in these folders")
    at_once = processes or os.cpu_count() or 1
    with verifying(sources.count) as progress:
        done = audit_sources(sources, terms, processes=at_once, token=token, on_verified=progress.on_game)
        audit = sum_up(tuple(map(progress.on_source, done)), earlier=read_earlier(since))
    if html is not None:
        with told_in_a_sentence(OSError):
            html.write_text(build_page(audit), encoding="utf-8")
    if as_json:
        say_json(report_audit(audit))
    else:
        print_audit(audit)
    raise typer.Exit(audit.exit_code)
