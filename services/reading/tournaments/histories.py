"""Tournaments as they stood at any version, for readers: folded without the secret, as any outsider would."""

from domain.ids import StreamId, StreamVersion
from domain.tournament.evolve import settle
from domain.tournament.state import Tournament
from infra.event_store import EventStore
from services.commands.tournaments import TOURNAMENT_COMMANDING
from services.reading.histories import Histories, Knowledge

# A folded tournament of 2,000 is some megabytes; only a few at a time have readers.
STATES_MAX = 32
# So far apart that hardly more than the newest is kept.
SPACING = 4_096


class TournamentHistories(Histories[Tournament]):
    """Tournaments, each state of them settled. Without a vault: no reader needs the secret."""

    def __init__(self, store: EventStore) -> None:
        super().__init__(
            TOURNAMENT_COMMANDING, store=store, catalogue=None, vault=None, spacing=SPACING, states_max=STATES_MAX
        )

    async def read_newest(self, stream: StreamId, knowledge: Knowledge = "public") -> Tournament:
        newest = await super().read_newest(stream, knowledge)
        if newest.last is None:
            return newest
        # The newest line ends a command, so that the fold goes on from the settled state as well.
        settled = settle(newest)
        self._keep_newest(settled, knowledge)
        return settled

    async def read_at(
        self, stream: StreamId, version: StreamVersion, knowledge: Knowledge = "public"
    ) -> Tournament | None:
        found = await super().read_at(stream, version, knowledge)
        return None if found is None else settle(found)
