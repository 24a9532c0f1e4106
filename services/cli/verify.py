"""`spina verify`: whether bundles prove what they say, by the bundles and the reader's own key alone."""

import os
from pathlib import Path
from typing import Annotated

import typer

Paths = Annotated[list[Path], typer.Argument(help="Bundles, or folders of them.", exists=True)]
PolicyFile = Annotated[
    Path | None, typer.Option("--policy", help="A tlog-policy file: the ledgers and witnesses you trust.")
]
Key = Annotated[str | None, typer.Option("--key", help="The key of the ledger you trust, as NAME+ID+KEY.")]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON object.")]
Html = Annotated[Path | None, typer.Option("--html", help="Write a page there, to read and to print.")]
Processes = Annotated[int, typer.Option(min=0, max=256, help="How many at once; 0 for one on each core.")]


def verify(
    paths: Paths,
    policy: PolicyFile = None,
    key: Key = None,
    as_json: Json = False,
    html: Html = None,
    processes: Processes = 0,
) -> None:
    """Check bundles offline: every hash, die, seal, signature and clock, and every outcome decided again.

    Exit code 0 when everything holds by a key you trust, 1 when something does not, 2 when a file is no bundle, 3 when
    all holds that can be checked and something cannot be yet: an unfinished game, no proof or no key.

    Example: spina verify game.spina.zip --key games.example+0123abcd+AZ…

    Example: spina verify season/ --policy club.policy --html season.html
    """
    import msgspec
    from rich.console import Console
    from rich.progress import track

    from domain.audit.case import Trust
    from domain.rulesets.released import RELEASED
    from services.audits.audit import Terms, audit_files, find_files, sum_up
    from services.audits.page import build_page
    from services.audits.told import as_told
    from services.audits.trust import TrustRefused, read_policy, trust_key
    from services.cli.finding_tables import print_audit

    if policy is not None and key is not None:
        raise typer.BadParameter("expected --policy or --key, found both")
    try:
        trusted = read_policy(policy) if policy is not None else trust_key(key) if key is not None else None
    except TrustRefused as refusal:
        raise typer.BadParameter(str(refusal)) from None
    files = find_files(paths)
    if not files:
        raise typer.BadParameter("expected at least one bundle, found none (*.zip) in these folders")
    done = audit_files(
        files, Terms(trust=Trust(policy=trusted), builders=RELEASED), processes=processes or os.cpu_count() or 1
    )
    shown = track(done, total=len(files), description="verifying", console=Console(stderr=True), transient=True)
    audit = sum_up(tuple(shown if len(files) > 1 else done))
    if html is not None:
        html.write_text(build_page(audit), encoding="utf-8")
    if as_json:
        typer.echo(msgspec.json.encode(as_told(audit)))
    else:
        print_audit(audit)
    raise typer.Exit(audit.exit_code)
