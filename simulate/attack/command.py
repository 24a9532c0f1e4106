"""`spina simulate attack`: attackers against a server of its own, beside honest players, and what these noticed."""

import asyncio
from typing import Annotated

import typer

from services.terminal.printing import say, say_json
from services.terminal.refusal import told_in_a_sentence

# Times the strength at which a server once gave way.
STRENGTHS = (1, 4)

Names = Annotated[list[str] | None, typer.Option("--only", help="The attack to run; all by default.")]
Strength = Annotated[int, typer.Option(min=0, max=16, help="Times the first strength of an attack; 0 for 1 and 4.")]
Seconds = Annotated[float, typer.Option(min=5, max=600, help="How long each attack takes.")]
Caddy = Annotated[str | None, typer.Option("--caddy", help="Serve behind this Caddy, with the project's Caddyfile.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print the figures as JSON, for machines.")]


def attack(
    only: Names = None, strength: Strength = 0, seconds: Seconds = 20.0, caddy: Caddy = None, as_json: AsJson = False
) -> None:
    """Attack a server of its own over the loopback, beside honest players, and tell what they noticed.

    The exit code is 1 where a clock ran out, a player gave up, or an entrant was not checked in.

    Example: spina simulate attack --only half_bodies --strength 4
    """
    from infra.logging import configure_logging
    from infra.open_files import raise_limit
    from simulate.attack.running import NONE, CaddyDidNotStart, run
    from simulate.attack.strangers import ATTACKS
    from simulate.tournament.own_server import ServerDidNotStart

    configure_logging("error")
    raise_limit()
    unknown = set(only or ()) - {NONE, *ATTACKS}
    if unknown:
        raise typer.BadParameter(f"expected attacks out of {', '.join(ATTACKS)}, found {', '.join(sorted(unknown))}")
    strengths = (strength,) if strength else STRENGTHS
    rows = []
    for name in only or (NONE, *ATTACKS):
        for each in strengths[:1] if name == NONE else strengths:
            with told_in_a_sentence(ServerDidNotStart, CaddyDidNotStart):
                rows.append(asyncio.run(run(name, each, seconds, caddy=caddy)))
            if not as_json:
                say(rows[-1].told)
    if as_json:
        say_json(rows)
    raise typer.Exit(0 if all(row.is_held for row in rows) else 1)
