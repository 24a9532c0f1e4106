"""The one list of senders, by the type of address that each of them takes.

One more kind of way is a type in the union of `ways.py`, a sender, and a line here.
"""

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager

from msgspec import Struct

from services.notices.outbound import PublicNetwork
from services.notices.sending import Sender
from services.notices.ways import Address, Discord, WayVault, Webhook
from services.notices.webhooks import DiscordSender, WebhookSender


class SenderTerms(Struct, frozen=True, kw_only=True):
    """`reaches_private` lets ways have addresses of the operator's own network, over HTTP too: for tests alone."""

    vault: WayVault
    reaches_private: bool = False


@asynccontextmanager
async def opened_senders(terms: SenderTerms) -> AsyncIterator[Mapping[type[Address], Sender]]:
    async with PublicNetwork(reaches_private=terms.reaches_private) as network:
        yield {Webhook: WebhookSender(network, terms.vault), Discord: DiscordSender(network)}
