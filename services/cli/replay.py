"""`spina replay`: a bundle told as a story, or as frames. It warns of a broken chain; `spina verify` checks all."""

from pathlib import Path
from typing import Annotated

import typer

from services.terminal.printing import say

Bundle = Annotated[Path, typer.Argument(help="A bundle.", exists=True, dir_okay=False)]
At = Annotated[int | None, typer.Option("--at", min=1, help="Stop after this line; the board as it stood then.")]
Seat = Annotated[
    int | None, typer.Option("--seat", min=0, max=11, help="As this seat saw it; once the secret is disclosed.")
]
Json = Annotated[
    bool, typer.Option("--json", help="Print one frame a line, {version, line, board}; with --at that one.")
]
Html = Annotated[Path | None, typer.Option("--html", help="Write the race there, as one page that needs no server.")]


def replay(bundle: Bundle, at: At = None, seat: Seat = None, as_json: Json = False, html: Html = None) -> None:
    """Tell the story of a game, and show the board after it. Exit code 1 where it cannot be told, 2 for no bundle.

    A log whose lines do not follow from each other is told with a warning, and ends with 1 too; all else is for
    `spina verify` to find.

    Example: spina replay game.spina.zip --at 57

    Example: spina replay game.spina.zip --seat 2 --json
    """
    from domain.audit.archive import BadArchive
    from domain.audit.bundle import BUNDLE_SIZE_MAX, parse_bundle
    from domain.audit.moments import NotReplayable
    from domain.ids import Seat as SeatPlace
    from services.audits.replay import find_break
    from services.cli.replay_telling import tell_bundle
    from services.terminal.refusal import told_in_a_sentence
    from services.web.race_file import build_race_file

    try:
        with bundle.open("rb") as file:
            read = parse_bundle(file.read(BUNDLE_SIZE_MAX + 1))
    except (BadArchive, OSError) as error:
        say(f"spina: {error}", err=True)
        raise typer.Exit(2) from None
    if html is not None:
        with told_in_a_sentence(NotReplayable, OSError):
            html.write_bytes(build_race_file(read, {}))
        return
    with told_in_a_sentence(NotReplayable):
        tell_bundle(read, None if seat is None else SeatPlace(seat), at=at, as_json=as_json)
    broken = find_break(read.log)
    if broken is not None:
        say(f"spina: this log does not hold, {broken}; see `spina verify {bundle}`", err=True)
        raise typer.Exit(1)
