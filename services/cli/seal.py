"""`spina seal`: the hash by which an action is committed to before it is shown."""

from typing import Annotated

import typer

from services.terminal.refusal import told_in_a_sentence

Game = Annotated[str, typer.Option("--game", help="The game's id.")]
SeatPlace = Annotated[int, typer.Option("--seat", min=0, max=11, help="Your seat.")]
DecisionName = Annotated[str, typer.Option("--decision", help="The decision that you answer: t1/move/0")]
Action = Annotated[str, typer.Argument(help="The action as canonical JSON: sorted keys, no spaces, all fields.")]
Salt = Annotated[str | None, typer.Option("--salt", help="64 hex digits; without it, fresh ones are made.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON object.")]


def seal(
    action: Action, game: Game, seat: SeatPlace, decision: DecisionName, salt: Salt = None, as_json: AsJson = False
) -> None:
    """Print the seal of an action, and the salt that is needed to reveal it, as a shell can read them: eval "$(…)".

    Send the seal now; action and salt when all seals are in. Who loses the salt forfeits.

    Example: spina seal --game 0199c0de-0000-7000-8000-000000000001 --seat 0 --decision t1/open/0 '{"cards":[0]}'
    """
    import msgspec

    from services.terminal.sealing import SealRefused, Sought, seal_with

    with told_in_a_sentence(SealRefused):
        sealed = seal_with(Sought(game=game, seat=seat, decision=decision, action=action), salt)
        if as_json:
            typer.echo(msgspec.json.encode(sealed).decode())
        else:
            typer.echo(f"seal={sealed.seal}\nsalt={sealed.salt}")
