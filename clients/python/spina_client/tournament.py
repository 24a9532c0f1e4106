"""One tournament at one server, for its organisers and its entrants, with their links and signatures.

The next step is always read from the server, so a program goes on after any interruption.
"""

import asyncio
from collections.abc import Sequence
from hashlib import sha256
from itertools import count
from typing import Any, TypeVar

from spina_client.client import NO_SUCH_VERSION, Client
from spina_client.connection import Connection, Request
from spina_client.formats import Json
from spina_client.ids import LineHash, StreamVersion, TournamentId
from spina_client.problems import Refused
from spina_client.seat_secrets import SeatSecrets
from spina_client.signed_commands import Event, send_signed
from spina_client.tournament_seen import (
    Deadlines,
    Entrants,
    ListedTournament,
    NextSeen,
    Pairings,
    RulingForm,
    RulingForms,
    RulingPreview,
    Standings,
    TournamentAccepted,
    TournamentPage,
    TournamentSeen,
)

T = TypeVar("T")

NOT_NEXT_ENTRANT = "not-next-entrant"
# Another entry at the same moment takes the number; more at once are the load of a script, which enters again.
ENTER_ATTEMPTS_MAX = 64
ENTER_PAUSE_S = 0.05
TEAM_LABEL = b"spina/team-code/v1\x00"
CODE_LABEL = b"spina/entry-code/v1\x00"


