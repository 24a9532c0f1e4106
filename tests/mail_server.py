"""A mail server on the loopback that is not ours (aiosmtpd), and the mails that it took."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from email.message import EmailMessage
from email.parser import BytesParser
from email.policy import SMTP as SMTP_POLICY
from typing import Any

from aiosmtpd.smtp import SMTP

PATIENCE_S = 30.0


class Inbox:
    """Takes every mail, unless asked to answer otherwise."""

    def __init__(self) -> None:
        self.mails: list[EmailMessage] = []
        self.contents: list[bytes] = []
        self.were_encrypted: list[bool] = []
        self.were_signed_in: list[bool] = []
        self._arrived = asyncio.Condition()
        self.answer = "250 OK"
        self.answer_to_recipient = "250 OK"

    async def handle_RCPT(  # noqa: N802  the name of the command
        self, _server: Any, _session: Any, envelope: Any, address: str, _options: Any
    ) -> str:
        if self.answer_to_recipient.startswith("250"):
            envelope.rcpt_tos.append(address)
        return self.answer_to_recipient

    async def handle_DATA(self, server: Any, session: Any, envelope: Any) -> str:  # noqa: N802  the name of the command
        self.were_encrypted.append(server.transport.get_extra_info("ssl_object") is not None)
        self.were_signed_in.append(session.authenticated)
        self.contents.append(envelope.content)
        self.mails.append(BytesParser(EmailMessage, policy=SMTP_POLICY).parsebytes(envelope.content))
        async with self._arrived:
            self._arrived.notify_all()
        return self.answer

    async def wait_for(self, count: int) -> None:
        async with asyncio.timeout(PATIENCE_S), self._arrived:
            await self._arrived.wait_for(lambda: len(self.mails) >= count)


@asynccontextmanager
async def receiving_mails(inbox: Inbox) -> AsyncIterator[str]:
    """Take mails as a relay on the same machine, and yield its URL."""
    server = await asyncio.get_running_loop().create_server(lambda: SMTP(inbox), "127.0.0.1", 0)
    async with server:
        yield f"smtp://127.0.0.1:{server.sockets[0].getsockname()[1]}?from=games@spina.example"
