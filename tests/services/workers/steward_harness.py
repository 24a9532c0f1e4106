"""A tournament with its games and their workers, for tests: time passes when the test states so."""

from hashlib import sha256
from itertools import count
from typing import Any
from uuid import UUID, uuid5

from domain.game.commands import GameCommand
from domain.game.events import InputEvent, SeatReadied, SeatResigned, SeatTaken
from domain.game.state import Game
from domain.ids import CommandId, GameId, PlayerId, Seat, StreamId, StreamVersion
from domain.log.actors import ByPlayer
from domain.log.record import Line, parse_line
from domain.log.state import is_over
from domain.tournament.commands import TournamentCommand
from domain.tournament.events import EntrantCheckedIn, EntrantEntered, RoundCalled
from domain.tournament.state import Round, Table, Tournament
from infra.event_store import EventStore
from services.commands.arena import Arena
from services.commands.table_games import ENDED
from services.commands.tournaments import Tournaments
from services.workers.steward import Steward, StewardSources
from simulate.stores.announcer import MemoryAnnouncer
from tests.domain.game.game_harness import opening as open_table
from tests.domain.tournament.tournament_harness import CATALOGUE, CUP, NOON, ORGANISER, opening, own_links, player
from tests.services.api.server import VAULT

LINES_MAX = 5_000
STREAM = CUP


class Estate:
    """`store` outlives every session and every process; `restart` begins new ones."""

    def __init__(self, store: EventStore) -> None:
        self.now_ms = NOON
        self.store = store
        # Entries of a list that are behind, or ahead, of the log.
        self.listed_as_lapsing: list[GameId] = []
        self._numbers = count(1)
        # Of no two games alike.
        self._secrets = count()
        self.restart()

    def restart(self) -> None:
        """Forget everything that is not stored."""
        announcer = MemoryAnnouncer()
        self.arena = Arena(store=self.store, announcer=announcer, catalogue=CATALOGUE, vault=VAULT)
        self.tournaments = Tournaments(store=self.store, announcer=announcer, catalogue=CATALOGUE, vault=VAULT)
        self.steward = Steward(self.build())

    def build(self) -> StewardSources:
        async def list_running() -> list[Any]:
            return [] if is_over(await self.read()) else [CUP]

        async def list_unfinished() -> list[Any]:
            rounds = (await self.read()).rounds
            games = [table.game for round_ in rounds for table in round_.tables]
            heads = await self.store.read_heads(games)
            return [CUP] if any(head.type != ENDED for head in heads.values()) else []

        async def list_lapsing() -> list[GameId]:
            return self.listed_as_lapsing

        return StewardSources(
            tournaments=self.tournaments,
            arena=self.arena,
            store=self.store,
            list_running=list_running,
            list_unfinished=list_unfinished,
            list_lapsing=list_lapsing,
            now_ms=lambda: self.now_ms,
            random_bytes=lambda size: sha256(b"%d" % next(self._secrets)).digest()[:size],
        )

    async def open(self, entrants: int, **terms: Any) -> None:
        """Open the cup and enter players."""
        await self.tournaments.handle(opening(**terms))
        for number in range(entrants):
            brought = {"entrant": number, "anchor": own_links(number)[0], "links": 64, "key": None}
            await self.order(EntrantEntered, ByPlayer(player=player(number)), **brought)

    async def open_game(self, **terms: Any) -> GameId:
        """Open a game for two of no tournament."""
        game = GameId(StreamId(self.next_id()))
        await self.arena.handle(open_table(id=CommandId(game), stream=game, at_ms=self.now_ms, seats=2, **terms))
        return game

    async def order(self, kind: Any, actor: Any, **fields: Any) -> None:
        """Command the tournament."""
        if kind is EntrantEntered and isinstance(actor, ByPlayer):
            fields = {"player": actor.player, **fields}
        invitation = fields.pop("invitation", None)
        event = kind(**fields)
        id_, at_ms = self.next_id(), self.now_ms
        await self.tournaments.handle(
            TournamentCommand(id=id_, stream=CUP, at_ms=at_ms, actor=actor, event=event, invitation=invitation)
        )

    async def call(self) -> None:
        tournament = await self.read()
        await self.order(RoundCalled, ORGANISER, round=len(tournament.rounds) + 1)

    async def check_in(self, *entrants: int) -> None:
        for entrant in entrants:
            tournament = await self.read()
            links = tournament.entries[entrant].links
            assert links is not None
            nonce = own_links(entrant)[64 - links.left + 1]
            number = len(tournament.rounds)
            await self.order(
                EntrantCheckedIn, ByPlayer(player=player(entrant)), entrant=entrant, round=number, nonce=nonce
            )

    async def draw(self) -> None:
        """Call a round, check all entrants in and let the steward open the games."""
        await self.call()
        await self.check_in(*(await self.round()).expected)
        await self.steward.step()

    async def sit(self, table: Table, *entrants: int) -> None:
        """Let these of a table sit down and, if that is all of them, get ready."""
        for each in entrants:
            await self.sit_down(table.game, each, seat=table.entrants.index(each))
        if len(entrants) == len(table.seats):
            for entrant in entrants:
                await self.play(SeatReadied, table, entrant, nonce=None)

    async def sit_down(self, game: GameId, number: int, *, seat: int) -> None:
        """Let any player try to sit down anywhere."""
        taken = SeatTaken(seat=Seat(seat), player=player(number), anchor=None, links=0, key=None)
        await self._command(game, player(number), taken)

    async def ready(self, game: GameId, number: int, *, seat: int) -> None:
        await self._command(game, player(number), SeatReadied(seat=Seat(seat), nonce=None))

    async def finish(self, number: int) -> None:
        """Play a table to its end: all but its first seat give up, the last seat first."""
        table = (await self.round()).tables[number - 1]
        await self.sit(table, *table.entrants)
        for entrant in reversed(table.entrants[1:]):
            await self.play(SeatResigned, table, entrant)

    async def play(self, kind: Any, table: Table, entrant: int, **fields: Any) -> None:
        """Command a table's game."""
        await self._command(table.game, player(entrant), kind(seat=Seat(table.entrants.index(entrant)), **fields))

    async def start(self, game: GameId, *players: PlayerId) -> None:
        """Seat these players, and let them get ready."""
        for seat, each in enumerate(players):
            await self._command(game, each, SeatTaken(seat=Seat(seat), player=each, anchor=None, links=0, key=None))
        for seat, each in enumerate(players):
            await self._command(game, each, SeatReadied(seat=Seat(seat), nonce=None))

    async def _command(self, game: GameId, actor: PlayerId, event: InputEvent) -> None:
        await self.arena.handle(
            GameCommand(
                id=self.next_id(),
                stream=game,
                at_ms=self.now_ms,
                actor=ByPlayer(player=actor),
                event=event,
            )
        )

    async def read(self) -> Tournament:
        return await self.tournaments.read_newest(CUP)

    async def round(self) -> Round:
        return (await self.read()).rounds[-1]

    async def game(self, number: int) -> Game:
        return await self.arena.read_newest((await self.round()).tables[number - 1].game)

    async def lines(self, stream: StreamId = STREAM) -> list[Line]:
        raws = await self.store.read_stream(stream, after=StreamVersion(0), limit=LINES_MAX)
        return [parse_line(raw) for raw in raws]

    async def types(self, stream: StreamId = STREAM) -> list[str]:
        return [line.type for line in await self.lines(stream)]

    def next_id(self) -> CommandId:
        return CommandId(str(uuid5(UUID(CUP), f"{next(self._numbers)}")))
