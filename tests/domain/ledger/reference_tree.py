"""The tree once more, straight from its definition, to compare with; slow, and nothing is shared with the real one."""

from hashlib import sha256

from domain.ledger.merkle import HashReader, Subtree


def entry(index: int) -> bytes:
    return b"entry %d" % index


def leaf(index: int) -> bytes:
    return sha256(b"\0" + entry(index)).digest()


def defined_root(leaves: list[bytes]) -> bytes:
    """The root as RFC 6962 section 2.1 defines it, of hashes of leaves."""
    if not leaves:
        return sha256(b"").digest()
    if len(leaves) == 1:
        return leaves[0]
    middle = 1
    while middle * 2 < len(leaves):
        middle *= 2
    return sha256(b"\1" + defined_root(leaves[:middle]) + defined_root(leaves[middle:])).digest()


def read_from(leaves: list[bytes]) -> HashReader:
    """A reader over leaves that are all in memory, with every level hashed once."""
    levels = [leaves]
    while len(levels[-1]) > 1:
        below = levels[-1]
        levels.append(
            [sha256(b"\1" + below[place] + below[place + 1]).digest() for place in range(0, len(below) - 1, 2)]
        )

    def read(subtree: Subtree) -> bytes:
        return levels[subtree.level][subtree.index]

    return read


def read_nothing(subtree: Subtree) -> bytes:
    raise AssertionError(subtree)
