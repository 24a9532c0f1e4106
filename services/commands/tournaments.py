"""Where tournaments are commanded, on the one write path."""

from collections.abc import Sequence

from domain.ids import TournamentId
from domain.ledger.receipt import SignedReceipt
from domain.rejection import Absent
from domain.ruleset.catalogue import Catalogue
from domain.tournament.decide import decide
from domain.tournament.kind import TOURNAMENTS
from domain.tournament.opening import decide_opening
from domain.tournament.state import Tournament
from infra.event_store import EventStore, HeldOpening
from services.commands.commanding import Commanding
from services.commands.roles import has_role_in_tournament
from services.commands.vault import Vault
from services.commands.write_path import Announcer, WritePath, Written


class TournamentAnswer(Written, frozen=True, kw_only=True):
    """The lines that an accepted command of a tournament became."""

    tournament: TournamentId
    receipt: SignedReceipt | None = None


class NoSuchTournament(Absent):
    code = "no-such-tournament"


class Tournaments(WritePath[Tournament]):
    """Handles commands of tournaments. One for a process."""

    def __init__(self, *, store: EventStore, announcer: Announcer, catalogue: Catalogue, vault: Vault) -> None:
        super().__init__(TOURNAMENT_COMMANDING, store=store, announcer=announcer, catalogue=catalogue, vault=vault)


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
