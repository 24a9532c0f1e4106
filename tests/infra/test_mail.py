"""Mail over SMTP, to a server that is not ours: encrypted always, signed in, and refused or delayed as it states."""

import asyncio
import datetime as dt
import ssl
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from ipaddress import ip_address
from pathlib import Path
from typing import Any

import pytest
from aiosmtpd.smtp import SMTP, AuthResult, LoginPassword
from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from msgspec.structs import replace

from infra.mail import Mail, MailDelayed, Mailer, MailRefused, MailServer, read_smtp_url
from infra.settings import read_settings
from tests.mail_server import Inbox, receiving_mails

# It counts STARTTLS alone as encrypted.
pytestmark = pytest.mark.filterwarnings("ignore:Requiring AUTH while not requiring TLS")

Contexts = tuple[ssl.SSLContext, ssl.SSLContext]
PASSWORD = "a/b@c d"
MAIL = Mail(
    id="0199c0de-0000-7000-8000-000000000001",
    to="ada@example.org",
    subject="Your turn in Charioteer: Ünal waits",
    text="It is your turn.\n.\nhttps://spina.example/games/1\n",
    leave_url=f"https://spina.example/leave?key={'k' * 200}",
)


def authenticate(_server: Any, _session: Any, _envelope: Any, _mechanism: str, given: LoginPassword) -> AuthResult:
    return AuthResult(success=given == LoginPassword(b"spina", PASSWORD.encode()), handled=False)


@pytest.fixture(scope="module")
def contexts(tmp_path_factory: pytest.TempPathFactory) -> Contexts:
    """The context of a server at 127.0.0.1, and that of a client who trusts it."""
    key, name = ec.generate_private_key(ec.SECP256R1()), x509.Name([])
    now = dt.datetime.now(dt.UTC)
    certificate = (
        x509.CertificateBuilder(issuer_name=name, subject_name=name, public_key=key.public_key())
        .serial_number(1)
        .not_valid_before(now - dt.timedelta(days=1))
        .not_valid_after(now + dt.timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.IPAddress(ip_address("127.0.0.1"))]), critical=True)
        .sign(key, SHA256())
    )
    path: Path = tmp_path_factory.mktemp("mail") / "server.pem"
    written = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()) + certificate.public_bytes(
        Encoding.PEM
    )
    path.write_bytes(written)
    server = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    server.load_cert_chain(path)
    return server, ssl.create_default_context(cadata=certificate.public_bytes(Encoding.PEM).decode())


@asynccontextmanager
async def receiving(inbox: Inbox, context: ssl.SSLContext, *, is_wrapped: bool) -> AsyncIterator[MailServer]:
    def build() -> SMTP:
        return SMTP(
            inbox,
            authenticator=authenticate,
            auth_required=True,
            auth_require_tls=not is_wrapped,
            tls_context=None if is_wrapped else context,
            require_starttls=not is_wrapped,
        )

    server = await asyncio.get_running_loop().create_server(build, "127.0.0.1", 0, ssl=context if is_wrapped else None)
    async with server:
        port = server.sockets[0].getsockname()[1]
        scheme = "smtps" if is_wrapped else "smtp"
        yield read_smtp_url(f"{scheme}://spina:a%2Fb%40c%20d@127.0.0.1:{port}?from=games@spina.example")


@pytest.mark.parametrize("is_wrapped", [True, False])
async def test_a_mail_arrives_encrypted_with_the_way_to_leave(contexts: Contexts, *, is_wrapped: bool) -> None:
    inbox = Inbox()

    async with receiving(inbox, contexts[0], is_wrapped=is_wrapped) as server:
        await Mailer(server, contexts[1]).send(MAIL)

    (found,) = inbox.mails
    assert found["from"] == "Spina <games@spina.example>"
    assert found["to"] == MAIL.to
    assert found["subject"] == MAIL.subject
    assert found["message-id"] == f"<{MAIL.id}@spina.example>"
    assert f"\r\nList-Unsubscribe: <{MAIL.leave_url}>\r\n".encode() in inbox.contents[0]
    assert found["date"].datetime.tzinfo is not None
    assert found["list-unsubscribe-post"] == "List-Unsubscribe=One-Click"
    assert found["auto-submitted"] == "auto-generated"
    assert (inbox.were_encrypted, inbox.were_signed_in) == ([True], [True])
    assert found.get_content() == MAIL.text.replace("\n", "\r\n")


@pytest.mark.parametrize(
    ("answer", "to_recipient", "fault"),
    [
        ("250 OK", "550 no such mailbox", MailRefused),
        ("250 OK", "450 full, try later", MailDelayed),
        ("554 looks like spam", "250 OK", MailDelayed),
        ("452 busy", "250 OK", MailDelayed),
    ],
)
async def test_a_mail_is_refused_for_good_or_delayed_as_the_server_says(
    contexts: Contexts, answer: str, to_recipient: str, fault: type[Exception]
) -> None:
    inbox = Inbox()
    inbox.answer, inbox.answer_to_recipient = answer, to_recipient

    async with receiving(inbox, contexts[0], is_wrapped=True) as server:
        with pytest.raises(fault) as refused:
            await Mailer(server, contexts[1]).send(MAIL)

    assert str(refused.value) == f"code {(answer if to_recipient == '250 OK' else to_recipient)[:3]}"


async def test_a_server_that_cannot_be_trusted_or_signed_in_to_gets_no_mail_and_no_secret_is_told(
    contexts: Contexts,
) -> None:
    inbox, told = Inbox(), []

    async with receiving(inbox, contexts[0], is_wrapped=True) as server:
        for mailer in (Mailer(server), Mailer(replace(server, password="wrong"), contexts[1])):
            with pytest.raises(MailDelayed) as delayed:
                await mailer.send(MAIL)
            told.append(str(delayed.value))

    assert inbox.mails == []
    assert told == ["SSLCertVerificationError", "code 535"]
    assert "wrong" not in repr(server)


async def test_a_mail_goes_without_encryption_to_a_relay_on_the_same_machine_alone(contexts: Contexts) -> None:
    inbox = Inbox()

    async with receiving_mails(inbox) as url:
        here = read_smtp_url(url)
        # This machine, by an address that does not state so.
        with pytest.raises(MailDelayed, match="SMTPNotSupportedError"):
            await Mailer(replace(here, host="0.0.0.0"), contexts[1]).send(MAIL)  # noqa: S104  an address, and nothing is bound
        await Mailer(here, contexts[1]).send(MAIL)

    assert len(inbox.mails) == 1


@pytest.mark.parametrize(
    ("url", "server"),
    [
        ("smtps://mail.example?from=a@b.example", ("mail.example", 465, True, None)),
        ("smtp://mail.example:2525/?from=a@b.example", ("mail.example", 2525, False, None)),
        ("smtps://me%40b:x@[::1]?from=a@b.example", ("::1", 465, True, "me@b")),
    ],
)
def test_the_url_names_server_port_and_sender(url: str, server: tuple[str, int, bool, str | None]) -> None:
    settings = read_settings({"SPINA_SMTP_URL": url, "SPINA_URL": "https://spina.example"})

    found = read_smtp_url(settings.smtp_url or "")

    assert (found.host, found.port, found.is_wrapped, found.user) == server
    assert found.sender == "a@b.example"
