"""One tournament at one server, typed: for its organiser and its players.

Links and signatures are done here; the next step is always asked of the server, so a client can go on after a stop.
"""

import asyncio
from itertools import count
from typing import Any, TypeVar

from domain.canonical import Json
from domain.ids import CommandId, StreamVersion, TournamentId
from domain.signature import signed_input
from services.commands.tournaments import TournamentAnswer
from services.reading.tournaments.calendar import Calendar, Next
from services.reading.tournaments.ruling_previews import RulingPreview
from services.reading.tournaments.shown import Entrants, Pairings, Standings, TournamentShown
from spina_client.client import NO_SUCH_VERSION, Client
from spina_client.connection import Connection
from spina_client.problems import Refused
from spina_client.seat_secrets import SeatSecrets
from spina_client.seen import ListedTournament, TournamentPage

T = TypeVar("T")

NOT_NEXT_ENTRANT = "not-next-entrant"
# An entrant of the same moment is one ahead; so many at once are a script, which comes again.
ENTER_ATTEMPTS_MAX = 64
ENTER_PAUSE_S = 0.05


class TournamentAt:
    """A tournament as one account sees it. Every method raises the client's exceptions."""

    def __init__(self, client: Client, tournament: TournamentId, secrets: SeatSecrets | None = None) -> None:
        self.client = client
        self.tournament = tournament
        self.secrets = secrets or SeatSecrets()

    @property
    def path(self) -> str:
        return f"/v1/tournaments/{self.tournament}"

    async def read(self, *, min_version: StreamVersion | None = None) -> TournamentShown:
        return await self._get("", TournamentShown, min_version=min_version)

    async def read_entrants(self) -> Entrants:
        return await self._get("/entrants", Entrants)

    async def read_deadlines(self) -> Calendar:
        return await self._get("/deadlines", Calendar)

    async def read_standings(self) -> Standings:
        return await self._get("/standings", Standings)

    async def read_pairings(self) -> Pairings:
        return await self._get("/pairings", Pairings)

    async def read_next(self, *, after: StreamVersion | None = None) -> Next | None:
        """Return the next step of this player, once the tournament has moved on; None where it did not for a while."""
        try:
            return await self._get("/next", Next, min_version=None if after is None else StreamVersion(after + 1))
        except Refused as refused:
            if refused.problem.code != NO_SUCH_VERSION:
                raise
            return None

    async def wait_on(self, after: StreamVersion) -> TournamentShown:
        """Return the tournament once it has moved on, or as it is after some seconds."""
        try:
            return await self.read(min_version=StreamVersion(after + 1))
        except Refused as refused:
            if refused.problem.code != NO_SUCH_VERSION:
                raise
            return await self.read()

    async def enter(self) -> TournamentAnswer:
        """Enter, with the next free number."""
        for attempt in count(1):
            brought = {"anchor": self.secrets.anchor, "links": self.secrets.count, "key": self.secrets.public_key}
            fields: dict[str, Json] = {"entrant": (await self.read()).entries, **brought}
            try:
                return await self.signed("entries", "entrant_entered", fields, player=self.client.account.id)
            except Refused as refused:
                if refused.problem.code != NOT_NEXT_ENTRANT or attempt == ENTER_ATTEMPTS_MAX:
                    raise
                await asyncio.sleep(ENTER_PAUSE_S)
        raise AssertionError(attempt)

    async def check_in(self, seen: Next) -> TournamentAnswer:
        nonce = self.secrets.find_link(seen.last_link, steps=min(seen.links_left, 1))
        fields: dict[str, Json] = {"entrant": seen.entrant, "round": seen.round, "nonce": nonce}
        return await self.signed("check-ins", "entrant_checked_in", fields)

    async def withdraw(self, seen: Next) -> TournamentAnswer:
        return await self.signed("withdrawals", "entrant_withdrawn", {"entrant": seen.entrant})

    async def call_round(self, number: int) -> TournamentAnswer:
        return await self.signed("rounds", "round_called", {"round": number})

    async def close_entries(self) -> TournamentAnswer:
        return await self.signed("close-entries", "entries_closed", {})

    async def close(self, reason: str | None = None) -> TournamentAnswer:
        return await self.signed("close", "tournament_closed", {"reason": reason})

    async def abort(self, reason: str) -> TournamentAnswer:
        return await self.signed("abort", "tournament_aborted", {"reason": reason})

    async def rule(self, ruling: str, fields: dict[str, Json]) -> TournamentAnswer:
        """Rule; `ruling` is the type of the event, `fields` its data."""
        return await self.signed("rulings", ruling, fields, sent={"ruling": ruling})

    async def preview_ruling(self, ruling: str, fields: dict[str, Json]) -> RulingPreview:
        """Return the effect of a ruling. Unsigned: with a signature it could be made without being agreed to."""
        body = {"command": self.client.new_id(), "ruling": ruling, **fields}
        path = f"{self.path}/rulings/previews"
        return await self.client.connection.post(path, RulingPreview, body, token=self.client.account.token)

    async def signed(
        self, name: str, type_: str, fields: dict[str, Json], *, sent: dict[str, Json] | None = None, **added: Json
    ) -> TournamentAnswer:
        """Send a command; the fields of its line (`fields` and `added`) are signed where there is a key."""
        command = self.client.new_id()
        sig = None
        if self.secrets.key is not None:
            data = {**fields, **added}
            message = signed_input(command=command, data=data, stream=self.tournament, type_=type_)
            sig = self.secrets.key.sign(message).hex()
        body: dict[str, Any] = {"command": command, **fields, **(sent or {}), "sig": sig}
        token = self.client.account.token
        return await self.client.connection.post(f"{self.path}/{name}", TournamentAnswer, body, token=token)

    async def _get(self, path: str, answer: type[T], *, min_version: StreamVersion | None = None) -> T:
        asked = {} if min_version is None else {"min_version": min_version}
        # A client without an account may read all the same.
        token = self.client.account.token or None
        return await self.client.connection.get(self.path + path, answer, token=token, **asked)


async def list_tournaments(connection: Connection, **asked: str) -> list[ListedTournament]:
    """List all that fit, the newest first, page by page."""
    page = await connection.get("/v1/tournaments", TournamentPage, **asked)
    listed = [*page.items]
    while page.next is not None:
        page = await connection.get("/v1/tournaments", TournamentPage, **asked, before=page.next)
        listed += page.items
    return listed


async def open_tournament(client: Client, terms: dict[str, Json], secrets: SeatSecrets | None = None) -> TournamentAt:
    """Open a tournament as the organiser that the client is; `secrets` sign its inputs there, if the terms say so."""
    command: CommandId = client.new_id()
    body: dict[str, Any] = {"command": command, **terms}
    opened = await client.connection.post("/v1/tournaments", TournamentAnswer, body, token=client.account.token)
    return TournamentAt(client, opened.tournament, secrets)
