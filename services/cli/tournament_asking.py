"""The requests of `spina tournament` to a server. Tokens come from a file or the environment, and are never shown."""

import os
import re
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from hashlib import sha256
from pathlib import Path
from typing import Any, TypeVar

import msgspec
import typer
from msgspec import Raw, Struct

from infra.settings import CLIENT_TOKEN, read_settings
from services.audits.sources import read_token
from services.cli.tournament_due import Entered, list_entered
from services.cli.tournament_ruling import AskingRefused, RulingAsked, build_fields, find_table
from services.node.addresses import format_url
from services.terminal.kits import require_kit
from services.terminal.signing_key_file import read_signing_key
from spina_client.client import Client, sign_in
from spina_client.connection import Connection, Request, connected
from spina_client.formats import Json
from spina_client.ids import PlayerId, TournamentId
from spina_client.seat_secrets import SeatSecrets
from spina_client.seen import Account
from spina_client.tournament import TournamentAt, list_tournaments, open_tournament
from spina_client.tournament_seen import HelperSeen, ListedTournament, RoundSeen
from spina_players.demonstrations.tournament import TournamentPlan, TournamentSummary, build_terms

T = TypeVar("T")
NOBODY = Account(id=PlayerId(""), name="", token="")
# Of the link of a helper.
SECRET = re.compile(r"[0-9a-f]{64}")
NOTHING_RULED = "nothing was ruled"
FOR_EVER = "It stays in the log for ever, with its reason; nothing takes it back but another ruling."


def build_plan(
    ruleset: str | None, *, players: int, rounds: int, table_size: int, terms: Mapping[str, Json]
) -> TournamentPlan:
    """Build the plan of a tournament and its players, or refuse the parameter."""
    return TournamentPlan(kit=require_kit(ruleset), players=players, rounds=rounds, table_size=table_size, terms=terms)


def read_terms(path: Path | None, demands: Sequence[str] | None) -> dict[str, Json]:
    """Read a file of further terms, with the demands given by name, or refuse the parameter."""
    named: dict[str, Json] = {"demands": sorted({str(demand) for demand in demands})} if demands else {}
    if path is None:
        return named
    try:
        return {**named, **msgspec.json.decode(path.read_bytes(), type=dict[str, Json])}
    except (OSError, msgspec.DecodeError) as error:
        raise typer.BadParameter(f"expected a JSON object of terms in {path}, found {error}") from None


def find_account(token_file: Path | None) -> Account:
    """Find whose token is in the file, else in the environment. Raises SourceRefused and AskingRefused."""
    if token_file is not None:
        return Account(id=PlayerId(""), name="", token=read_token(token_file))
    token = os.environ.get(CLIENT_TOKEN, "")
    if not token:
        raise AskingRefused(f"expected your token in --token-file or {CLIENT_TOKEN}, found neither")
    if not (token.isascii() and token.isprintable()):
        raise AskingRefused(f"expected a token in {CLIENT_TOKEN}, found something else")
    return Account(id=PlayerId(""), name="", token=token)


@asynccontextmanager
async def meeting(url: str | None) -> AsyncIterator[Connection]:
    """Connect to a server that is there. Raises ServerUrlRefused, NoServerThere and SettingsRefused."""
    if url is None:
        settings = read_settings(os.environ)
        url = format_url(settings.host, settings.port)
    async with connected(url) as connection:
        await connection.meet()
        yield connection


class Identity(Struct, frozen=True, kw_only=True):
    """An organiser at a server: the files of a token and of a signing key, if any."""

    url: str | None
    token_file: Path | None
    key_file: Path | None = None


async def organise(identity: Identity, tournament: str, ask: Callable[[TournamentAt], Awaitable[T]]) -> T:
    """Ask as an organiser; raises the errors of account, key and server."""
    account, secrets = find_account(identity.token_file), _find_secrets(identity)
    async with meeting(identity.url) as connection:
        return await ask(TournamentAt(Client(connection, account), _read_id(tournament), secrets))


async def consult(url: str | None, tournament: str, ask: Callable[[TournamentAt], Awaitable[T]]) -> T:
    """Ask without a token."""
    async with meeting(url) as connection:
        return await ask(TournamentAt(Client(connection, NOBODY), _read_id(tournament)))


async def open_with(identity: Identity, plan: TournamentPlan, name: str, organiser: str | None) -> TournamentId:
    """Open a tournament, in which the organiser of this id signs with the identity's key."""
    account, secrets = find_account(identity.token_file), _find_secrets(identity)
    if (organiser is None) != (identity.key_file is None):
        raise AskingRefused("expected --key-file and --organiser together, found one of them")
    named: dict[str, Json] = {} if organiser is None else {"organisers": {organiser: secrets.public_key}}
    async with meeting(identity.url) as connection:
        terms = {**build_terms(plan), **named, "name": name}
        return (await open_tournament(Client(connection, account), terms, secrets)).tournament


