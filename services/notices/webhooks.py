"""Senders of webhooks: signed messages after the Standard Webhooks specification, and sentences for a Discord channel.

webhook-id: the id of the notice, the same whenever it is sent again
webhook-timestamp: the time of this attempt, in seconds since 1970
webhook-signature: v1,BASE64(HMAC-SHA256(secret, "ID.TIMESTAMP.BODY"))
"""

import hmac
import time
from base64 import b64encode
from collections.abc import Mapping, Sequence

import msgspec
from msgspec import Struct

from domain.log.record import format_at
from services.notices.content import encode_message
from services.notices.outbound import Answered, PublicNetwork, Unanswered
from services.notices.sending import Composed, Delivered, Gone, Later, Outcome
from services.notices.ways import Discord, Way, WayVault, Webhook

JSON: Mapping[bytes | str, bytes | str] = {"content-type": "application/json", "user-agent": "Spina"}
SECRET_PREFIX = "whsec_"  # noqa: S105  the prefix is no secret
GONE = 410
# Discord answers so for a webhook that was deleted.
UNKNOWN = 404


class Challenge(Struct, frozen=True, kw_only=True, tag_field="type", tag="challenge"):
    """The first message to a webhook, which answers `{"challenge": …}` with the same text."""

    timestamp: str
    id: str
    account: str
    challenge: str


class ChallengeAnswer(Struct, frozen=True, kw_only=True):
    challenge: str


_ANSWER = msgspec.json.Decoder(ChallengeAnswer)


class WebhookSender:
    at_once_max = 1

    def __init__(self, network: PublicNetwork, vault: WayVault) -> None:
        self._network = network
        self._vault = vault

    async def send(self, way: Way, composed: Sequence[Composed]) -> Outcome:
        assert isinstance(way.address, Webhook), type(way.address)
        (sent,) = composed
        body = encode_message(sent.notice, sent.content, way.base)
        at = str(int(time.time()))
        signed = sign(self._vault.derive_secret(way.row.id), sent.notice.id, at, body)
        headers = {**JSON, "webhook-id": sent.notice.id, "webhook-timestamp": at, "webhook-signature": signed}
        return judge(await self._network.post(way.address.url, body, headers), gone={GONE})

    async def prove(self, way: Way) -> Outcome:
        """Ask the program for the text of a challenge. A server that does not know of Spina does not answer it."""
        assert isinstance(way.address, Webhook), type(way.address)
        challenge, at_s = self._vault.derive_challenge(way.row.id), int(time.time())
        asked = Challenge(
            timestamp=format_at(at_s * 1_000), id=way.row.id, account=way.row.account, challenge=challenge
        )
        body, at = msgspec.json.encode(asked), str(at_s)
        signed = sign(self._vault.derive_secret(way.row.id), way.row.id, at, body)
        headers = {**JSON, "webhook-id": way.row.id, "webhook-timestamp": at, "webhook-signature": signed}
        answer = await self._network.post(way.address.url, body, headers, reads_body=True)
        outcome = judge(answer, gone={GONE})
        if isinstance(answer, Answered) and isinstance(outcome, Delivered) and _read_challenge(answer) != challenge:
            return Later(reason="the address did not answer the challenge")
        return outcome


def _read_challenge(answer: Answered) -> str | None:
    try:
        return _ANSWER.decode(answer.body).challenge
    except msgspec.MsgspecError:
        return None


class DiscordSender:
    at_once_max = 1

    def __init__(self, network: PublicNetwork) -> None:
        self._network = network

    async def send(self, way: Way, composed: Sequence[Composed]) -> Outcome:
        assert isinstance(way.address, Discord), type(way.address)
        sent = composed[0].content
        # A name in the text mentions no person of the channel.
        content = {"content": f"{sent.text} {way.base}{sent.path}", "allowed_mentions": {"parse": []}}
        answer = await self._network.post(way.address.url, msgspec.json.encode(content), JSON)
        return judge(answer, gone={GONE, UNKNOWN})


def judge(answer: Answered | Unanswered, *, gone: set[int]) -> Outcome:
    """Return the outcome of an answer: a status from 200 to 299 is a delivery; a redirect is none."""
    match answer:
        case Unanswered(reason=reason):
            return Later(reason=reason)
        case Answered(status=status) if status in range(200, 300):
            return Delivered()
        case Answered(status=status) if status in gone:
            return Gone(reason=f"the address answered {status}")
        case Answered(status=status, retry_after_s=after_s):
            return Later(reason=f"the address answered {status}", after_s=after_s)


def sign(secret: bytes, id_: str, at: str, body: bytes) -> str:
    return "v1," + b64encode(hmac.digest(secret, f"{id_}.{at}.".encode() + body, "sha256")).decode()


def format_secret(secret: bytes) -> str:
    return SECRET_PREFIX + b64encode(secret).decode()
