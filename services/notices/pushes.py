"""The sender of Web Push: a title, a sentence and a path for the service worker of a browser (`services/web/sw.js`)."""

import hashlib
import secrets
import time
from collections.abc import Mapping, Sequence

import msgspec
from cryptography.hazmat.primitives.asymmetric import ec
from msgspec import Struct

from domain.log.record import parse_at
from infra.web_push import CURVE, SALT_BYTES, encode_text, encrypt_push, parse_push_keys
from services.notices.content import Content
from services.notices.outbound import PublicNetwork
from services.notices.sending import Composed, Delivered, Later, Outcome
from services.notices.ways import Browser, Way, WayVault
from services.notices.webhooks import judge

# A phone that is off for longer than a week gets no word of games that went on without it.
LIFE_S = 7 * 24 * 3600
# A phone is woken for these; others wait until it is.
URGENT = frozenset({"your_turn", "round_called", "table_drawn", "organiser_called", "announced", "test"})
# Of the base64url text of a digest (RFC 8030, 5.4).
TOPIC_CHARS = 32
# The subscription is unknown, or has ended (RFC 8030, 7.3).
GONE = {404, 410}


# The worker of the browser shows this, and answers the challenge.
GREETING = "Notices come here from now on."


class Pushed(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """`challenge` is sent back by the worker of a new browser."""

    title: str
    text: str
    path: str
    challenge: str | None = None


class PushSender:
    at_once_max = 1

    def __init__(self, network: PublicNetwork, vault: WayVault) -> None:
        self._network = network
        self._vault = vault

    async def send(self, way: Way, composed: Sequence[Composed]) -> Outcome:
        (sent,) = composed
        content = sent.content
        return await self._push(
            way,
            Pushed(title=content.title, text=content.text, path=content.path),
            life_s=find_life_s(content, now_s=int(time.time())),
            urgency="high" if sent.notice.kind in URGENT else "normal",
        )

    async def prove(self, way: Way) -> Outcome:
        """Push a challenge. A browser answers it by a request of its own; the key of a stranger opens no message."""
        challenge = self._vault.format_key("prove", way.row.id)
        greeting = Pushed(title="Spina", text=GREETING, path="/account", challenge=challenge)
        outcome = await self._push(way, greeting, life_s=LIFE_S, urgency="high")
        return Later(reason="the browser has not answered yet") if isinstance(outcome, Delivered) else outcome

    async def _push(self, way: Way, pushed: Pushed, *, life_s: int, urgency: str) -> Outcome:
        assert isinstance(way.address, Browser), type(way.address)
        keys = parse_push_keys(way.address.p256dh, way.address.auth)
        message = msgspec.json.encode(pushed)
        sender = ec.generate_private_key(CURVE)
        body = encrypt_push(message, keys, salt=secrets.token_bytes(SALT_BYTES), sender=sender)
        headers: Mapping[bytes | str, bytes | str] = {
            "content-encoding": "aes128gcm",
            "content-type": "application/octet-stream",
            "authorization": self._vault.vapid.authorize(way.address.url, contact=way.base, now_s=int(time.time())),
            "ttl": str(life_s),
            "urgency": urgency,
            # Of a game that waits for a phone, the newest notice takes the place of those before.
            "topic": encode_text(hashlib.sha256(pushed.path.encode()).digest())[:TOPIC_CHARS],
        }
        return judge(await self._network.post(way.address.url, body, headers), gone=GONE)


def find_life_s(content: Content, *, now_s: int) -> int:
    """Return how long a push service keeps a notice for a browser that is away: to its deadline at most."""
    deadline = content.data.deadline
    return LIFE_S if deadline is None else max(0, min(LIFE_S, parse_at(deadline) // 1_000 - now_s))
