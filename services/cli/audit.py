"""`spina audit`: every stored game and tournament decided again, as before an upgrade."""

import asyncio
import os
from collections import Counter
from typing import Annotated
from uuid import UUID

import typer

from services.cli.operator import By, ReasonAsked, acting
from services.terminal.printing import say

All = Annotated[bool, typer.Option("--all", help="Every stored game and tournament, which is all that there is yet.")]
After = Annotated[UUID, typer.Option("--after", help="Continue after this id, in the order of the ids.")]
Processes = Annotated[int, typer.Option(min=0, max=256, help="How many at once; 0 for one on each core.")]

FIRST = UUID(int=0)
HELD, GOES_ON, UNPROVEN, BROKEN = "hold", "go on", "are over and cannot be proven", "do not hold"
MARKS = {UNPROVEN: "…", BROKEN: "✗"}
# As shells have it for an end by SIGINT.
STOPPED_EXIT_CODE = 130


def audit(
    is_all: All = False, after: After = FIRST, processes: Processes = 0, by: By = "", reason: ReasonAsked = None
) -> None:
    """Decide every stored game and tournament again, with the rules of this release. Servers may run meanwhile.

    Ctrl-C prints the id to continue with. Exit code 0 when all hold that are over, 1 when one does not hold, 3 when one
    that is over cannot be proven: a proof is missing, or this release does not know its rules. Asks the database of
    SPINA_DATABASE_URL, else that of a running `spina serve`. As private games are among them, the audit stands in the
    operators' record first, by SPINA_OWNER_DATABASE_URL.

    Example: spina audit --all
    """
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeRemainingColumn

    from infra.settings import read_settings
    from services.node.stored_audits import Asked, Judged, audit_stored
    from services.terminal.plain_console import PlainConsole

    if not is_all:
        raise typer.BadParameter("expected --all; `spina verify ADDRESS` audits one game")
    counts, last = Counter[str](), after
    columns = BarColumn(), MofNCompleteColumn(), TimeRemainingColumn()
    with Progress(*columns, console=PlainConsole(stderr=True), transient=True) as progress:
        bar = progress.add_task("", total=None)

        def on_judged(judged: Judged) -> None:
            nonlocal last
            result = _result_of(judged.exit_code, is_over=judged.is_over)
            if result in MARKS:
                say(f"{MARKS[result]} {judged.stream}: {judged.told}")
            counts[result] += 1
            last = UUID(judged.stream)
            progress.advance(bar)

        try:
            with acting():
                work = audit_stored(
                    read_settings(os.environ),
                    Asked(after=after, processes=processes or os.cpu_count() or 1, by=by, reason=reason),
                    on_counted=lambda total: progress.update(bar, total=total),
                    on_judged=on_judged,
                )
                asyncio.run(work)
        except KeyboardInterrupt:
            say(f"spina: stopped; continue with: spina audit --all --after {last}", err=True)
            raise typer.Exit(STOPPED_EXIT_CODE) from None
    told = ", ".join(f"{counts[result]} {result}" for result in (HELD, GOES_ON, UNPROVEN, BROKEN))
    say(f"{counts.total()} games and tournaments: {told}.")
    raise typer.Exit(1 if counts[BROKEN] else 3 if counts[UNPROVEN] else 0)


def _result_of(exit_code: int, *, is_over: bool) -> str:
    if exit_code == 0:
        return HELD
    if exit_code != 3:  # noqa: PLR2004  as `spina verify` states that a check cannot be made yet
        return BROKEN
    return UNPROVEN if is_over else GOES_ON
