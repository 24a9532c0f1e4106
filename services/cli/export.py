"""`spina export`: a stored game as the one file that proves it."""

import asyncio
import os
from pathlib import Path
from typing import Annotated

import typer

from services.cli.operator import By, ReasonAsked, acting
from services.terminal.printing import say
from services.terminal.refusal import REFUSED_EXIT_CODE

Game = Annotated[str | None, typer.Argument(help="The id of the game.")]
All = Annotated[bool, typer.Option("--all", help="Every game and tournament that is over and not in the folder yet.")]
Database = Annotated[str | None, typer.Option("--database", help="Its URL, in place of the one in the settings.")]
Html = Annotated[bool, typer.Option("--html", help="As one page that plays and checks the race without a server.")]
Folder = Annotated[
    Path, typer.Option("--to", help="The folder for the file.", exists=True, file_okay=False, writable=True)
]

NOT_FINAL = "spina: the game goes on, or no checkpoint covers its end yet: a later export will hold more"


def export(  # noqa: PLR0913, PLR0917  each is an option of the command line
    game: Game = None,
    is_all: All = False,
    database: Database = None,
    to: Folder = Path(),
    html: Html = False,
    by: By = "",
    reason: ReasonAsked = None,
) -> None:
    """Write GAME.spina.zip. A game that is over gives the same bytes, now or next year, here or over HTTP.

    With --html it is GAME.html, with the bundle in it: a page for every browser, also of a machine without a network.

    With --all the folder gets a file for each game and tournament that is over: an archive for `spina verify FOLDER`.
    Files that are there stay, so that the command may be stopped, and repeated every night.

    Asks the database of SPINA_DATABASE_URL, or its replicas, else that of a running `spina serve`. The export of a
    private game, or of a delayed one that goes on, stands in the operators' record first, by SPINA_OWNER_DATABASE_URL.

    Example: spina export --all --to archive/

    Example: spina export 0199c0de-0000-7000-8000-000000000001 --to season/
    """
    from domain.audit.bundle import bundle_name, format_bundle
    from domain.audit.moments import NotReplayable
    from domain.ids import GameId, StreamId
    from infra.durable_file import replace_file
    from infra.settings import read_settings
    from infra.store_faults import UnknownComponents, UnknownStream
    from services.node.archive import archive_ended
    from services.node.export import Asked, ExportRefused, export_game
    from services.web.race_file import build_race_file

    if (game is None) != is_all or (is_all and html):
        raise typer.BadParameter("expected the id of a game, or --all without --html")
    with acting(ExportRefused, NotReplayable, UnknownStream, UnknownComponents):
        settings = read_settings(os.environ)
        if game is None:
            archived = asyncio.run(archive_ended(settings, to, by=by, reason=reason, database_url=database))
            say(f"{archived.written} written, {archived.there} were there, {archived.waiting} wait for their proof.")
            for name in archived.damaged:
                say(f"spina: no file can be made of {name}", err=True)
            raise typer.Exit(REFUSED_EXIT_CODE if archived.damaged else 0)
        asked = Asked(game=GameId(StreamId(game)), by=by, reason=reason, database_url=database)
        exported = asyncio.run(export_game(settings, asked))
        path = to / (f"{game}.html" if html else bundle_name(GameId(StreamId(game))))
        bundle = exported.bundle
        replace_file(path, build_race_file(bundle, exported.names) if html else format_bundle(bundle))
        say(str(path))
        if not exported.is_final:
            say(NOT_FINAL, err=True)
