"""The parts that the routes work with, by their rooms, built elsewhere and passed in."""

import asyncio
from collections.abc import Callable, Mapping

from litestar.datastructures import State
from msgspec import Struct, field
from msgspec.structs import asdict

from domain.game.commands import GameCommand, OpenGame
from domain.ids import StreamId
from domain.ledger.receipt import SignedReceipt
from domain.ruleset.catalogue import Catalogue
from domain.ruleset.kit import Kit
from domain.sentences.words import Words
from infra.event_store import EventStore
from infra.hint_source import HintSource
from infra.house_keys import HouseKeys
from infra.ledger_keys import LogSigner
from infra.postgres.accounts import Accounts
from infra.postgres.courses import Courses
from infra.postgres.declines import Declines
from infra.postgres.kept_links import KeptLinks
from infra.postgres.notice_ways import NoticeWays
from infra.postgres.notices import Outbox
from infra.postgres.passkeys import Passkeys
from infra.postgres.tokens import Tokens
from infra.projection_store import Projections
from services.api.http.holds import FOLLOWING, WAITING, Holds
from services.api.http.known_tokens import KnownTokens
from services.api.http.rates import Rates
from services.commands.arena import Answer, Arena
from services.commands.tournaments import Tournaments
from services.commands.write_path import Written
from services.notices.senders import SenderTerms
from services.reading.delayed import DelayedGames
from services.reading.histories import GameHistories
from services.reading.tournaments.histories import TournamentHistories
from services.reading.tournaments.kept_pages import KeptPages
from services.reading.tournaments.watches import TournamentWatches

PARTS_STATE = "parts"


class GameParts(Struct, frozen=True, kw_only=True):
    arena: Arena
    histories: GameHistories
    # Projections of games that are shown later than they happen.
    delayed: DelayedGames
    catalogue: Catalogue
    # By the name of the ruleset.
    words: Mapping[str, Words]
    # By the reference of the ruleset, `charioteer@1`.
    kits: Mapping[str, Kit]
    # The catalogue as it is shown.
    rulesets: bytes
    house: HouseKeys
    # Notifies readers of this process that a game has moved.
    hints: HintSource


class TournamentParts(Struct, frozen=True, kw_only=True):
    write_path: Tournaments
    histories: TournamentHistories
    pages: KeptPages
    # Where readers wait until a tournament moves on.
    watches: TournamentWatches


class PeopleParts(Struct, frozen=True, kw_only=True):
    accounts: Accounts
    tokens: Tokens
    known_tokens: KnownTokens
    passkeys: Passkeys
    courses: Courses
    declines: Declines
    kept_links: KeptLinks
    ways: NoticeWays
    # Notices that wait for the notifier.
    outbox: Outbox
    senders: SenderTerms
    streams: Holds = field(default_factory=lambda: Holds(FOLLOWING))


class Parts(Struct, frozen=True, kw_only=True):
    """`stopping` is set when the server is about to end: waiting readers give up at once."""

    games: GameParts
    tournaments: TournamentParts
    people: PeopleParts
    # At the primary, for workers; readers share `store`, which may read at replicas.
    log: EventStore
    store: EventStore
    projections: Projections
    rates: Rates
    signer: LogSigner
    now_ms: Callable[[], int]
    random_bytes: Callable[[int], bytes]
    stopping: asyncio.Event
    # Requests that wait for a version.
    holds: Holds = field(default_factory=lambda: Holds(WAITING))

    async def carry_out(self, command: GameCommand | OpenGame) -> Answer:
        """Handle a command; the answer has the server's receipt, the same again when it is sent again."""
        written = await self.games.arena.handle(command)
        return Answer(game=command.stream, receipt=self.sign_receipt(command.stream, written), **asdict(written))

    def sign_receipt(self, stream: StreamId, written: Written) -> SignedReceipt:
        return self.signer.sign_receipt(at=written.at, hash_=written.head, stream=stream, version=written.last_version)


async def provide_parts(state: State) -> Parts:
    """Hand the parts to a route; they are the same for the whole life of the app."""
    parts: Parts = state[PARTS_STATE]
    return parts


async def provide_people(state: State) -> PeopleParts:
    return (await provide_parts(state)).people


async def provide_games(state: State) -> GameParts:
    return (await provide_parts(state)).games


# By the names under which a route asks for them.
PROVIDERS = {"parts": provide_parts, "people": provide_people, "games": provide_games}
