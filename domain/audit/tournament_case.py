"""The case of a tournament: its log, read once and decided again, and its games, verified before."""

from collections.abc import Mapping
from typing import Any

from domain.audit.case import StreamCase, Trust
from domain.audit.played_games import PlayedGame
from domain.audit.tournament_bundle import TournamentBundleOf
from domain.ids import GameId, TournamentId
from domain.rulesets.released import Rebuilder
from domain.tournament.admission import LINES_MAX
from domain.tournament.events import TournamentOpened
from domain.tournament.kind import TOURNAMENTS
from domain.tournament.state import Tournament

# The last input that is admitted may be followed by a draw of the largest field.
AUDITED_LINES_MAX = LINES_MAX + 5_000


class TournamentCase(StreamCase[Tournament]):
    """`games` are the members of the bundle, by the id they are filed under."""

    opened: TournamentOpened | None

    def __init__(
        self, bundle: TournamentBundleOf[Any], rebuilder: Rebuilder, trust: Trust, games: Mapping[GameId, PlayedGame]
    ) -> None:
        super().__init__(TOURNAMENTS, bundle, rebuilder, trust, lines_max=AUDITED_LINES_MAX)
        self.games = games

    @property
    def tournament(self) -> TournamentId | None:
        return None if self.stream is None else TournamentId(self.stream)
