"""An authenticator in software, for tests: it makes a passkey and signs, for any origin and challenge."""

import json
from base64 import urlsafe_b64encode
from hashlib import sha256
from typing import Any

import cbor2
from cryptography.hazmat.primitives.asymmetric.ec import ECDSA, SECP256R1, generate_private_key
from cryptography.hazmat.primitives.hashes import SHA256

USER_PRESENT_AND_VERIFIED = 0b101
WITH_KEY = 0b1000000


def encode(raw: bytes) -> str:
    return urlsafe_b64encode(raw).decode().rstrip("=")


class Authenticator:
    def __init__(self, host: str, origin: str) -> None:
        self.id = sha256(b"a credential").digest()
        self._host = host
        self._origin = origin
        self._key = generate_private_key(SECP256R1())
        self._count = 0

    def make(self, challenge: str) -> dict[str, Any]:
        """Return a new passkey, which answers the challenge of the options."""
        numbers = self._key.public_key().public_numbers()
        public = {1: 2, 3: -7, -1: 1, -2: numbers.x.to_bytes(32, "big"), -3: numbers.y.to_bytes(32, "big")}
        key = bytes(16) + len(self.id).to_bytes(2, "big") + self.id + cbor2.dumps(public)
        data = self._data(USER_PRESENT_AND_VERIFIED | WITH_KEY) + key
        attested = cbor2.dumps({"fmt": "none", "attStmt": {}, "authData": data})
        told = self._tell("webauthn.create", challenge)
        return self._wrap({"clientDataJSON": encode(told), "attestationObject": encode(attested)})

    def sign(self, challenge: str) -> dict[str, Any]:
        self._count += 1
        data, told = self._data(USER_PRESENT_AND_VERIFIED), self._tell("webauthn.get", challenge)
        signature = self._key.sign(data + sha256(told).digest(), ECDSA(SHA256()))
        parts = {"clientDataJSON": told, "authenticatorData": data, "signature": signature}
        return self._wrap({name: encode(each) for name, each in parts.items()})

    def _data(self, flags: int) -> bytes:
        return sha256(self._host.encode()).digest() + bytes([flags]) + self._count.to_bytes(4, "big")

    def _tell(self, type_: str, challenge: str) -> bytes:
        return json.dumps({"type": type_, "challenge": challenge, "origin": self._origin}).encode()

    def _wrap(self, response: dict[str, str]) -> dict[str, Any]:
        return {"id": encode(self.id), "rawId": encode(self.id), "type": "public-key", "response": response}
