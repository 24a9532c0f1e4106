"""One account at one server: opens games, reads them, waits for them. `seat.py` plays a seat.

Every command gets an id here and keeps it however often it is sent.
"""

import os
import time
from collections.abc import AsyncIterator, Callable, Mapping
from typing import Any, Literal

import msgspec
from msgspec import UNSET, Struct, UnsetType

from spina_client.connection import Connection, Request
from spina_client.formats import Json, build_uuid7, encode
from spina_client.ids import CommandId, GameId, PlayerId, StreamVersion
from spina_client.problems import Refused, SpinaError
from spina_client.receipt_times import find_apart_ms, tell_apart
from spina_client.seen import (
    Accepted,
    Account,
    EventPage,
    GamePage,
    GameSeen,
    ListedGame,
    Owner,
    OwnGames,
    Receipt,
    RulesetPage,
    Status,
)

TOKEN_VARIABLE = "SPINA_TOKEN"  # noqa: S105  a name, and no token
NO_SUCH_VERSION = "no-such-version"
BEFORE_THE_FIRST = StreamVersion(0)


Demand = Literal["links", "own_custody", "signed", "witnessed_opening"]


class ClockTerms(Struct, frozen=True, kw_only=True):
    """Time to think for each decision, and a bank for the whole game."""

    per_decision_ms: int
    bank_ms: int
    increment_ms: int | UnsetType = UNSET


class StandIn(Struct, frozen=True, kw_only=True):
    """The house bot that plays for a seat whose clock ran out `after` times in a row, until it is taken back."""

    bot: str
    after: int


class Terms(Struct, frozen=True, kw_only=True):
    """The terms of a new game."""

    ruleset: str
    seats: int
    options: dict[str, Json] = {}
    clock: ClockTerms | None = None
    visibility: Literal["public", "private"] = "public"
    delay_s: int = 0
    demands: tuple[Demand, ...] = ()
    # One for each seat: `{"kind": "house", "bot": …}`, `{"kind": "link", "hash": …}`, `{"kind": "player", …}` or null.
    offers: tuple[Mapping[str, Json] | None, ...] = ()
    stand_in: StandIn | None = None
    # The hash of a box that the server offers beside the release's (`RulesetSeen.boxes`).
    components: str | None = None


def read_now_ms() -> int:
    """Return this machine's time."""
    return time.time_ns() // 1_000_000


def build_command_id() -> CommandId:
    """Return the id of a new command."""
    return CommandId(build_uuid7(read_now_ms()))


