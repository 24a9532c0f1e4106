"""What `spina tournament` asks of a server, and what it plays there."""

import asyncio
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from random import Random

import typer
from msgspec import Struct
from rich.console import Console
from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

from domain.audit.tournament_bundle import parse_tournament_bundle
from domain.canonical import Json
from domain.ids import PlayerId, StreamVersion, TournamentId
from infra.settings import read_settings
from services.accounts import made_by_owner
from services.audits.sources import read_token
from services.bots.roster import ROSTERS, find_roster
from services.client.client import Client
from services.client.connection import Connection, Request, connected
from services.client.seen import Account
from services.client.tournament import TournamentAt, open_tournament
from services.tournament_demonstration import CupPlan, CupShown, build_terms, demonstrate_tournament
from services.tournaments.shown import TournamentShown

# A checkpoint comes about once a second; a server without a notary has none at all.
PROOF_LOOKS_MAX = 20
PROOF_PAUSE_S = 0.5
NOBODY = Account(id=PlayerId(""), name="", token="")


class Played(Struct, frozen=True, kw_only=True):
    shown: CupShown
    bundle: bytes | None


def build_plan(ruleset: str, *, players: int, rounds: int, table_size: int, name: str) -> CupPlan:
    """Build what to open and who plays it, or refuse the parameter."""
    roster = find_roster(ruleset)
    if roster is None:
        raise typer.BadParameter(f"expected one of {', '.join(each.ruleset for each in ROSTERS)}, found {ruleset}")
    return CupPlan(roster=roster, players=players, rounds=rounds, table_size=table_size, name=name)


async def open_cup(url: str, token_file: Path, plan: CupPlan) -> TournamentId:
    async with asking(url, token_file) as client:
        return (await open_tournament(client, build_terms(plan))).tournament


async def call_next_round(url: str, token_file: Path, tournament: str) -> int:
    async with asking(url, token_file) as client:
        at = TournamentAt(client, TournamentId(tournament))
        number = (await at.read()).round + 1
        await at.call_round(number)
        return number


async def rule_on(url: str, token_file: Path, tournament: str, ruling: str, fields: dict[str, Json]) -> StreamVersion:
    """Rule, and return where the ruling stands."""
    async with asking(url, token_file) as client:
        return (await TournamentAt(client, TournamentId(tournament)).rule(ruling, fields)).first_version


async def close_cup(url: str, token_file: Path, tournament: str, reason: str | None) -> None:
    async with asking(url, token_file) as client:
        await TournamentAt(client, TournamentId(tournament)).close(reason)


@asynccontextmanager
async def asking(url: str, token_file: Path) -> AsyncIterator[Client]:
    """Connect as the account whose token is in the file. Raises SourceRefused and ServerUrlRefused."""
    account = Account(id=PlayerId(""), name="", token=read_token(token_file))
    async with connected(url) as connection:
        yield Client(connection, account)


async def read_shown(url: str, tournament: str) -> CupShown:
    """Read a tournament as anybody may."""
    async with connected(url) as connection:
        at = TournamentAt(Client(connection, NOBODY), TournamentId(tournament))
        return CupShown(
            url=f"{connection.url}{at.path}",
            tournament=await at.read(),
            standings=await at.read_standings(),
            pairings=await at.read_pairings(),
        )


async def fetch_tournament_bundle(url: str, tournament: str) -> bytes:
    async with connected(url) as connection:
        return await _fetch(connection, tournament)


async def play_demonstration(
    url: str, plan: CupPlan, numbers: Random, *, token_file: Path | None, wants_bundle: bool
) -> Played:
    """Play while it is shown how far it is; on standard error, and only to a person."""
    columns = SpinnerColumn(), TextColumn("{task.description}"), TimeElapsedColumn()
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        bar = progress.add_task("entering", total=None)

        def on_moved(seen: TournamentShown) -> None:
            told = f"{seen.entries} entrants, round {seen.round} {seen.round_status or ''}, {seen.version} events"
            progress.update(bar, description=told)

        async with connected(url) as connection:
            organiser = await _find_organiser(token_file)
            shown = await demonstrate_tournament(connection, organiser, plan, numbers=numbers, on_moved=on_moved)
            bundle = await _fetch_with_proofs(connection, shown.tournament.id) if wants_bundle else None
            return Played(shown=shown, bundle=bundle)


async def _find_organiser(token_file: Path | None) -> Account:
    if token_file is not None:
        return Account(id=PlayerId(""), name="", token=read_token(token_file))
    made = await made_by_owner(read_settings(os.environ), name="Demonstration", scope="organiser")
    return Account(id=PlayerId(made.id), name=made.name, token=made.token)


async def _fetch_with_proofs(connection: Connection, tournament: TournamentId) -> bytes:
    """Wait a little for the checkpoint over the last line; without one the bundle is worth less, and still a bundle."""
    for _ in range(PROOF_LOOKS_MAX):
        raw = await _fetch(connection, tournament)
        if parse_tournament_bundle(raw).last_proof is not None:
            return raw
        await asyncio.sleep(PROOF_PAUSE_S)
    return raw


async def _fetch(connection: Connection, tournament: str) -> bytes:
    return await connection.send(Request(method="GET", path=f"/v1/tournaments/{tournament}/bundle", token=None))
