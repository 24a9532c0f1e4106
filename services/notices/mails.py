"""Notices by mail, to addresses whose owners have confirmed them; and the mail that asks for that."""

import ssl
from collections.abc import Sequence
from urllib.parse import quote

from infra.mail import Mail, MailDelayed, Mailer, MailRefused, MailServer, read_smtp_url
from services.notices.sending import Composed, Delivered, Gone, Later, Outcome
from services.notices.ways import AskedMail, Mailbox, Way, WayVault

# Below /v1: a mail program asks it by one POST (RFC 8058), a browser is led to the page of the account.
LEAVE_PATH = "/v1/notices/departures"
# Between two mails of a way: a game with a mail for each turn is described as it stands then.
REST_S = 600.0
ASKING = """\
An account on {url} asks for notices by mail to this address: your turn, rounds called, games that begin and end.

To get them, open this link within a day:
{url}/account#mail={key}

If it was not you, do nothing: no other mail comes.
"""
NOTICES = """\
{told}

--{blank}
No more mails: {url}/account#leave={key}
Hours and kinds: {url}/account
"""


class Mails:
    """Writes mails; their links begin with the URL that the operator gave."""

    def __init__(self, server: MailServer, url: str, context: ssl.SSLContext | None = None) -> None:
        self._mailer = Mailer(server, context)
        self._url = url

    async def ask(self, asked: AskedMail, key: str) -> None:
        """Ask the owner of an address whether notices may come. Raises MailRefused and MailDelayed."""
        text = ASKING.format(url=self._url, key=key)
        mail = Mail(id=asked.way, to=asked.address, subject="Notices by mail?", text=text, leave_url=None)
        await self._mailer.send(mail)

    async def send(self, address: str, composed: Sequence[Composed], leave_key: str) -> None:
        """Send notices in one mail, under the id of the first. Raises MailRefused and MailDelayed."""
        told = "\n\n".join(f"{each.content.text}\n{self._url}{each.content.path}" for each in composed)
        text = NOTICES.format(told=told, url=self._url, key=leave_key, blank=" ")
        leave_url = f"{self._url}{LEAVE_PATH}?key={quote(leave_key)}"
        first, more = composed[0], len(composed) - 1
        subject = first.content.text.removesuffix(".") + (f" (and {more} more)" if more else "")
        await self._mailer.send(Mail(id=first.notice.id, to=address, subject=subject, text=text, leave_url=leave_url))


def find_mails(smtp_url: str | None, url: str | None) -> Mails | None:
    """Return the mails of a server by its settings; None without a mail server."""
    return None if smtp_url is None or url is None else Mails(read_smtp_url(smtp_url), url)


class MailSender:
    at_once_max = 20

    def __init__(self, mails: Mails | None, vault: WayVault) -> None:
        self._mails = mails
        self._vault = vault

    async def send(self, way: Way, composed: Sequence[Composed]) -> Outcome:
        assert isinstance(way.address, Mailbox), type(way.address)
        if self._mails is None:
            return Later(reason="this server has no mail server")
        try:
            await self._mails.send(way.address.address, composed, self._vault.format_key("leave", way.row.id))
        except MailRefused as refused:
            return Gone(reason=f"the mail server refuses the address: {refused}")
        except MailDelayed as delayed:
            return Later(reason=f"the mail server does not take the mail: {delayed}")
        return Delivered(rest_s=REST_S)
