"""`spina tournament helper, follow`: joining as a helper by the link of an organiser, and a commentator's looks."""

from typing import Annotated

import typer

from services.cli.tournament_options import Id, KeyFile, TokenFile, Url, run
from services.terminal.printing import say

Link = Annotated[str, typer.Option("--link", help="The link that an organiser gave you, or what stands behind =.")]
RoundNumber = Annotated[int, typer.Option("--round", min=1, max=64, help="The round.")]
TableNumber = Annotated[int, typer.Option("--table", min=1, help="The table, as it was drawn last.")]


def helper(given: Id, link: Link, token_file: TokenFile = None, key_file: KeyFile = None, url: Url = None) -> None:
    """Help the organisers from here on, by the link of one of them; `spina tournament key` makes a key to sign by.

    What your role allows is done by the commands of organisers, with the same token and key.

    Example: spina tournament helper 0199c0de-0000-7000-8000-00000000c0b0 --link "…/organise#help=5e5e…" --token-file
    bea.token --key-file bea.key
    """
    from services.cli.tournament_asking import Identity, join, organise

    identity = Identity(url=url, token_file=token_file, key_file=key_file)
    joined = run(lambda: organise(identity, given, lambda at: join(at, link)))
    say(f"you help as {joined.role}, helper {joined.helper}")


def follow(
    given: Id,
    round_: RoundNumber,
    table: TableNumber,
    token_file: TokenFile = None,
    key_file: KeyFile = None,
    url: Url = None,
) -> None:
    """See the game of a table without its delay from here on, as a commentator or an organiser: on record.

    Example: spina tournament follow 0199c0de-0000-7000-8000-00000000c0b0 --round 1 --table 3 --token-file cara.token
    """
    from services.cli.tournament_asking import Identity, follow_table, organise

    identity = Identity(url=url, token_file=token_file, key_file=key_file)
    say(run(lambda: organise(identity, given, lambda at: follow_table(at, round_, table))))
