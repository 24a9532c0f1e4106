"""The load of tournaments: an organiser, and entrants who enter, check in and play at the tables that are drawn.

Some come too late: their check-in closes without them, or their seat stays empty, as a steward has to report.
"""

import asyncio
from collections.abc import Callable, Sequence
from random import Random

from msgspec import Struct

from domain.chance import Secret
from domain.game.events import ClockTerms
from domain.ids import CommandId, GameId, OrganiserId, PlayerId, Seat, StreamId, TournamentId
from domain.log.actors import Actor, ByOrganiser, ByPlayer
from domain.log.state import is_over
from domain.ruleset.catalogue import hash_components
from domain.ruleset.kit import Kit
from domain.ruleset.ruleset import AnyRuleset
from domain.tournament.commands import OpenTournament, TournamentCommand
from domain.tournament.events import EntrantCheckedIn, EntrantEntered, InputEvent, RoundCalled, TournamentClosed
from domain.tournament.formats import ScoreRounds
from domain.tournament.ruling_events import GameVoided
from domain.tournament.scoring import default_points
from domain.tournament.sizes import TableSizes
from domain.tournament.state import Halted, Round, Table, Tournament
from services.commands.tournaments import NoSuchTournament
from simulate.world.clients import Clients
from simulate.world.node import ORIGIN
from simulate.world.seats import SHORT, SeatBot

ORGANISER = OrganiserId("0199c0de-0000-7000-8000-0000000000f0")
TOURNAMENT = TournamentId(StreamId("0199c0de-0000-7000-8000-00000000c0b0"))
PAIRS = TableSizes(min=2, max=2, preferred=2)
LOOK_EVERY_S = 1.0
CHECK_IN_MS = 4_000
SIT_DOWN_MS = 6_000


class TournamentPlan(Struct, frozen=True, kw_only=True):
    kit: Kit
    ruleset: AnyRuleset
    players: Sequence[PlayerId]
    rounds: int


class PlayedTournament:
    """One tournament, from its opening to its end."""

    def __init__(
        self,
        clients: Clients,
        plan: TournamentPlan,
        draw: Callable[[], Random],
        is_restless: Callable[[], bool],
        follow: Callable[[GameId, PlayerId], None],
    ) -> None:
        self._clients = clients
        self._plan = plan
        self._draw = draw
        self._numbers = draw()
        self._delay_s = self._numbers.choice((0, 0, 4))
        self._is_restless = is_restless
        self._follow = follow
        self._tasks: list[asyncio.Task[None]] = []
        self._seated: set[str] = set()

    async def play(self) -> None:
        await self._open()
        for number, player in enumerate(self._plan.players):
            entered = EntrantEntered(entrant=number, player=player, anchor=None, links=0, key=None)
            await self._order(entered, ByPlayer(player=player))
        while not is_over(found := await self._read()):
            await self._go_on(found)
            await asyncio.sleep(LOOK_EVERY_S)
        await asyncio.gather(*self._tasks)

    async def _go_on(self, found: Tournament) -> None:
        if not found.rounds or found.rounds[-1].is_closed:
            is_last = len(found.rounds) == self._plan.rounds
            await self._order(TournamentClosed(reason=None) if is_last else RoundCalled(round=len(found.rounds) + 1))
        elif not found.rounds[-1].is_drawn:
            await self._check_in(found, found.rounds[-1])
        else:
            for table in found.rounds[-1].tables:
                await self._play_at(found, table)

    async def _check_in(self, found: Tournament, called: Round) -> None:
        for entrant in sorted(called.waiting):
            if self._is_restless() or self._numbers.choice((True, True, False)):
                checked_in = EntrantCheckedIn(entrant=entrant, round=called.number, nonce=None)
                await self._order(checked_in, ByPlayer(player=found.entries[entrant].player))

    async def _play_at(self, found: Tournament, table: Table) -> None:
        if isinstance(table.status, Halted):
            reason = "Its game was aborted."
            voided = GameVoided(round=len(found.rounds), table=table.number, attempt=table.attempt, reason=reason)
            await self._order(voided)
        if table.game in self._seated:
            return
        self._seated.add(table.game)
        self._follow(table.game, found.entries[table.entrants[0]].player)
        for place, entrant in enumerate(table.entrants):
            player = found.entries[entrant].player
            bot = SeatBot(self._clients, self._plan.kit, table.game, Seat(place), player, self._draw())
            self._tasks.append(asyncio.get_running_loop().create_task(bot.play(is_restless=self._is_restless)))

    async def _open(self) -> None:
        secret, leaf_key = Secret(self._numbers.randbytes(32)), self._numbers.randbytes(32).hex()

        def build(at_ms: int) -> OpenTournament:
            return OpenTournament(
                id=CommandId(TOURNAMENT),
                stream=TOURNAMENT,
                at_ms=at_ms,
                actor=ByOrganiser(organiser=ORGANISER),
                name="A simulated cup",
                ruleset=self._plan.ruleset.name,
                ruleset_version=self._plan.ruleset.version,
                components=hash_components(self._plan.ruleset),
                options=dict(SHORT[self._plan.ruleset.name]),
                clock=ClockTerms(per_decision_ms=4_000, bank_ms=0),
                delay_s=self._delay_s,
                demands=(),
                organisers={ORGANISER: None},
                ledger=ORIGIN,
                format=ScoreRounds(rounds=self._plan.rounds),
                tables=PAIRS,
                points={"2": default_points(2)},
                bye_points=30,
                tie_breaks=("wins", "lot"),
                entries_max=8,
                check_in_ms=CHECK_IN_MS,
                sit_down_ms=SIT_DOWN_MS,
                secret=secret,
                leaf_key=leaf_key,
            )

        await self._clients.send(build, lambda parts: parts.tournaments)

    async def _order(self, event: InputEvent, actor: Actor | None = None) -> None:
        id_ = CommandId(self._clients.new_id())

        def build(at_ms: int) -> TournamentCommand:
            by = actor or ByOrganiser(organiser=ORGANISER)
            return TournamentCommand(id=id_, stream=TOURNAMENT, at_ms=at_ms, actor=by, event=event)

        await self._clients.send(build, lambda parts: parts.tournaments)

    async def _read(self) -> Tournament:
        while True:
            try:
                return await self._clients.read(lambda parts: parts.tournament_histories.read_newest(TOURNAMENT))
            except NoSuchTournament:
                await asyncio.sleep(LOOK_EVERY_S)
