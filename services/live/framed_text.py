"""A text as it travels over a socket: framed by itself, before any reader of it is known."""

# A frame that is a whole text: one byte that states so, then its size in one, three or nine, unmasked from a server.
TEXT = b"\x81"
SIZE_IN_ONE_MAX, SIZE_IN_TWO_MAX = 125, 2**16 - 1
IN_TWO, IN_EIGHT = b"\x7e", b"\x7f"


def frame_text(text: bytes) -> bytes:
    """Return a text as it travels (RFC 6455, section 5.2)."""
    size = len(text)
    if size <= SIZE_IN_ONE_MAX:
        return b"%b%c%b" % (TEXT, size, text)
    if size <= SIZE_IN_TWO_MAX:
        return b"%b%b%b%b" % (TEXT, IN_TWO, size.to_bytes(2, "big"), text)
    return b"%b%b%b%b" % (TEXT, IN_EIGHT, size.to_bytes(8, "big"), text)
