"""Numbers, hashes and bytes in the ledger's texts: each value has exactly one accepted spelling.

A value read here is written again to the same bytes; a verifier never guesses which spelling was signed.
"""

import base64
import binascii
import re

# Examples: 70000 · DrxdNDf74tsVi58Sah0RjjCBgQMdCpSfje3t68VY72o=
#
#     number = "0" | a digit from 1 to 9, then digits; at most 2^63-1
#     base64 = RFC 4648 section 4, with padding, at least one byte
#     hash   = base64 of 32 bytes
#
# Refused: leading zeros, signs, digits that are not ASCII, spaces, line breaks inside base64, missing padding, the
# base64 of the web, and bits that are set behind the last byte (so that two spellings would mean the same bytes).

HASH_SIZE = 32
# Other programs of the field keep it in a signed 64-bit integer. No tree comes near.
NUMBER_MAX = 2**63 - 1

_NUMBER = re.compile("0|[1-9][0-9]{0,18}")
# So much of a bad spelling is quoted: enough to find it, not enough to fill a log.
_QUOTE_LENGTH = 60


class Misspelt(ValueError):
    """A text is not in the form that it should have."""

    def __init__(self, *, expected: str, found: str) -> None:
        self.expected = expected
        self.found = found
        super().__init__(f"expected {expected}, found {found}")


def parse_number(text: str) -> int:
    if not (_NUMBER.fullmatch(text) and int(text) <= NUMBER_MAX):
        raise Misspelt(expected=f"a decimal number up to {NUMBER_MAX} without leading zeros", found=quote(text))
    return int(text)


def parse_base64(text: str) -> bytes:
    try:
        decoded = base64.b64decode(text.encode("ascii"))
    except (UnicodeEncodeError, binascii.Error):
        decoded = b""
    # The decoder skips unknown characters and drops bits behind the last byte; only one spelling comes back.
    if not decoded or format_base64(decoded) != text:
        raise Misspelt(expected="base64 with padding", found=quote(text))
    return decoded


def format_base64(octets: bytes) -> str:
    return base64.b64encode(octets).decode("ascii")


def parse_hash(text: str) -> bytes:
    decoded = parse_base64(text)
    if len(decoded) != HASH_SIZE:
        raise Misspelt(expected=f"base64 of {HASH_SIZE} bytes", found=f"{len(decoded)} bytes")
    return decoded


def decode_text(raw: bytes, *, size_max: int) -> str:
    """Read UTF-8 without control characters other than the newline, of at most `size_max` bytes."""
    if len(raw) > size_max:
        raise Misspelt(expected=f"at most {size_max} bytes", found=f"{len(raw)} bytes")
    try:
        text = raw.decode()
    except UnicodeDecodeError as error:
        raise Misspelt(expected="UTF-8", found=f"a byte that is not, at {error.start}") from error
    # Looked for in the bytes: below 0x80 a byte of UTF-8 is a character of its own.
    control = raw.translate(None, _ALLOWED)
    if control:
        raise Misspelt(expected="no control character but the newline", found=f"0x{control[0]:02x}")
    return text


def split_lines(text: str) -> list[str]:
    """Lines without their newlines; the last one must have had one too."""
    # Never str.splitlines, which breaks lines at a dozen other characters.
    *lines, rest = text.split("\n")
    if rest:
        raise Misspelt(expected="a newline at the end", found=quote(rest))
    return lines


def quote(text: str) -> str:
    return ascii(text[:_QUOTE_LENGTH])


_ALLOWED = bytes(byte for byte in range(256) if byte >= ord(" ") or byte == ord("\n"))
