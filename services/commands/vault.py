"""Secrets of streams, on their way into the store and out of it: always inside a box.

A box opens for its own stream, purpose and version alone, so that none can be put in the place of another.
"""

import msgspec

from domain.canonical import encode
from domain.chance import Secret
from domain.game.state import Entrusted
from domain.ids import StreamId, StreamVersion
from domain.log.enact import HeldAction
from infra.event_store import HeldOpening
from infra.keys import MasterKey, open_box, seal_box

_ENTRUSTED: msgspec.json.Decoder[Entrusted] = msgspec.json.Decoder(Entrusted)


class Vault:
    def __init__(self, master_key: MasterKey) -> None:
        self._master_key = master_key

    def seal_secret(self, stream: StreamId, secret: Secret) -> bytes:
        return seal_box(self._master_key, secret, context=_secret_context(stream))

    def open_secret(self, stream: StreamId, box: bytes | None) -> Secret:
        assert box is not None, f"{stream} was stored without its secret"
        return Secret(bytes(open_box(self._master_key, box, context=_secret_context(stream))))

    def seal_held(self, stream: StreamId, held: HeldAction) -> HeldOpening:
        box = seal_box(self._master_key, encode(held.entrusted), context=_held_context(stream, held.version))
        return HeldOpening(version=held.version, sealed_box=box)

    def open_held(self, stream: StreamId, held: HeldOpening) -> HeldAction:
        opened = open_box(self._master_key, held.sealed_box, context=_held_context(stream, held.version))
        return HeldAction(version=held.version, entrusted=_ENTRUSTED.decode(opened))


def _secret_context(stream: StreamId) -> bytes:
    return f"spina/secret/v1/{stream}".encode()


def _held_context(stream: StreamId, version: StreamVersion) -> bytes:
    return f"spina/held/v1/{stream}/{version}".encode()
