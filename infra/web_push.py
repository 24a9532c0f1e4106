"""Web Push: a message encrypted for one browser (RFC 8291), and the server's signature for its push service (RFC 8292).

Example: a body of salt (16 bytes), record size (4), key length (1), the sender's key (65), and the ciphertext.
"""

import hmac
import struct
from base64 import urlsafe_b64decode, urlsafe_b64encode
from urllib.parse import urlsplit

import msgspec
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from msgspec import Struct

from infra.keys import MasterKey

CURVE = ec.SECP256R1()
# The number of its points (FIPS 186-5, appendix A.1.1).
ORDER = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
SALT_BYTES = 16
AUTH_BYTES = 16
# Push services take bodies of this size at least (RFC 8030, 7.2); a message is one record.
RECORD_BYTES = 4096
OVERHEAD_BYTES = SALT_BYTES + 4 + 1 + 65 + 1 + 16
MESSAGE_BYTES_MAX = RECORD_BYTES - OVERHEAD_BYTES
# The last octet of the last record.
END = b"\x02"
# A push service takes 24 hours at most; the clocks of both may differ.
TOKEN_LIFE_S = 12 * 3600


class PushKeys(Struct, frozen=True, kw_only=True):
    """A browser's public key and its secret for one subscription."""

    public: ec.EllipticCurvePublicKey
    auth: bytes

    def __repr__(self) -> str:
        return "PushKeys(…)"


class VapidKey:
    """The server's key, by which a push service knows the sender of a message."""

    def __init__(self, master_key: MasterKey) -> None:
        # Twice as long as the order, so that no scalar is likelier than another.
        digest = hmac.digest(master_key, b"spina/vapid/v1", "sha512")
        self._private = ec.derive_private_key(int.from_bytes(digest) % (ORDER - 1) + 1, CURVE)
        self.public = encode_text(_format_point(self._private.public_key()))

    def authorize(self, endpoint: str, *, contact: str, now_s: int) -> str:
        """Return the header `authorization` of a request to the push service of an endpoint."""
        parts = urlsplit(endpoint)
        claims = {"aud": f"{parts.scheme}://{parts.netloc}", "exp": now_s + TOKEN_LIFE_S, "sub": contact}
        signed = b".".join(
            encode_text(msgspec.json.encode(item)).encode() for item in ({"typ": "JWT", "alg": "ES256"}, claims)
        )
        r, s = decode_dss_signature(self._private.sign(signed, ec.ECDSA(SHA256())))
        return f"vapid t={signed.decode()}.{encode_text(r.to_bytes(32) + s.to_bytes(32))}, k={self.public}"


def parse_push_keys(public: str, auth: str) -> PushKeys:
    """Parse the keys of a subscription as a browser gives them, in base64url. Raises ValueError."""
    secret = decode_text(auth)
    if len(secret) != AUTH_BYTES:
        raise ValueError(f"expected {AUTH_BYTES} bytes of auth, found {len(secret)}")
    return PushKeys(public=ec.EllipticCurvePublicKey.from_encoded_point(CURVE, decode_text(public)), auth=secret)


def encrypt_push(message: bytes, keys: PushKeys, *, salt: bytes, sender: ec.EllipticCurvePrivateKey) -> bytes:
    """Encrypt a message as `aes128gcm`. Salt and sender's key are good for one message."""
    assert len(message) <= MESSAGE_BYTES_MAX, f"{len(message)} bytes in one record"
    own, other = _format_point(sender.public_key()), _format_point(keys.public)
    shared = sender.exchange(ec.ECDH(), keys.public)
    root = _derive(shared, keys.auth, b"WebPush: info\0" + other + own, 32)
    key = _derive(root, salt, b"Content-Encoding: aes128gcm\0", 16)
    nonce = _derive(root, salt, b"Content-Encoding: nonce\0", 12)
    head = salt + struct.pack("!LB", RECORD_BYTES, len(own)) + own
    return head + AESGCM(key).encrypt(nonce, message + END, None)


def encode_text(data: bytes) -> str:
    """Encode as base64url without padding."""
    return urlsafe_b64encode(data).decode().rstrip("=")


def decode_text(text: str) -> bytes:
    """Decode base64url with or without padding. Raises ValueError."""
    return urlsafe_b64decode(text.rstrip("=") + "=" * (-len(text.rstrip("=")) % 4))


def _derive(secret: bytes, salt: bytes, info: bytes, size: int) -> bytes:
    return HKDF(algorithm=SHA256(), length=size, salt=salt, info=info).derive(secret)


def _format_point(key: ec.EllipticCurvePublicKey) -> bytes:
    return key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
