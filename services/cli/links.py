"""`spina links`: a chain of links for a seat, kept in a file, disclosed one by one."""

from pathlib import Path
from typing import Annotated

import typer

from services.terminal.refusal import told_in_a_sentence

LINKS_COUNT = 1024

File = Annotated[Path, typer.Argument(help="Where the chain is kept; only you can read it.")]
Count = Annotated[
    int, typer.Option("--links", min=64, max=65_536, help="How many links to make; games take no fewer than 64.")
]
Next = Annotated[bool, typer.Option("--next", help="Print the next link, and note that it is disclosed.")]
After = Annotated[str | None, typer.Option("--after", help="Print the link after this one, the last the game shows.")]


def links(file: File, count: Count = LINKS_COUNT, is_next: Next = False, after: After = None) -> None:
    """Make a chain of links and print its anchor, or print a link of it.

    The command that takes a seat sends the anchor and the number of links; every later command discloses the next link.

    Example: spina links ada.links; spina links ada.links --next
    """
    from services.terminal.link_file import LinksRefused, create_links, disclose_after, disclose_next

    with told_in_a_sentence(LinksRefused, OSError):
        if after is not None:
            typer.echo(disclose_after(file, after))
        elif is_next:
            typer.echo(disclose_next(file))
        else:
            typer.echo(create_links(file, count))
