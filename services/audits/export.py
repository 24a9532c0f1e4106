"""A stored game as a bundle. The same game gives the same bytes."""

import re

from domain.audit.bundle import Bundle, build_howto
from domain.audit.reading import read_opening
from domain.ids import UUID_PATTERN, GameId
from infra.embedded.servers import find_server_urls
from infra.event_store import EventStore
from infra.postgres.event_store import open_event_store
from infra.settings import Settings


class ExportRefused(Exception):
    """There is nothing to export from, or no such game can exist."""


async def build_bundle(store: EventStore, game: GameId) -> Bundle:
    """Read all that a bundle holds of a game; raises UnknownGame, UnknownComponents and StoreUnavailable."""
    stored = await store.read_game(game)
    opened = read_opening(stored.lines[0])
    assert opened is not None, f"{game} does not begin with game_opened"
    components = await store.read_components(opened.ruleset.components)
    return Bundle(log=b"".join(line + b"\n" for line in stored.lines), components=components, howto=build_howto(game))


async def export_game(settings: Settings, game: GameId, *, database_url: str | None) -> Bundle:
    """Read a game from the given database, else from that of the settings, else from that of a running server."""
    if not re.match(UUID_PATTERN, game):
        raise ExportRefused(f"expected the id of a game, a lower-case UUID, found {game!r}")
    url = database_url or settings.database_url
    if url is None:
        running = find_server_urls(settings.data)
        if running is None:
            raise ExportRefused(f"expected a server that was started with its data in {settings.data}, found none")
        url = running.database_url
    async with open_event_store(url) as store:
        return await build_bundle(store, game)