async def close_the_entries(at: TournamentAt) -> int:
    await at.close_entries()
    return (await at.read()).entries


async def call_next_round(at: TournamentAt) -> RoundSeen:
    await at.call_round((await at.read()).round + 1)
    return (await at.read_pairings()).items[-1]


# From the effect of a ruling to whether it shall be made.
Agree = Callable[[Sequence[str]], bool]


async def rule_on(at: TournamentAt, asked: RulingAsked, agree: Agree) -> str:
    """Rule where that is agreed to, and return the ruling and its effect, in words."""
    fields = build_fields(asked, (await at.read_entrants()).items, await at.read_pairings())
    preview = await at.preview_ruling(asked.ruling, fields)
    warned = (f"Look at this: {warned.told}" for warned in preview.warnings)
    if not agree((preview.ruling.told, *(outcome.told for outcome in preview.outcomes), *warned, FOR_EVER)):
        return NOTHING_RULED
    ruled = await at.rule(asked.ruling, fields)
    line, shown = ruled.first_version, await at.read(min_version=ruled.last_version)
    told = next((ruling.told for ruling in shown.rulings if ruling.line == line), asked.ruling)
    if not asked.secret:
        return f"line {line}: {told}"
    # A fragment is never sent to a server, so that no log has the secret.
    page = f"{at.client.connection.url}/tournaments/{at.tournament}"
    handed = f"#entry={fields['entrant']}." if "entrant" in fields else "/organise#help="
    link = f"{page}{handed}{asked.secret.hex()}"
    return f"line {line}: {told}\nGive this link to nobody else; it is not shown again: {link}"


async def join(at: TournamentAt, link: str) -> HelperSeen:
    """Join as the helper whom a link invites; `link` ends with its secret."""
    secret = link.rpartition("=")[2].strip()
    if not SECRET.fullmatch(secret):
        raise AskingRefused("expected the link of an organiser, with 64 hex digits behind its =, found another")
    hashed = sha256(bytes.fromhex(secret)).hexdigest()
    helpers = (await at.read()).helpers
    found = next((helper for helper in helpers if helper.link == hashed and helper.player is None), None)
    if found is None or found.is_dismissed:
        raise AskingRefused("expected an invitation that waits, found none: it was used, or taken back")
    client = await sign_in(at.client.connection, at.client.account.token)
    await TournamentAt(client, at.tournament, at.secrets).join_as_helper(found.helper, secret)
    return found


async def follow_table(at: TournamentAt, round_: int, number: int) -> str:
    """Look at a table inside its delay, and return where its game is."""
    table = find_table(round_, number, await at.read_pairings())
    look = await at.follow_table(round_, number, table.attempt)
    return f"line {look.first_version}: you follow {at.client.connection.url}/games/{table.game}"


async def list_by(url: str | None, *, status: str | None, ruleset: str | None) -> list[ListedTournament]:
    asked = {name: value for name, value in (("status", status), ("ruleset", ruleset)) if value is not None}
    async with meeting(url) as connection:
        return await list_tournaments(connection, **asked)


async def read_answers(at: TournamentAt) -> dict[str, Any]:
    """Read the answers of the server as they are, with fields that this release does not know."""
    get, path = at.client.connection.get, at.path
    return {
        "url": f"{at.client.connection.url}{path}",
        "tournament": await get(path, Raw, token=None),
        "standings": await get(f"{path}/standings", Raw, token=None),
        "pairings": await get(f"{path}/pairings", Raw, token=None),
    }


async def read_entered(at: TournamentAt) -> list[Entered]:
    return list_entered((await at.read_entrants()).items, await at.read_pairings())


async def fetch_export(at: TournamentAt, asked: Mapping[str, str | int]) -> bytes:
    request = Request(method="GET", path=f"{at.path}/export", token=None, params=asked)
    return await at.client.connection.send(request)


async def fetch_bundle(at: TournamentAt) -> bytes:
    return await at.read_bundle()


async def read_shown(at: TournamentAt) -> TournamentSummary:
    return TournamentSummary(
        url=f"{at.client.connection.url}{at.path}",
        tournament=await at.read(),
        standings=await at.read_standings(),
        pairings=await at.read_pairings(),
    )


def _find_secrets(identity: Identity) -> SeatSecrets:
    return SeatSecrets(key=None if identity.key_file is None else read_signing_key(identity.key_file))


def _read_id(text: str) -> TournamentId:
    """Return text that may be an id, so that nothing else ends up in a path."""
    if not text or not all(character in "0123456789abcdef-" for character in text):
        raise AskingRefused(f"expected the id of a tournament, found {text!r}")
    return TournamentId(text)
