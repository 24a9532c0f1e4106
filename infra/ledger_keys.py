"""The keys that sign for the server, derived from the master key: one for each origin.

Every node has the master key already, so every node may be the notary, and no key of the ledger can be lost alone. A
new origin has a new key by itself. A holder of the master key could have read all lines anyway.
"""

import hmac

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from msgspec.structs import asdict

from domain.ids import LineHash, StreamId, StreamVersion
from domain.ledger.checkpoint import Checkpoint, SignedCheckpoint, format_checkpoint
from domain.ledger.cosignature import Cosignature, build_cosignature_line, cosigned_message
from domain.ledger.note import Note, NoteSignature
from domain.ledger.note_key import COSIGNATURE, ED25519, NoteKey, check_key_name
from domain.ledger.receipt import Receipt, SignedReceipt, receipt_message
from infra.keys import MasterKey


class LogSigner:
    """Signs the checkpoints of one origin, of which the notary decides, and receipts of accepted commands."""

    def __init__(self, origin: str, seed: bytes) -> None:
        check_key_name(origin)
        self._private = Ed25519PrivateKey.from_private_bytes(seed)
        self.key = NoteKey(name=origin, kind=ED25519, public_key=self._private.public_key().public_bytes_raw())

    @property
    def origin(self) -> str:
        return self.key.name

    def sign_receipt(self, *, at: str, hash_: LineHash, stream: StreamId, version: StreamVersion) -> SignedReceipt:
        """Sign for a stored line. About 40 µs."""
        receipt = Receipt(at=at, hash=hash_, ledger=self.origin, stream=stream, version=version)
        return SignedReceipt(**asdict(receipt), sig=self._private.sign(receipt_message(receipt)).hex())

    def sign(self, *, tree_size: int, root: bytes) -> SignedCheckpoint:
        checkpoint = Checkpoint(origin=self.origin, tree_size=tree_size, root=root)
        text = format_checkpoint(checkpoint)
        line = NoteSignature(name=self.key.name, key_id=self.key.key_id, payload=self._private.sign(text.encode()))
        return SignedCheckpoint(checkpoint=checkpoint, note=Note(text=text, signatures=(line,)))


class WitnessSigner:
    """Cosigns checkpoints that the witness has seen extend the last one."""

    def __init__(self, name: str, seed: bytes) -> None:
        check_key_name(name)
        self._private = Ed25519PrivateKey.from_private_bytes(seed)
        self.key = NoteKey(name=name, kind=COSIGNATURE, public_key=self._private.public_key().public_bytes_raw())

    def cosign(self, text: str, *, time_s: int) -> NoteSignature:
        signature = self._private.sign(cosigned_message(text, time_s=time_s))
        return build_cosignature_line(self.key, Cosignature(time_s=time_s, signature=signature))


def derive_log_signer(master_key: MasterKey, origin: str) -> LogSigner:
    return LogSigner(origin, hmac.digest(master_key, b"spina/ledger-seed/v1\x00" + origin.encode(), "sha256"))
