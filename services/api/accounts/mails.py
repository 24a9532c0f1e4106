"""Mail addresses: asked by a mail before any notice is sent there, and left by one click.

Links of mails need no account in the browser that opens them. Each has a secret, and does nothing before a click. The
worker of a browser answers the challenge of its way alike.
"""

import hashlib
from typing import Annotated
from urllib.parse import quote

from litestar import Request, get, post
from litestar.datastructures import State
from litestar.di import NamedDependency
from litestar.params import QueryParameter, RawBody
from litestar.response import Redirect
from msgspec import Meta, Struct

from domain.accounts.notice import CHOSEN
from domain.rejection import NotNow
from infra.mail import MailDelayed, MailRefused
from infra.uuid7 import build_uuid7
from services.api.accounts.ways import Choices, WayNamed, require_owner, store_way
from services.api.http.authentication import count_network
from services.api.http.bodies import BodyReader
from services.api.http.documented import COMMAND_REFUSALS, answers, takes
from services.api.http.parts import Parts
from services.api.http.rates import Quota
from services.notices.mails import LEAVE_PATH
from services.notices.ways import AskedMail, MailAddress, Mailbox, Target
from services.reading.access import Caller

# A link is opened soon, or was not asked for.
ASKED_MS_MAX = 24 * 3_600_000
KEY_CHARS_MAX = 1_000
# No mailbox is flooded by strangers: mails that ask, for each account, network and address.
OF_ACCOUNT = Quota(name="mail-account", at_once=5, interval_s=3_600)
OF_NETWORK = Quota(name="mail-network", at_once=20, interval_s=600)
TO_ADDRESS = Quota(name="mail-address", at_once=2, interval_s=12 * 3_600)

Key = Annotated[str, Meta(min_length=1, max_length=KEY_CHARS_MAX)]
KeyGiven = Annotated[str, QueryParameter(min_length=1, max_length=KEY_CHARS_MAX)]


class MailNotSent(NotNow):
    """The server sends no mail, or the mail server refused the address."""

    code = "mail-not-sent"


class LinkRefused(NotNow):
    """The link of the mail is unknown, used or too old."""

    code = "link-refused"


class AskMailBody(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    address: MailAddress


class KeyBody(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    key: Key


class MailAsked(Struct, frozen=True, kw_only=True):
    address: str


_ASK, _KEY = BodyReader[AskMailBody](AskMailBody), BodyReader[KeyBody](KeyBody)
EXAMPLE = {"address": "ada@example.org"}


@post(
    "/v1/account/mails",
    operation_id="ask_mail",
    summary="Ask a mail address",
    description="A mail with a link is sent there; once the link was followed, within a day, the address is a way. "
    "Nothing else is sent before. Where the server sends mails (`has_mail` of your ways).",
    tags=["account"],
    operation_class=takes(AskMailBody, EXAMPLE),
    responses=answers(MailAsked, EXAMPLE, status=201, refusals=COMMAND_REFUSALS, said="The mail is on its way"),
)
async def ask_mail(body: RawBody, caller: NamedDependency[Caller], parts: NamedDependency[Parts]) -> MailAsked:
    account, address = require_owner(caller), _ASK.read(body).address
    mails = parts.people.senders.mails
    if mails is None:
        raise MailNotSent(expected="a server with a mail server", found="one without")
    await parts.rates.spend(OF_ACCOUNT, account)
    await parts.rates.spend(OF_NETWORK, caller.network)
    await parts.rates.spend(TO_ADDRESS, _name_mailbox(address))
    now_ms = parts.now_ms()
    asked = AskedMail(
        way=build_uuid7(now_ms),
        account=account,
        token=caller.token,
        address=address,
        until_ms=now_ms + ASKED_MS_MAX,
    )
    try:
        await mails.ask(asked, parts.people.senders.vault.seal_asked(asked))
    except (MailRefused, MailDelayed) as fault:
        raise MailNotSent(expected="a mail server that takes the mail", found=str(fault)) from None
    return MailAsked(address=address)


def _name_mailbox(address: str) -> str:
    """Return the hash of the mailbox behind an address: `a+1@x` and `a+2@x` are addresses of one at many servers."""
    local, _, domain = address.lower().rpartition("@")
    return hashlib.sha256(f"{local.partition('+')[0]}@{domain}".encode()).hexdigest()


@post("/v1/notices/confirmations", include_in_schema=False)
async def confirm_mail(
    request: Request[object, object, State], body: RawBody, parts: NamedDependency[Parts]
) -> WayNamed:
    """Store the address of a mail's link as a way of the account that asked."""
    await count_network(request, parts)
    asked = parts.people.senders.vault.open_asked(_KEY.read(body).key)
    if asked is None or asked.until_ms < parts.now_ms():
        raise LinkRefused(expected="the link of a mail of the last day", found="another one")
    if await parts.people.ways.find(asked.way) is None:
        choices = Choices(name="Mail", kinds=CHOSEN, quiet=None)
        # Its links begin with the URL of the settings.
        target = Target(address=Mailbox(address=asked.address), base="")
        await store_way(parts.people, asked.way, asked.account, choices, target, added_by=asked.token)
    return WayNamed(id=asked.way)


@post(LEAVE_PATH, include_in_schema=False)
async def leave_mail(request: Request[object, object, State], parts: NamedDependency[Parts], key: KeyGiven) -> WayNamed:
    """End the mails to an address. A mail program sends a form, which is not looked at."""
    await count_network(request, parts)
    way = parts.people.senders.vault.read_key("leave", key)
    row = None if way is None else await parts.people.ways.find(way)
    if way is None:
        raise LinkRefused(expected="the link of a mail", found="another one")
    if row is not None:
        await parts.people.ways.remove(row.account, way)
    return WayNamed(id=way)


@post("/v1/notices/answers", include_in_schema=False)
async def answer_challenge(
    request: Request[object, object, State], body: RawBody, parts: NamedDependency[Parts]
) -> WayNamed:
    """Use the way of a browser from now on: its worker sends back the challenge pushed there."""
    await count_network(request, parts)
    way = parts.people.senders.vault.read_key("prove", _KEY.read(body).key)
    if way is None or not await parts.people.outbox.prove(way, now_ms=parts.now_ms()):
        raise LinkRefused(expected="the challenge of a way that has not ended", found="another one")
    return WayNamed(id=way)


@get(LEAVE_PATH, include_in_schema=False)
async def lead_to_leaving(key: KeyGiven) -> Redirect:
    """Lead a browser to the page that asks before it does anything."""
    return Redirect(f"/account#leave={quote(key)}", status_code=303)


MAIL_ROUTES = (ask_mail, confirm_mail, answer_challenge, leave_mail, lead_to_leaving)
