"""Notices by mail, to addresses whose owners have confirmed them; and the mail that asks for that."""

import ssl
from urllib.parse import quote

from infra.mail import Mail, MailDelayed, Mailer, MailRefused, MailServer, read_smtp_url
from infra.postgres.notices import Notice
from services.notices.sending import Delivered, Gone, Later, Outcome
from services.notices.telling import Told
from services.notices.ways import AskedMail, Mailbox, Way, WayVault

# Below /v1: a mail program asks it by one POST (RFC 8058), a browser is led to the page of the account.
LEAVE_PATH = "/v1/notices/departures"
ASKING = """\
An account on {url} asks for notices by mail to this address: your turn, rounds called, games that begin and end.

To get them, open this link within a day:
{url}/account#mail={key}

If it was not you, do nothing: no other mail comes.
"""
NOTICE = """\
{text}

{url}{path}

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

    async def send(self, address: str, notice: Notice, told: Told, leave_key: str) -> None:
        """Send a notice. Raises MailRefused and MailDelayed."""
        text = NOTICE.format(text=told.text, path=told.path, url=self._url, key=leave_key, blank=" ")
        leave_url = f"{self._url}{LEAVE_PATH}?key={quote(leave_key)}"
        subject = told.text.removesuffix(".")
        await self._mailer.send(Mail(id=notice.id, to=address, subject=subject, text=text, leave_url=leave_url))


def find_mails(smtp_url: str | None, url: str | None) -> Mails | None:
    """Return the mails of a server by its settings; None without a mail server."""
    return None if smtp_url is None or url is None else Mails(read_smtp_url(smtp_url), url)


class MailSender:
    def __init__(self, mails: Mails | None, vault: WayVault) -> None:
        self._mails = mails
        self._vault = vault

    async def send(self, way: Way, notice: Notice, told: Told) -> Outcome:
        assert isinstance(way.address, Mailbox), type(way.address)
        if self._mails is None:
            return Later(reason="this server has no mail server")
        try:
            await self._mails.send(way.address.address, notice, told, self._vault.format_key("leave", way.row.id))
        except MailRefused as refused:
            return Gone(reason=f"the mail server refuses the address: {refused}")
        except MailDelayed as delayed:
            return Later(reason=f"the mail server does not take the mail: {delayed}")
        return Delivered()
