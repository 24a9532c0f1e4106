"""Addresses of ways, one type for each kind, and the box in which an address is stored.

An address is a secret: with the URL of a webhook one can often write there, and a mail address is a person's.
"""

import hmac
from typing import Annotated, Literal, assert_never
from urllib.parse import urlsplit

import httpcore2
import msgspec
from msgspec import Meta, Struct

from domain.accounts.way import WayRow
from infra.keys import BoxDamaged, MasterKey, WrongMasterKey, open_box, seal_box
from infra.mail import ADDRESS_CHARS_MAX, ADDRESS_PATTERN
from infra.redaction import Secret
from infra.web_push import VapidKey, decode_text, encode_text, parse_push_keys
from services.notices.outbound import is_allowed

# Visible ASCII alone, so that a URL is the same text for every program that reads it.
Url = Annotated[str, Meta(max_length=1_000, pattern=r"^https?://[!-~]+$(?!\n)")]

MailAddress = Annotated[str, Meta(max_length=ADDRESS_CHARS_MAX, pattern=ADDRESS_PATTERN)]


class Webhook(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="kind", tag="webhook"):
    """A program that gets signed messages after the Standard Webhooks specification."""

    url: Url

    def __repr__(self) -> str:
        return "Webhook(<hidden>)"


class Discord(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="kind", tag="discord"):
    """A channel that gets a sentence, as Discord's webhooks take it."""

    url: Url

    def __repr__(self) -> str:
        return "Discord(<hidden>)"


class Browser(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="kind", tag="browser"):
    """A subscription of a browser, as `PushSubscription.toJSON()` gives it: its push service and its keys."""

    url: Url
    p256dh: Annotated[str, Meta(max_length=100)]
    auth: Annotated[str, Meta(max_length=30)]

    def __repr__(self) -> str:
        return "Browser(<hidden>)"


class Mailbox(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="kind", tag="mail"):
    """A mail address whose owner has opened the link of a mail."""

    address: MailAddress

    def __repr__(self) -> str:
        return "Mailbox(<hidden>)"


class Calendar(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="kind", tag="calendar"):
    """A feed of deadlines, which a calendar program reads. Nothing is sent to it."""


# A sentence for a channel goes to Discord alone: other programs prove by a challenge that they want messages.
DISCORD_HOSTS = frozenset({"discord.com", "ptb.discord.com", "canary.discord.com", "discordapp.com"})
# Those that an account adds by itself.
Addable = Webhook | Discord | Browser | Calendar
Address = Addable | Mailbox
# Secrets of links about one way.
Purpose = Literal["calendar", "leave", "prove"]


class Way(Struct, frozen=True, kw_only=True):
    """A way with its address opened. Of `base`: see `Target`."""

    row: WayRow
    address: Address
    base: str


class Target(Struct, frozen=True, kw_only=True):
    """`base` is the URL of the pages as the account's owner reached them."""

    address: Address
    base: str


class AskedMail(Struct, frozen=True, kw_only=True):
    """A mail address that waits for its owner's word, until an instant; `way` is the id that the way will have.

    `token` is the id of the one that asked.
    """

    way: str
    account: str
    address: MailAddress
    until_ms: int
    token: str | None = None

    def __repr__(self) -> str:
        return "AskedMail(<hidden>)"


ASKED_CONTEXT = b"spina/asked-mail/v1"
_ASKED: msgspec.json.Decoder[AskedMail] = msgspec.json.Decoder(AskedMail)
_TARGET: msgspec.json.Decoder[Target] = msgspec.json.Decoder(Target)


class WayVault:
    """Seals the addresses of ways, and derives the secrets of webhooks, by the master key."""

    def __init__(self, key: MasterKey) -> None:
        self._key = key
        self.vapid = VapidKey(key)

    def seal(self, way: str, target: Target) -> bytes:
        return seal_box(self._key, msgspec.json.encode(target), context=_context(way))

    def open(self, row: WayRow) -> Way:
        assert row.sealed_box is not None, f"way {row.id} has ended"
        target = _TARGET.decode(open_box(self._key, row.sealed_box, context=_context(row.id)))
        return Way(row=row, address=target.address, base=target.base)

    def format_key(self, purpose: Purpose, way: str) -> str:
        """Return the secret of a link about one way; nothing of it is stored."""
        digest = hmac.digest(self._key, f"spina/way-{purpose}/v1\0{way}".encode(), "sha256")
        return f"{way}.{encode_text(digest)}"

    def read_key(self, purpose: Purpose, key: str) -> str | None:
        """Return the way that a link's secret is for; None for any other text."""
        way = key.partition(".")[0]
        return way if hmac.compare_digest(key.encode(), self.format_key(purpose, way).encode()) else None

    def seal_asked(self, asked: AskedMail) -> str:
        """Return the secret of the link by which the owner of a mail address confirms it."""
        return encode_text(seal_box(self._key, msgspec.json.encode(asked), context=ASKED_CONTEXT))

    def open_asked(self, key: str) -> AskedMail | None:
        """Return the address that such a link confirms; None for any other text."""
        try:
            return _ASKED.decode(open_box(self._key, decode_text(key), context=ASKED_CONTEXT))
        except (ValueError, BoxDamaged, WrongMasterKey):
            return None

    def derive_challenge(self, way: str) -> str:
        """Return the text that the program of a webhook sends back before the way is used."""
        return encode_text(hmac.digest(self._key, f"spina/webhook-challenge/v1\0{way}".encode(), "sha256"))

    def derive_secret(self, way: str) -> Secret:
        """Return the 32 bytes by which a webhook's messages are signed; nothing of them is stored."""
        return Secret(hmac.digest(self._key, f"spina/webhook/v1\0{way}".encode(), "sha256"))


def name_kind(address: Address) -> str:
    return str(address.__struct_config__.tag)


def find_fault(address: Addable, *, reaches_private: bool) -> str | None:
    """Return why no notice could be sent to an address; None for one that looks well."""
    if isinstance(address, Calendar):
        return None
    try:
        is_well = reaches_private or is_allowed(httpcore2.URL(address.url))
    except ValueError:
        is_well = False
    if not is_well:
        return "expected the URL of a public host by HTTPS, at port 443 or 8443, found another"
    if isinstance(address, Discord) and not reaches_private and urlsplit(address.url).hostname not in DISCORD_HOSTS:
        return f"expected a webhook of {', '.join(sorted(DISCORD_HOSTS))}, found another host"
    if isinstance(address, Browser):
        try:
            parse_push_keys(address.p256dh, address.auth)
        except ValueError:
            return "expected the keys of a subscription: a point of P-256 and 16 bytes, in base64url, found others"
    return None


def describe(address: Address) -> str | None:
    """Name an address to its owner without the part that is a secret."""
    match address:
        case Webhook() | Discord() | Browser():
            return urlsplit(address.url).hostname
        case Mailbox():
            return address.address
        case Calendar():
            return None
    assert_never(address)


def _context(way: str) -> bytes:
    return f"spina/notice-way/v1/{way}".encode()
