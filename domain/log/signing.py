"""Whether an input is signed as it must be: by the key that its author registered, and not at all where none is."""

from msgspec import Struct

from domain.ids import StreamId
from domain.log.entry import Author, as_stored
from domain.log.rejections import SignatureDoesNotFit, SignatureMissing, SignatureUnwanted
from domain.signature import is_signed_by, signed_input


class Claim(Struct, frozen=True, kw_only=True):
    """What is signed, with the id of the command: so that a signature fits one place only."""

    event: Struct
    type: str
    stream: StreamId


def check_signature(claim: Claim, author: Author, *, key: str | None) -> None:
    """Check the signature of an input by this key, or that there is none where there is no key."""
    if key is None:
        if author.sig is not None:
            raise SignatureUnwanted(expected=f"no signature, as {author.by} registered no key", found="a signature")
        return
    if author.sig is None:
        raise SignatureMissing(expected=f"a signature by the key that {author.by} registered", found="none")
    assert author.command is not None, "whatever is signed was asked for by a command"
    message = signed_input(command=author.command, data=as_stored(claim.event), stream=claim.stream, type_=claim.type)
    if not is_signed_by(message, key_hex=key, sig_hex=author.sig):
        raise SignatureDoesNotFit(
            expected=f"a signature by the key of {author.by} over this input of this stream",
            found="one that does not fit",
        )