class Client:
    """Raises Refused, ServerUnreachable and AnswerUnreadable (`problems.py`)."""

    def __init__(
        self,
        connection: Connection,
        account: Account,
        *,
        new_id: Callable[[], CommandId] = build_command_id,
        now_ms: Callable[[], int] = read_now_ms,
    ) -> None:
        self.connection = connection
        self.account = account
        self._new_id = new_id
        self._now_ms = now_ms
        # What the ledger has signed for, in the order of the answers: with a log that differs they convict its server.
        self.receipts: list[Receipt] = []
        # By how much the server's clock was ahead of this machine's (below 0: behind) where it was last out of bounds.
        self.clock_apart_ms = 0

    def __repr__(self) -> str:
        return f"Client({self.connection.url}, {self.account!r})"

    async def open_game(self, terms: Terms) -> Accepted:
        """Open a game; the answer has its id."""
        return await self.post("/v1/games", msgspec.to_builtins(terms))

    async def read_game(
        self, game: GameId, *, at: StreamVersion | None = None, min_version: StreamVersion | None = None
    ) -> GameSeen:
        """Read the game in this account's view; the server waits some seconds for `min_version`, then refuses."""
        asked: dict[str, int] = {} if at is None else {"at": at}
        if min_version is not None:
            asked["min_version"] = min_version
        return await self.connection.get(f"/v1/games/{game}", GameSeen, token=self.account.token, **asked)

    async def read_next(self, game: GameId, after: StreamVersion) -> GameSeen | None:
        """Return the game once it is past this version, or None after some seconds without a new version."""
        try:
            return await self.read_game(game, min_version=StreamVersion(after + 1))
        except Refused as refused:
            if refused.problem.code != NO_SUCH_VERSION:
                raise
            return None

    async def read_events(self, game: GameId, *, after: StreamVersion = BEFORE_THE_FIRST) -> AsyncIterator[bytes]:
        """Yield the stored lines after a version, page after page, to the newest."""
        next_after: StreamVersion | None = after
        while next_after is not None:
            page = await self.connection.get(
                f"/v1/games/{game}/events", EventPage, token=self.account.token, after=next_after
            )
            for line in page.items:
                yield bytes(line)
            next_after = page.next

    async def list_games(
        self, *, ruleset: str | None = None, status: Status | None = None, pages_max: int
    ) -> AsyncIterator[ListedGame]:
        """Yield public games, the newest first, from at most so many pages."""
        asked = {name: text for name, text in (("ruleset", ruleset), ("status", status)) if text is not None}
        for _ in range(pages_max):
            page = await self.connection.get("/v1/games", GamePage, token=self.account.token, **asked)
            for listed in page.items:
                yield listed
            if page.next is None:
                return
            asked["before"] = page.next

    async def open_rematch(self, game: GameId) -> Accepted:
        """Open a rematch of a game that is over, or find the one that is open; the answer has its id."""
        return await self.post(f"/v1/games/{game}/rematch", {})

    async def read_own_games(self) -> OwnGames:
        """Read the games of this account, and the seats that others offer to it."""
        return await self.connection.get("/v1/account/games", OwnGames, token=self.account.token)

    async def decline(self, *, game: GameId | None = None, sender: PlayerId | None = None) -> None:
        """Decline the offer of a seat in a game, or all offers of an account."""
        body = {"game": game, "sender": sender}
        await self.connection.post("/v1/account/declines", msgspec.Raw, body, token=self.account.token)

    async def read_bundle(self, game: GameId) -> bytes:
        """Read the zip with which `spina verify` proves the game."""
        return await self.connection.send(
            Request(method="GET", path=f"/v1/games/{game}/bundle", token=self.account.token)
        )

    async def list_rulesets(self) -> RulesetPage:
        """Read which rulesets the server plays."""
        return await self.connection.get("/v1/rulesets", RulesetPage, token=self.account.token)

    async def post(self, path: str, fields: dict[str, Any], *, command: CommandId | None = None) -> Accepted:
        """Send a command with an id of its own, until it is answered."""
        named = command or self._new_id()
        body = {"command": named, **fields}
        accepted = await self.connection.post(path, Accepted, body, token=self.account.token)
        self.keep(accepted.receipt, named)
        return accepted

    def keep(self, receipt: Receipt | None, command: CommandId) -> None:
        """Keep what the ledger signed for a command; log once where its time is out of bounds."""
        if receipt is None:
            return
        self.receipts.append(receipt)
        apart_ms = find_apart_ms(receipt.at, command, now_ms=self._now_ms())
        if apart_ms and not self.clock_apart_ms:
            tell_apart(apart_ms, ledger=receipt.ledger)
        self.clock_apart_ms = apart_ms or self.clock_apart_ms

    def format_receipts(self) -> bytes:
        """Return the file of receipts that `spina verify --receipts` reads."""
        return b"".join(encode(receipt) + b"\n" for receipt in self.receipts)

    def new_id(self) -> CommandId:
        """Return an id for a command signed before it is sent."""
        return self._new_id()


class TokenMissing(SpinaError):
    """No token was given, and the environment has none."""

    def __init__(self) -> None:
        super().__init__(f"expected a token, or one in {TOKEN_VARIABLE}, found neither")


async def sign_in(
    connection: Connection, token: str | None = None, *, environment: Mapping[str, str] = os.environ
) -> Client:
    """Return the client of a token: the given one, or that of the environment, `SPINA_TOKEN`. Raises TokenMissing."""
    token = token or environment.get(TOKEN_VARIABLE)
    if not token:
        raise TokenMissing
    owner = await connection.get("/v1/account", Owner, token=token)
    return Client(connection, Account(id=owner.id, name=owner.name, token=token))


async def register(connection: Connection, name: str, *, is_bot: bool = False) -> Account:
    """Make an account, which `is_bot` declares as a program's for ever. Only this answer has its token."""
    return await connection.post_once("/v1/players", Account, {"name": name, **({"is_bot": True} if is_bot else {})})
