"""`spina simulate attack`: attackers against a server of its own, beside honest players, and what these noticed."""

import asyncio
from itertools import product
from typing import Annotated

import typer

from services.terminal.printing import say, say_json
from services.terminal.refusal import told_in_a_sentence

# Times the strength at which a server once gave way.
STRENGTHS = (1, 4)

Names = Annotated[list[str] | None, typer.Option("--only", help="The attack to run; all by default.")]
Strength = Annotated[int, typer.Option(min=0, max=16, help="Times the first strength of an attack; 0 for 1 and 4.")]
Seconds = Annotated[float, typer.Option(min=5, max=600, help="How long each attack takes.")]
Caddy = Annotated[
    str | None, typer.Option("--caddy", help="Attack a server behind this Caddy as well, with the project's Caddyfile.")
]
AsJson = Annotated[bool, typer.Option("--json", help="Print the figures as JSON, for machines.")]


def attack(
    only: Names = None, strength: Strength = 0, seconds: Seconds = 20.0, caddy: Caddy = None, as_json: AsJson = False
) -> None:
    """Attack a server of its own over the loopback, beside honest players, and print what they noticed.

    Each attack stands beside the same server without attackers. The exit code is 1 where a clock ran out, a player gave
    up, an entrant was not checked in, the 99th percentile of commands took more than three times the quiet one, or the
    server more than 200 MB.

    Example: spina simulate attack --only half_bodies --strength 4

    Example: spina simulate attack --caddy caddy
    """
    from infra.logging import configure_logging
    from infra.open_files import raise_limit
    from simulate.attack.running import HEADER, NONE, AttackDidNotBegin, CaddyDidNotStart, list_faults, run
    from simulate.attack.strangers import ATTACKS
    from simulate.tournament.own_server import ServerDidNotStart

    configure_logging("error")
    raise_limit()
    unknown = set(only or ()) - {NONE, *ATTACKS}
    if unknown:
        raise typer.BadParameter(f"expected attacks out of {', '.join(ATTACKS)}, found {', '.join(sorted(unknown))}")
    names = [name for name in only or ATTACKS if name != NONE]
    rows, faults = [], []
    if not as_json:
        say(HEADER)
    for proxy in (None, caddy) if caddy else (None,):
        quiet = None
        for name, times in ((NONE, 1), *product(names, (strength,) if strength else STRENGTHS)):
            with told_in_a_sentence(ServerDidNotStart, CaddyDidNotStart, AttackDidNotBegin):
                row = asyncio.run(run(name, times, seconds, caddy=proxy))
            quiet = quiet or row
            faults += list_faults(row, quiet)
            rows.append(row)
            if not as_json:
                say(row.format(list_faults(row, quiet)))
    if as_json:
        say_json(rows)
    raise typer.Exit(1 if faults else 0)
