"""Unbiased numbers from a key: the same key gives the same numbers, and only the key does.

Must agree with the pages' own code, which an auditor runs instead of this.
"""

import hmac
from collections.abc import Iterator
from hashlib import sha256
from itertools import count

# Example: the key of 32 zero bytes gives ten faces of six sides, 5 5 2 3 6 3 6 4 4 6, and orders a pile of ten cards as
# 2 8 0 3 6 7 9 5 1 4.
#
#     block(j)  HMAC-SHA-256(key, uint64be(j)), j from 0
#     words     four of each block, in order; 64 bits, big-endian
#     below(n)  u mod n, of the next word u; but each u >= 2^64 - (2^64 mod n) is skipped, or small results
#               would be likelier
#     face      below(sides) + 1
#     order     the places 0, 1, …, size-1 shuffled (Fisher-Yates): for i from size-1 down to 1, swap i and below(i + 1)

_WORDS = 2**64


def keyed_blocks(key: bytes) -> Iterator[bytes]:
    """Yield blocks of 32 bytes without end."""
    keyed = hmac.new(key, digestmod=sha256)
    for number in count():
        block = keyed.copy()
        block.update(number.to_bytes(8, "big"))
        yield block.digest()


def split_words(blocks: Iterator[bytes]) -> Iterator[int]:
    for block in blocks:
        for start in range(0, len(block), 8):
            yield int.from_bytes(block[start : start + 8], "big")


def below(words: Iterator[int], n: int) -> int:
    """Return a number from 0 to n-1, each equally likely."""
    bound = _WORDS - _WORDS % n
    return next(word for word in words if word < bound) % n


def faces(key: bytes, *, dice: int, sides: int) -> tuple[int, ...]:
    words = split_words(keyed_blocks(key))
    return tuple(below(words, sides) + 1 for _ in range(dice))


def shuffle_order(key: bytes, size: int) -> tuple[int, ...]:
    """Return where each card of the new pile lay in the old one."""
    words = split_words(keyed_blocks(key))
    order = list(range(size))
    for i in range(size - 1, 0, -1):
        j = below(words, i + 1)
        order[i], order[j] = order[j], order[i]
    return tuple(order)
