"""`spina rules`: the check of a ruleset, of this installation or of a project, before games are played by it."""

from pathlib import Path
from typing import Annotated

import typer

from services.terminal.printing import PlainGroup, say, say_json
from services.terminal.refusal import told_in_a_sentence

rules = typer.Typer(
    name="rules",
    cls=PlainGroup,
    help="Check a ruleset by random games. Example: spina rules check examples/spina_crowd --games 2000",
    no_args_is_help=True,
)
Named = Annotated[str, typer.Argument(metavar="RULESET", help="A ruleset, or the folder of a project with one.")]
Games = Annotated[int, typer.Option(min=2, max=1_000_000, help="How many random games.")]
Elsewhere = Annotated[int, typer.Option(min=0, help="How many of them are played again by other processes.")]
Python = Annotated[list[str] | None, typer.Option("--python", help="Another interpreter with Spina, to compare with.")]
Before = Annotated[Path | None, typer.Option("--before", help="An earlier report: the same games must be the same.")]
To = Annotated[Path | None, typer.Option("--to", help="Write the report there as JSON.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print the report as JSON.")]


@rules.command()
def check(  # noqa: PLR0913, PLR0917  each is an option of the command line
    named: Named,
    games: Games = 2_000,
    elsewhere: Elsewhere = 40,
    python: Python = None,
    before: Before = None,
    to: To = None,
    as_json: AsJson = False,
) -> None:
    """Play random games of every variant, and print the faults of each kind.

    Half of the games are wild: seats resign and withhold seals. Every option's values and every number of seats get
    their games. The line for a reader's policy names the rules as they were checked.

    Exit code 0 without faults, 1 with some.

    Example: spina rules check charioteer --games 100

    Example: spina rules check examples/spina_crowd --before crowd-1.json --to crowd-2.json
    """
    import msgspec

    from services.practice.checks.check import Checked, CheckPlan, check_ruleset
    from services.practice.checks.elsewhere import ElsewhereFailed, play_elsewhere
    from services.practice.checks.subject import SubjectRefused, find_subject
    from services.terminal.check_tables import print_checked
    from services.terminal.practice_tables import shown

    with told_in_a_sentence(SubjectRefused, ElsewhereFailed, OSError, msgspec.DecodeError):
        subject = find_subject(named)
        earlier = None if before is None else msgspec.json.decode(before.read_bytes(), type=Checked)
        compared = min(elsewhere, games)
        others = tuple(play_elsewhere(named, compared, pythons=python or ())) if compared else ()
        checked = check_ruleset(
            subject,
            CheckPlan(games=games),
            elsewhere=others,
            before=earlier,
            passed=lambda numbers: shown(numbers, games),
        )
        if to is not None:
            to.write_bytes(msgspec.json.format(msgspec.json.encode(checked), indent=2) + b"\n")
    if as_json:
        say_json(checked)
    else:
        print_checked(checked)
    if not checked.is_sound:
        say(f"spina: expected no faults of {checked.ruleset}, found {sum(checked.counts.values())}", err=True)
        raise typer.Exit(1)
