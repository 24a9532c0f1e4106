"""Where tournaments are commanded, on the one write path."""

from collections.abc import Sequence

from msgspec import Struct

from domain.derived_ids import derive_game
from domain.ids import StreamId, TournamentId
from domain.ledger.receipt import SignedReceipt
from domain.log.command import Command
from domain.log.enact import Decided
from domain.rejection import Absent
from domain.ruleset.catalogue import Catalogue
from domain.tournament.commands import TournamentCommand
from domain.tournament.decide import decide
from domain.tournament.events import NoShowTold, find_ruling
from domain.tournament.kind import TOURNAMENTS
from domain.tournament.opening import decide_opening
from domain.tournament.state import Tournament
from infra.event_store import EventStore, HeldOpening
from services.commands.commanding import Commanding
from services.commands.roles import has_role_in_tournament
from services.commands.table_games import require_unbegun
from services.commands.vault import Vault
from services.commands.write_path import Announcer, WritePath, Written


class TournamentAnswer(Written, frozen=True, kw_only=True):
    """The lines that an accepted command of a tournament became."""

    tournament: TournamentId
    receipt: SignedReceipt | None = None


class NoSuchTournament(Absent):
    """No tournament has this id."""

    code = "no-such-tournament"


class Tournaments(WritePath[Tournament]):
    """Handles commands of tournaments. One for a process."""

    def __init__(self, *, store: EventStore, announcer: Announcer, catalogue: Catalogue, vault: Vault) -> None:
        super().__init__(TOURNAMENT_COMMANDING, store=store, announcer=announcer, catalogue=catalogue, vault=vault)

    async def check_game(self, tournament: TournamentId, event: Struct) -> None:
        """Check an accepted input against the game it is about, which the tournament's log does not show.

        Only a no-show by an organiser is about a game's start. Raises GameNotOpen.
        """
        if isinstance(event, NoShowTold) and find_ruling(event) is not None:
            game = derive_game(tournament, round_=event.round, table=event.table, attempt=event.attempt)
            await require_unbegun(self._store, game)

    async def _decide(self, stream: StreamId, command: Command) -> Decided[Tournament]:
        decided = await super()._decide(stream, command)
        if isinstance(command, TournamentCommand):
            await self.check_game(command.stream, command.event)
        return decided


def _hold(_vault: Vault, tournament: Tournament, held: Sequence[HeldOpening]) -> Tournament:
    assert not held, f"nothing is held for {tournament.id}"
    return tournament


TOURNAMENT_COMMANDING: Commanding[Tournament] = Commanding(
    kind=TOURNAMENTS,
    missing=NoSuchTournament,
    decide_opening=decide_opening,
    decide=decide,
    has_role=has_role_in_tournament,
    hold=_hold,
)