class TournamentAt:
    """A tournament in the view of one account. Every method raises the exceptions of the client."""

    def __init__(self, client: Client, tournament: TournamentId, secrets: SeatSecrets | None = None) -> None:
        self.client = client
        self.tournament = tournament
        self.secrets = secrets or SeatSecrets()

    @property
    def path(self) -> str:
        return f"/v1/tournaments/{self.tournament}"

    async def read(self, *, min_version: StreamVersion | None = None) -> TournamentSeen:
        return await self._get("", TournamentSeen, min_version=min_version)

    async def read_entrants(self) -> Entrants:
        return await self._get("/entrants", Entrants)

    async def read_deadlines(self) -> Deadlines:
        return await self._get("/deadlines", Deadlines)

    async def read_standings(self) -> Standings:
        return await self._get("/standings", Standings)

    async def read_pairings(self) -> Pairings:
        return await self._get("/pairings", Pairings)

    async def read_next(self, *, after: StreamVersion | None = None) -> NextSeen | None:
        """Return the player's next step, past a version if one is given; None after some seconds without a new one."""
        seen = await self._get("/next", NextSeen, after=after)
        return seen if after is None or seen.version > after else None

    async def wait_on(self, after: StreamVersion) -> TournamentSeen:
        """Return the tournament once it is past this version, or as it stands after some seconds."""
        try:
            return await self.read(min_version=StreamVersion(after + 1))
        except Refused as refused:
            if refused.problem.code != NO_SUCH_VERSION:
                raise
            return await self.read()

    async def read_bundle(self) -> bytes:
        """Read the file with which `spina verify` proves the tournament and every game of it."""
        return await self.client.connection.send(
            Request(method="GET", path=f"{self.path}/bundle", token=None, is_of_file=True)
        )

    async def enter(self, code: str | None = None, team: tuple[str, str] | None = None) -> TournamentAccepted:
        """Enter under the next free number, with the code that the tournament asks for, if it does.

        `team` is the name of a team and its code, which the first entrant chooses who names it.
        """
        asked: dict[str, Json] = {} if code is None else {"code": sha256(CODE_LABEL + code.encode()).hexdigest()}
        shown: dict[str, Json] = {} if code is None else {"shown_code": code}
        if team is not None:
            name, secret = team
            asked["team"] = {"name": name, "code": sha256(TEAM_LABEL + secret.encode()).hexdigest()}
            shown["shown_team_code"] = secret
        for attempt in count(1):
            brought = {"anchor": self.secrets.anchor, "links": self.secrets.count, "key": self.secrets.public_key}
            fields: dict[str, Json] = {"entrant": (await self.read()).entries, **brought, **asked}
            try:
                return await self.signed(
                    "entries", "entrant_entered", fields, sent=shown, player=self.client.account.id
                )
            except Refused as refused:
                if refused.problem.code != NOT_NEXT_ENTRANT or attempt == ENTER_ATTEMPTS_MAX:
                    raise
                await asyncio.sleep(ENTER_PAUSE_S)
        raise AssertionError(attempt)

    async def check_in(self, seen: NextSeen) -> TournamentAccepted:
        nonce = self.secrets.find_link(seen.last_link, steps=min(seen.links_left, 1))
        fields: dict[str, Json] = {"entrant": seen.entrant, "round": seen.round, "nonce": nonce}
        return await self.signed("check-ins", "entrant_checked_in", fields)

    async def withdraw(self, seen: NextSeen) -> TournamentAccepted:
        return await self.signed("withdrawals", "entrant_withdrawn", {"entrant": seen.entrant})

    async def continue_entry(self, entrant: int, invitation: str) -> TournamentAccepted:
        """Go on with an entry that an organiser handed on, under the links and the key of these secrets."""
        brought = {"anchor": self.secrets.anchor, "links": self.secrets.count, "key": self.secrets.public_key}
        fields: dict[str, Json] = {"entrant": entrant, **brought}
        shown: dict[str, Json] = {"invitation": invitation}
        return await self.signed("continuations", "entry_taken", fields, sent=shown, player=self.client.account.id)

    async def join_as_helper(self, helper: int, invitation: str) -> TournamentAccepted:
        """Help the organisers from here on, by the link that one of them gave, under the key of these secrets."""
        fields: dict[str, Json] = {"helper": helper, "key": self.secrets.public_key}
        shown: dict[str, Json] = {"invitation": invitation}
        return await self.signed("helpers", "helper_joined", fields, sent=shown, player=self.client.account.id)

    async def follow_table(self, number: int, table: int, attempt: int) -> TournamentAccepted:
        """See the game of a table in this round without its delay from here on, as a commentator or an organiser."""
        fields: dict[str, Json] = {"round": number, "table": table, "attempt": attempt}
        return await self.signed("looks", "table_followed", fields)

    async def skip_round(self, entrant: int, number: int) -> TournamentAccepted:
        """Sit out a round that is not drawn yet, without points."""
        return await self.signed("skips", "round_skipped", {"entrant": entrant, "round": number})

    async def call_organiser(self, entrant: int, text: str) -> TournamentAccepted:
        return await self.signed("calls", "organiser_called", {"entrant": entrant, "text": text})

    async def answer_call(self, line: StreamVersion, text: str) -> TournamentAccepted:
        """Answer the call of an entrant in this line."""
        return await self.signed("answers", "call_answered", {"line": line, "text": text})

    async def announce(self, text: str, entrants: Sequence[int] = ()) -> TournamentAccepted:
        """Announce something to these entrants, or to all."""
        return await self.signed("announcements", "announced", {"text": text, "entrants": sorted(entrants)})

    async def call_round(self, number: int) -> TournamentAccepted:
        return await self.signed("rounds", "round_called", {"round": number})

    async def close_entries(self) -> TournamentAccepted:
        return await self.signed("close-entries", "entries_closed", {})

    async def close(self, reason: str | None = None) -> TournamentAccepted:
        return await self.signed("close", "tournament_closed", {"reason": reason})

    async def abort(self, reason: str) -> TournamentAccepted:
        return await self.signed("abort", "tournament_aborted", {"reason": reason})

    async def rule(
        self, ruling: str, fields: dict[str, Json], *, seen: StreamVersion | None = None
    ) -> TournamentAccepted:
        """Rule; `ruling` is the type of the event, `fields` its data.

        With the newest line that was `seen`, a ruling is refused where another has ruled on the same since.
        """
        return await self.signed("rulings", ruling, fields, sent={"ruling": ruling, "seen": seen})

    async def preview_ruling(self, ruling: str, fields: dict[str, Json]) -> RulingPreview:
        """Return the effect of a ruling. It is sent unsigned: with a signature the ruling could be made at once."""
        body = {"command": self.client.new_id(), "ruling": ruling, **fields}
        path = f"{self.path}/rulings/previews"
        return await self.client.connection.post(path, RulingPreview, body, token=self.client.account.token)

    async def signed(
        self, name: str, type_: str, fields: dict[str, Json], *, sent: dict[str, Json] | None = None, **added: Json
    ) -> TournamentAccepted:
        """Send a command; the data of its line (`fields` and `added`) is signed where there is a key."""
        command = self.client.new_id()
        body: dict[str, Any] = {"command": command, **fields, **(sent or {})}
        token = self.client.account.token

        async def send(signature: dict[str, Any]) -> TournamentAccepted:
            signed, path = {**body, **signature}, f"{self.path}/{name}"
            accepted = await self.client.connection.post(path, TournamentAccepted, signed, token=token)
            self.client.keep(accepted.receipt, command)
            return accepted

        event = Event(command=command, data={**fields, **added}, stream=self.tournament, type=type_)
        return await send_signed(event, self.secrets.key, send, self._read_head)

    async def _read_head(self) -> LineHash:
        return (await self.read()).head

    async def _get(self, path: str, answer: type[T], **asked: StreamVersion | None) -> T:
        given = {name: version for name, version in asked.items() if version is not None}
        # Tournaments are read without an account too.
        token = self.client.account.token or None
        return await self.client.connection.get(self.path + path, answer, token=token, **given)


async def list_ruling_forms(connection: Connection) -> tuple[RulingForm, ...]:
    """List the forms of all rulings: the fields that `TournamentAt.rule` sends for each."""
    return (await connection.get("/v1/rulings", RulingForms, token=None)).items


async def list_tournaments(connection: Connection, **asked: str) -> list[ListedTournament]:
    """List the matching tournaments, the newest first."""
    page = await connection.get("/v1/tournaments", TournamentPage, **asked)
    listed = [*page.items]
    while page.next is not None:
        page = await connection.get("/v1/tournaments", TournamentPage, **asked, before=page.next)
        listed += page.items
    return listed


async def open_tournament(client: Client, terms: dict[str, Json], secrets: SeatSecrets | None = None) -> TournamentAt:
    """Open a tournament as the client's account; with the key of `secrets` the organiser signs."""
    body: dict[str, Any] = {"command": client.new_id(), **terms}
    opened = await client.connection.post("/v1/tournaments", TournamentAccepted, body, token=client.account.token)
    return TournamentAt(client, opened.tournament, secrets)
