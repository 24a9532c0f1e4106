"""Demonstrations of `spina demo` and `spina tournament demo`, with their progress."""

import asyncio
import os
from pathlib import Path
from random import Random

from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn
from rich.table import Table

from domain.audit.tournament_bundle import parse_tournament_bundle
from infra.settings import CLIENT_TOKEN, read_settings
from services.cli.tournament_asking import NOBODY, fetch_bundle, find_account, meeting
from services.node.accounts import made_by_owner
from services.terminal.plain_console import PlainConsole
from services.terminal.printing import say, say_json
from spina_client.client import Client
from spina_client.connection import Connection, connected
from spina_client.ids import PlayerId, StreamVersion, TournamentId
from spina_client.seen import Account
from spina_client.tournament import TournamentAt
from spina_client.tournament_seen import TournamentSeen
from spina_players.demonstrations.game import Demonstrated, Plan, demonstrate
from spina_players.demonstrations.tournament import TournamentPlan, TournamentSummary, demonstrate_tournament

# A checkpoint comes about once a second; a server without a notary has none at all.
PROOF_LOOKS_MAX = 20
PROOF_PAUSE_S = 0.5


async def play_demonstration(
    url: str | None, plan: TournamentPlan, numbers: Random, *, token_file: Path | None, to: Path | None
) -> TournamentSummary:
    """Play while it is shown how far it is; on standard error, and only to a person."""
    columns = SpinnerColumn(), TextColumn("{task.description}"), TimeElapsedColumn()
    with Progress(*columns, console=PlainConsole(stderr=True), transient=True) as progress:
        bar = progress.add_task("entering", total=None)

        def on_moved(seen: TournamentSeen) -> None:
            told = f"{seen.entries} entrants, round {seen.round} {seen.round_status or ''}, {seen.version} events"
            progress.update(bar, description=told)

        async with meeting(url) as connection:
            organiser = await _find_organiser(token_file)
            shown = await demonstrate_tournament(connection, organiser, plan, numbers=numbers, on_moved=on_moved)
            if to is not None:
                raw = await _fetch_with_proofs(connection, shown.tournament.id)
                await asyncio.to_thread(to.write_bytes, raw)
            return shown


async def _find_organiser(token_file: Path | None) -> Account:
    if token_file is not None or CLIENT_TOKEN in os.environ:
        return find_account(token_file)
    made = await made_by_owner(read_settings(os.environ), name="Demonstration", role="organiser", by="spina demo")
    return Account(id=PlayerId(made.id), name=made.name, token=made.token)


async def _fetch_with_proofs(connection: Connection, tournament: TournamentId) -> bytes:
    """Wait a little for the checkpoint over the last line; without one the bundle is worth less, and still a bundle."""
    at = TournamentAt(Client(connection, NOBODY), tournament)
    for _ in range(PROOF_LOOKS_MAX):
        raw = await fetch_bundle(at)
        if parse_tournament_bundle(raw).last_proof is not None:
            return raw
        await asyncio.sleep(PROOF_PAUSE_S)
    return raw


async def shown(url: str, plan: Plan, seed: int) -> Demonstrated:
    """Play while the number of events is shown; on standard error, and only to a person.

    Of several seats that fail together, the first failure is raised.
    """
    columns = SpinnerColumn(), TextColumn("{task.description}"), TimeElapsedColumn()
    numbers = Random(seed)  # noqa: S311  the bots' whims, which a seed repeats
    with Progress(*columns, console=PlainConsole(stderr=True), transient=True) as progress:
        bar = progress.add_task("opening", total=None)

        def on_version(version: StreamVersion) -> None:
            progress.update(bar, description=f"{version} events")

        async with connected(url) as connection:
            # A person who forgot to start the server should not wait until one that restarts would be back.
            await connection.meet()
            try:
                return await demonstrate(connection, plan, numbers=numbers, on_version=on_version)
            except ExceptionGroup as failed:
                raise failed.exceptions[0] from None


def print_demonstration(demonstrated: Demonstrated, *, as_json: bool) -> None:
    ranking = demonstrated.game.ranking or ()
    if as_json:
        found = {
            "url": demonstrated.url,
            "page": demonstrated.page,
            "status": demonstrated.game.status,
            "ranking": ranking,
        }
        say_json({**found, "bots": demonstrated.bots})
        return
    table = Table("place", "seat", "bot", box=None)
    for placing in ranking:
        table.add_row(str(placing.place), str(placing.seat), demonstrated.bots[placing.seat])
    say(f"{demonstrated.game.status} after {demonstrated.game.version} events: {demonstrated.page}")
    PlainConsole().print(table)
