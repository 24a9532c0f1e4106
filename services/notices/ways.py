"""Addresses of ways, one type for each kind, and the box in which an address is stored.

An address is a secret: who has the URL of a webhook can often write there.
"""

import hmac
from typing import Annotated
from urllib.parse import urlsplit

import httpcore
import msgspec
from msgspec import Meta, Struct

from infra.keys import MasterKey, open_box, seal_box
from infra.postgres.notice_ways import WayRow
from infra.redaction import Secret
from services.notices.outbound import is_allowed

# Visible ASCII alone, so that a URL is the same text for every program that reads it.
Url = Annotated[str, Meta(max_length=500, pattern=r"^https?://[!-~]+$(?!\n)")]


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


Address = Webhook | Discord


class Way(Struct, frozen=True, kw_only=True):
    """A way with its address opened. `base` is the URL of the pages as the account's owner reached them."""

    row: WayRow
    address: Address
    base: str


class Sealed(Struct, frozen=True, kw_only=True):
    address: Address
    base: str


_SEALED: msgspec.json.Decoder[Sealed] = msgspec.json.Decoder(Sealed)


class WayVault:
    """Seals the addresses of ways, and derives the secrets of webhooks, by the master key."""

    def __init__(self, key: MasterKey) -> None:
        self._key = key

    def seal(self, way: str, address: Address, *, base: str) -> bytes:
        return seal_box(self._key, msgspec.json.encode(Sealed(address=address, base=base)), context=_context(way))

    def open(self, row: WayRow) -> Way:
        assert row.sealed_box is not None, f"way {row.id} has ended"
        sealed = _SEALED.decode(open_box(self._key, row.sealed_box, context=_context(row.id)))
        return Way(row=row, address=sealed.address, base=sealed.base)

    def derive_secret(self, way: str) -> Secret:
        """Return the 32 bytes by which a webhook's messages are signed; nothing of them is stored."""
        return Secret(hmac.digest(self._key, f"spina/webhook/v1\0{way}".encode(), "sha256"))


def name_kind(address: Address) -> str:
    return str(address.__struct_config__.tag)


def find_fault(address: Address, *, reaches_private: bool) -> str | None:
    """Say why no notice could be sent to an address; None for one that looks well."""
    try:
        is_well = reaches_private or is_allowed(httpcore.URL(address.url))
    except ValueError:
        is_well = False
    return None if is_well else "expected the URL of a public host by HTTPS, at port 443 or 8443, found another"


def describe(address: Address) -> str:
    """Name an address to its owner without the part that is a secret."""
    return urlsplit(address.url).hostname or ""


def _context(way: str) -> bytes:
    return f"spina/notice-way/v1/{way}".encode()
