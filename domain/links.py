"""Links: single-use values, disclosed one by one, each the SHA-256 preimage of the one disclosed before it.

The published anchor fixes all later values, and every reader can check a value at once.
"""

import re
from hashlib import sha256

# Example, with a chain of three links (shortened):
#
#     last link, kept secret   3333…
#     links, from index 3 down 3333… → 4c9a… → 0b21… → 7fd0…      each arrow is one SHA-256 of the 32 bytes
#     published beforehand     anchor = index 0 = 7fd0…
#     disclosed, in this order index 1 = 0b21…, index 2 = 4c9a…, index 3 = 3333…
#
# A link is written as 64 lower-case hex digits; its 32 bytes are hashed. A disclosed link fits if its SHA-256 is
# the link disclosed before it, or the anchor for index 1. Refused: any other value, and any other spelling.

_LINK = re.compile("[0-9a-f]{64}")


def build_links(last: bytes, count: int) -> tuple[str, ...]:
    """All links down from the last one: index 0 is the anchor, index `count` is the last. One SHA-256 for each."""
    links = [last]
    for _ in range(count):
        links.append(sha256(links[-1]).digest())
    return tuple(link.hex() for link in reversed(links))


def link_follows(*, previous: str, nonce: str) -> bool:
    """Whether `nonce` is the link after `previous`."""
    return is_link(nonce) and sha256(bytes.fromhex(nonce)).hexdigest() == previous


def walk_back(nonce: str, *, previous: str, steps_max: int) -> str | None:
    """Find the link after `previous`, at most `steps_max` hashes down from the later link `nonce`."""
    if not is_link(nonce):
        return None
    link = bytes.fromhex(nonce)
    for _ in range(steps_max + 1):
        before = sha256(link).digest()
        if before.hex() == previous:
            return link.hex()
        link = before
    return None


def is_link(text: str) -> bool:
    return _LINK.fullmatch(text) is not None
