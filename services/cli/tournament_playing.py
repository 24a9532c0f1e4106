"""The demonstration of `spina tournament demo`: played while it is shown how far it is."""

import asyncio
import os
from pathlib import Path
from random import Random

from rich.console import Console
from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

from clients.demonstrations.tournament import CupPlan, CupShown, demonstrate_tournament
from domain.audit.tournament_bundle import parse_tournament_bundle
from infra.settings import CLIENT_TOKEN, read_settings
from services.cli.tournament_asking import NOBODY, fetch_bundle, find_account, meeting
from services.node.accounts import made_by_owner
from spina_client.client import Client
from spina_client.connection import Connection
from spina_client.ids import PlayerId, TournamentId
from spina_client.seen import Account
from spina_client.tournament import TournamentAt
from spina_client.tournament_seen import TournamentSeen

# A checkpoint comes about once a second; a server without a notary has none at all.
PROOF_LOOKS_MAX = 20
PROOF_PAUSE_S = 0.5


async def play_demonstration(
    url: str | None, plan: CupPlan, numbers: Random, *, token_file: Path | None, to: Path | None
) -> CupShown:
    """Play while it is shown how far it is; on standard error, and only to a person."""
    columns = SpinnerColumn(), TextColumn("{task.description}"), TimeElapsedColumn()
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
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
    made = await made_by_owner(read_settings(os.environ), name="Demonstration", scope="organiser")
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
