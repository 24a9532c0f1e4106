"""The one list of senders, by the type of address that each of them takes.

One more kind of way is a type in the union of `ways.py`, a sender, and a line here.
"""

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager

from msgspec import Struct

from services.notices.mails import Mails, MailSender
from services.notices.outbound import PublicNetwork
from services.notices.pushes import PushSender
from services.notices.sending import Sender
from services.notices.ways import Address, Browser, Discord, Mailbox, WayVault, Webhook
from services.notices.webhooks import DiscordSender, WebhookSender


class SenderTerms(Struct, frozen=True, kw_only=True):
    """`reaches_private` lets ways have addresses of the operator's own network, over HTTP too: for tests alone.

    Without `mails` there is no mail server, and ways of this kind fail.
    """

    vault: WayVault
    mails: Mails | None = None
    reaches_private: bool = False


@asynccontextmanager
async def opened_senders(terms: SenderTerms) -> AsyncIterator[Mapping[type[Address], Sender]]:
    async with PublicNetwork(reaches_private=terms.reaches_private) as network:
        yield {
            Webhook: WebhookSender(network, terms.vault),
            Discord: DiscordSender(network),
            Browser: PushSender(network, terms.vault),
            Mailbox: MailSender(terms.mails, terms.vault),
        }
