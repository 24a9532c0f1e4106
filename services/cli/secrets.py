"""`spina keys`, `spina links`, `spina seal`: the secrets of an operator and of a player."""

import os
from pathlib import Path
from typing import Annotated

import typer

from services.cli.operator import By, ReasonAsked, acting
from services.terminal.printing import say, say_json
from services.terminal.refusal import told_in_a_sentence

keys = typer.Typer(
    name="keys", help="Make, show and turn the master key. Example: spina keys create", no_args_is_help=True
)

LINKS_COUNT = 1024
File = Annotated[Path, typer.Argument(help="Where the chain is kept; only you can read it.")]
Count = Annotated[
    int, typer.Option("--links", min=64, max=65_536, help="How many links to make; games take no fewer than 64.")
]
Next = Annotated[bool, typer.Option("--next", help="Print the next link, and note that it is disclosed.")]
After = Annotated[str | None, typer.Option("--after", help="Print the link after this one, the last the game shows.")]
Game = Annotated[str, typer.Option("--game", help="The game's id.")]
SeatPlace = Annotated[int, typer.Option("--seat", min=0, max=11, help="Your seat.")]
DecisionName = Annotated[str, typer.Option("--decision", help="The decision that you answer: t1/move/0")]
Action = Annotated[str, typer.Argument(help="The action as canonical JSON: sorted keys, no spaces, all fields.")]
Salt = Annotated[str | None, typer.Option("--salt", help="64 hex digits; without it, fresh ones are made.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON object.")]


@keys.command()
def create() -> None:
    """Make a master key where SPINA_MASTER_KEY_FILE states, else in SPINA_DATA. Never overwrites one.

    Keep a copy elsewhere: without it the secrets of all games are lost.

    Example: SPINA_MASTER_KEY_FILE=/etc/spina.key spina keys create
    """
    from infra.keys import KeyRefused, create_key_file
    from infra.settings import SettingsRefused, read_settings

    with told_in_a_sentence(SettingsRefused, KeyRefused, OSError):
        path = read_settings(os.environ).key_file
        key = create_key_file(path)
        say(f"Made the master key {key.key_id} in {path}. Keep a copy elsewhere.")


@keys.command()
def show() -> None:
    """Show the id of the master key in use, which is no secret. The key itself is never shown.

    Example: spina keys show
    """
    from infra.keys import KeyRefused, read_given_key
    from infra.settings import SettingsRefused, read_settings

    with told_in_a_sentence(SettingsRefused, KeyRefused, OSError):
        say(read_given_key(read_settings(os.environ)).key_id)


@keys.command()
def turn(by: By = "", reason: ReasonAsked = None) -> None:
    """Put a new master key in the place of the one in the key file, while servers run.

    They need no restart, and from the next start on need the new key. Copy it to every other machine, and elsewhere.

    Example: spina keys turn
    """
    import asyncio

    from infra.keys import BoxDamaged, KeyRefused, WrongMasterKey
    from infra.settings import read_settings
    from services.node.key_turning import turn_key

    with acting(KeyRefused, WrongMasterKey, BoxDamaged):
        turned = asyncio.run(turn_key(read_settings(os.environ), by=by, reason=reason))
        say(f"The master key is {turned.new} now, and opens all that {turned.former} did. Keep a copy elsewhere.")
        say(f"The former key is in {turned.kept}: delete it once no database is restored from before this turn.")


def links(file: File, count: Count = LINKS_COUNT, is_next: Next = False, after: After = None) -> None:
    """Make a chain of links and print its anchor, or print a link of it.

    The command that takes a seat sends the anchor and the number of links; every later command discloses the next link.

    Example: spina links ada.links; spina links ada.links --next
    """
    from services.terminal.link_file import LinksRefused, create_links, disclose_after, disclose_next

    with told_in_a_sentence(LinksRefused, OSError):
        if after is not None:
            say(disclose_after(file, after))
        elif is_next:
            say(disclose_next(file))
        else:
            say(create_links(file, count))


def seal(
    action: Action, game: Game, seat: SeatPlace, decision: DecisionName, salt: Salt = None, as_json: AsJson = False
) -> None:
    """Print the seal of an action, and the salt that is needed to reveal it, as a shell can read them: eval "$(…)".

    Send the seal now; action and salt when all seals are in. Who loses the salt forfeits.

    Example: spina seal --game 0199c0de-0000-7000-8000-000000000001 --seat 0 --decision t1/open/0 '{"cards":[0]}'
    """
    from services.terminal.sealing import SealRefused, Sought, seal_with

    with told_in_a_sentence(SealRefused):
        sealed = seal_with(Sought(game=game, seat=seat, decision=decision, action=action), salt)
        if as_json:
            say_json(sealed)
        else:
            say(f"seal={sealed.seal}\nsalt={sealed.salt}")
