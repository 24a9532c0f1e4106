"""Whether an input is signed as it must be: by the key that its author registered, and not at all where none is."""

from domain.ids import StreamId
from domain.log.entry import Input, as_stored
from domain.log.rejections import SignatureDoesNotFit, SignatureMissing, SignatureUnwanted
from domain.signature import is_signed_by, signed_input


def check_signature(put: Input, stream: StreamId, *, type_: str, key: str | None) -> None:
    """Check the signature of an input by this key, or that there is none where there is no key.

    The id of the command and the line that its sender saw last are signed with the event, so that a signature fits one
    place only.
    """
    if key is None:
        if put.sig is not None or put.base is not None:
            raise SignatureUnwanted(expected=f"no signature, as {put.by} registered no key", found="a signature")
        return
    if put.sig is None or put.base is None:
        raise SignatureMissing(expected=f"sig by the key that {put.by} registered, and base", found="none")
    assert put.command is not None, "an input that is signed is a command's"
    message = signed_input(base=put.base, command=put.command, data=as_stored(put.event), stream=stream, type_=type_)
    if not is_signed_by(message, key_hex=key, sig_hex=put.sig):
        raise SignatureDoesNotFit(
            expected=f"a signature by the key of {put.by} over this input of this stream",
            found="one that does not fit",
        )
