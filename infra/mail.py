"""Mail over SMTP, always encrypted but to a relay on the same machine. One connection for each mail.

Example: `smtps://games:secret@mail.example.org:465?from=games@example.org`; `smtp` means STARTTLS, on port 587.
"""

import asyncio
import smtplib
import ssl
from concurrent.futures import ThreadPoolExecutor
from email.headerregistry import Address
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import formatdate
from functools import cache
from ipaddress import ip_address
from urllib.parse import parse_qs, unquote, urlsplit

from msgspec import Struct

# For each answer; the page of the account waits for all of them together.
TIMEOUT_S = 10.0
# Mail servers refuse many connections of one sender.
AT_ONCE_MAX = 4
PORTS = {"smtps": 465, "smtp": 587}
# Lines as long as the standard allows (RFC 5322, 2.1.1): a folded address in a header is encoded, and then none.
POLICY = SMTP.clone(max_line_length=998)
# RFC 5321, 4.5.3.1.3. Quoted and international local parts are taken by few servers.
ADDRESS_CHARS_MAX = 254
ADDRESS_PATTERN = r"^[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@([A-Za-z0-9-]{1,63}\.)+[A-Za-z0-9-]{2,63}$(?!\n)"
SENDER_NAME = "Spina"
MAIL_SYSTEM_FAILED = 55


class MailRefused(Exception):
    """The mail server refuses the recipient for good."""


class MailDelayed(Exception):
    """The mail server cannot be reached, or does not take the mail."""


class MailServer(Struct, frozen=True, kw_only=True):
    host: str
    port: int
    # Encrypted from the first byte, else by STARTTLS.
    is_wrapped: bool
    user: str | None
    password: str | None
    sender: str

    def __repr__(self) -> str:
        return f"MailServer({self.host}:{self.port})"

    @property
    def is_on_this_machine(self) -> bool:
        try:
            return self.host == "localhost" or ip_address(self.host).is_loopback
        except ValueError:
            return False


def read_smtp_url(url: str) -> MailServer:
    """Read a URL of the form above, which the settings have checked."""
    parts = urlsplit(url)
    assert parts.hostname is not None
    return MailServer(
        host=parts.hostname,
        port=parts.port or PORTS[parts.scheme],
        is_wrapped=parts.scheme == "smtps",
        user=None if parts.username is None else unquote(parts.username),
        password=None if parts.password is None else unquote(parts.password),
        sender=parse_qs(parts.query)["from"][0],
    )


class Mail(Struct, frozen=True, kw_only=True):
    """A mail of plain text. A repetition has the same `id`; one POST to `leave_url` ends such mails (RFC 8058)."""

    id: str
    to: str
    subject: str
    text: str
    leave_url: str | None


@cache
def trust_this_machine() -> ssl.SSLContext:
    """Read the machine's own authorities, once: that takes some 20 ms."""
    return ssl.create_default_context()


class Mailer:
    """Sends mails by one server. Without a context the machine's own authorities are trusted."""

    def __init__(self, server: MailServer, context: ssl.SSLContext | None = None) -> None:
        self._server = server
        self._context = context or trust_this_machine()
        # Threads of its own: a mail server that is slow holds up no other work of the process.
        self._threads = ThreadPoolExecutor(AT_ONCE_MAX, thread_name_prefix="mail")

    async def send(self, mail: Mail) -> None:
        """Hand a mail to the server. Raises MailRefused and MailDelayed, which name no address and no password."""
        message = self._build(mail)
        try:
            await asyncio.get_running_loop().run_in_executor(self._threads, self._send, message)
        except smtplib.SMTPRecipientsRefused as error:
            ((code, _),) = error.recipients.values()
            # Of the final codes, those about the mailbox (RFC 5321, 4.2.1).
            raise (MailRefused if code // 10 == MAIL_SYSTEM_FAILED else MailDelayed)(f"code {code}") from None
        except smtplib.SMTPResponseException as error:
            # A wrong password or a mail that looks like spam: the operator's matter, not the recipient's.
            raise MailDelayed(f"code {error.smtp_code}") from None
        except (smtplib.SMTPException, OSError) as error:
            raise MailDelayed(type(error).__name__) from None

    def _build(self, mail: Mail) -> EmailMessage:
        domain = self._server.sender.partition("@")[2]
        message = EmailMessage(policy=POLICY)
        message["Date"] = formatdate(usegmt=True)
        message["From"] = Address(display_name=SENDER_NAME, addr_spec=self._server.sender)
        message["To"] = Address(addr_spec=mail.to)
        message["Subject"] = mail.subject
        message["Message-ID"] = f"<{mail.id}@{domain}>"
        # No out-of-office reply comes back (RFC 3834).
        message["Auto-Submitted"] = "auto-generated"
        if mail.leave_url is not None:
            message["List-Unsubscribe"] = f"<{mail.leave_url}>"
            message["List-Unsubscribe-Post"] = "List-Unsubscribe=One-Click"
        message.set_content(mail.text)
        return message

    def _send(self, message: EmailMessage) -> None:
        server = self._server
        with self._connect() as connection:
            if not server.is_wrapped and (not server.is_on_this_machine or connection.has_extn("starttls")):
                connection.starttls(context=self._context)
            if server.user is not None:
                connection.login(server.user, server.password or "")
            connection.send_message(message)

    def _connect(self) -> smtplib.SMTP:
        server = self._server
        # A name of its own, as the machine's would be looked up.
        named = server.sender.partition("@")[2]
        if server.is_wrapped:
            return smtplib.SMTP_SSL(server.host, server.port, named, timeout=TIMEOUT_S, context=self._context)
        connection = smtplib.SMTP(server.host, server.port, named, timeout=TIMEOUT_S)
        connection.ehlo()
        return connection
