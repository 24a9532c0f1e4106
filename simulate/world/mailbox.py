"""The receiver of notices: a way of each player, whose deliveries get lost on both ways, and what has reached it."""

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from datetime import UTC, datetime

from domain.accounts.notice import CHOSEN, Notice
from domain.accounts.way import WayRow
from domain.ids import PlayerId
from services.notices.senders import SenderTerms
from services.notices.sending import Composed, Delivered, Later, Outcome, Sender
from services.notices.ways import Address, Target, Way, WayVault, Webhook
from simulate.world.faults import Weather


def build_way(player: PlayerId, vault: WayVault) -> WayRow:
    """Build the way of a player, named as it is, which wants every kind of notice."""
    return WayRow(
        id=player,
        account=player,
        kind="webhook",
        name="a program",
        sealed_box=vault.seal(player, Target(address=Webhook(url="https://player.example/"), base="")),
        kinds=CHOSEN,
        quiet=None,
        created_at=datetime.fromtimestamp(0, UTC),
        has_worked=False,
        failures=0,
        failing_since_ms=None,
        failing_reason=None,
        end_reason=None,
    )


class Mailbox:
    """A sender as the notifier sees it; for the checkers, everything that arrived by way."""

    at_once_max = 4

    def __init__(self, weather: Weather) -> None:
        self.received: dict[str, list[Notice]] = {}
        self._weather = weather

    async def send(self, way: Way, composed: Sequence[Composed], /) -> Outcome:
        now_s = asyncio.get_running_loop().time()
        await asyncio.sleep(self._weather.delay_s(now_s, 0, "notices lost"))
        if self._weather.is_hit(now_s, 0, "notices lost"):
            return Later(reason="lost on the way")
        self.received.setdefault(way.row.id, []).extend(each.notice for each in composed)
        return Later(reason="no answer") if self._weather.is_hit(now_s, 0, "notices lost") else Delivered()

    @asynccontextmanager
    async def open(self, _terms: SenderTerms) -> AsyncIterator[Mapping[type[Address], Sender]]:
        yield {Webhook: self}
