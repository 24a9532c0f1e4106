"""Signing keys of the tests, each from a published seed."""

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from domain.ledger.checkpoint import Checkpoint, SignedCheckpoint, format_checkpoint
from domain.ledger.cosignature import Cosignature, build_cosignature_line, cosigned_message
from domain.ledger.note import Note, NoteSignature
from domain.ledger.note_key import COSIGNATURE, ED25519, NoteKey

ORIGIN = "example.com/board-log"
TIME_S = 1_700_000_000


class SigningKey:
    def __init__(self, name: str, *, kind: int, first_byte: int) -> None:
        self._private = Ed25519PrivateKey.from_private_bytes(bytes(range(first_byte, first_byte + 32)))
        self.key = NoteKey(name=name, kind=kind, public_key=self._private.public_key().public_bytes_raw())

    def sign(self, text: str) -> NoteSignature:
        assert self.key.kind == ED25519
        return NoteSignature(name=self.key.name, key_id=self.key.key_id, payload=self._private.sign(text.encode()))

    def cosign(self, text: str, *, time_s: int = TIME_S) -> NoteSignature:
        signature = self._private.sign(cosigned_message(text, time_s=time_s))
        return build_cosignature_line(self.key, Cosignature(time_s=time_s, signature=signature))


# The log and the witness of the published vectors, and others.
LOG = SigningKey(ORIGIN, kind=ED25519, first_byte=0x20)
WITNESS = SigningKey("witness.example/w1", kind=COSIGNATURE, first_byte=0x00)
SECOND_WITNESS = SigningKey("witness.example/w2", kind=COSIGNATURE, first_byte=0x40)
THIRD_WITNESS = SigningKey("witness.example/w3", kind=COSIGNATURE, first_byte=0x60)
STRANGER = SigningKey("stranger.example", kind=ED25519, first_byte=0x80)


def publish(tree_size: int, root: bytes, *, signer: SigningKey = LOG, origin: str = ORIGIN) -> SignedCheckpoint:
    checkpoint = Checkpoint(origin=origin, tree_size=tree_size, root=root)
    text = format_checkpoint(checkpoint)
    return SignedCheckpoint(checkpoint=checkpoint, note=Note(text=text, signatures=(signer.sign(text),)))


def cosigned(signed: SignedCheckpoint, *witnesses: SigningKey, time_s: int = TIME_S) -> SignedCheckpoint:
    lines = tuple(witness.cosign(signed.note.text, time_s=time_s) for witness in witnesses)
    note = Note(text=signed.note.text, signatures=(*signed.note.signatures, *lines))
    return SignedCheckpoint(checkpoint=signed.checkpoint, note=note)
