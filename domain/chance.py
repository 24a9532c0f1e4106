"""A game's source of verifiable randomness: commitments, dice and shuffles.

Dice follow from the lines of the log. Only drawing them, and the order of a deck, needs the secret.
"""

import hmac
from functools import lru_cache
from hashlib import sha256
from typing import Any, NewType

import msgspec
from msgspec import Struct

from domain.ids import Seat, StreamId
from domain.keyed_numbers import faces, shuffle_order
from domain.links import build_links, is_link, link_follows

# Example: game 0199c0de-0000-7000-8000-000000000001, secret = bytes 00..1f, and two contributions that
# waited, 32 times 11 from seat 0 and 32 times 22 from seat 1 (hex, shortened):
#
#     commit     b249f260…   anchors[0] 461bb83a…   link[1] 7d5acdf5…
#     pool[0]    41c48c8f…   mixed twice: pool[2] ece03ac7…
#     dice       {"chain":1,"faces":[5,6,4,6,5,6,1,1,4,2],"index":1,"label":"emperor:1","link":"7d5a…","sides":6}
#     shuffle    {"deck":"deck","label":"deck:1","size":10}, whose order is 2 0 6 1 4 3 5 9 7 8
#
# H is SHA-256, || joins bytes, 0 is one zero byte; numbers and texts are ASCII; links and nonces are their 32 bytes.
#
#     commit    = H("spina/commit/v1" || 0 || game || 0 || secret)
#     links     chain k from 1, 1,024 each: link[1024] = HMAC(secret, "spina/links/v1/" || k), link[i-1] = H(link[i]),
#               anchors[k-1] = link[0]; rolls use index 1, 2, … of chain 1, then of chain 2, …, each exactly once
#     pool      pool[0] = H("spina/pool/v1" || 0 || stream); contributions wait and are mixed one by one just before the
#               next draw, in ascending seat order, one seat's own in the order of the log: pool = H(pool || nonce)
#     label     <name>:<n>, n counting the draws of that name from 1; a deck's name is the deck
#     dice      faces of the key HMAC(next link, pool || label), as in keyed_numbers.py
#     shuffle   order of the key HMAC(HMAC(secret, "spina/decks/v1"), pool || label), as in keyed_numbers.py
#
# Refused of dice: another label, a chain and index that are not next, a link whose H is not the link before it or the
# chain's anchor, sides that no die has, and other faces than these. Refused of a shuffle: another label, and a size
# that no deck has; its order is nowhere in the log.

Secret = NewType("Secret", bytes)

# Each roll uses one link. A long game rolls a few hundred times; a ruleset that may need more asks for more chains.
LINKS_PER_CHAIN = 1_024
# Every 32nd link of the chain in use is kept, so that a roll costs at most 31 hashes and a game one kilobyte.
LINK_SPACING = 32
# An opening derives a chain, and the fold of its first line once more; a kilobyte each.
CHAINS_KEPT = 64
# Far above any die of ours, and low enough that dice of a hostile log cost nothing to check.
SIDES_MAX = 1_000_000
# The same for decks: ours have at most a few hundred cards.
DECK_SIZE_MAX = 10_000


class DiceRolled(Struct, frozen=True, kw_only=True):
    label: str
    chain: int
    index: int
    link: str
    sides: int
    faces: tuple[int, ...]


class DeckShuffled(Struct, frozen=True, kw_only=True):
    label: str
    deck: str
    size: int


class Contribution(Struct, frozen=True, kw_only=True):
    seat: Seat
    nonce: str


class DrawCount(Struct, frozen=True, kw_only=True):
    name: str
    draws: int


class Chance(Struct, frozen=True, kw_only=True):
    """The state on which the next draw depends. Without the secret it can follow and check, but not draw."""

    stream: StreamId
    secret: Secret | None
    anchors: tuple[str, ...]
    pool: bytes
    waiting: tuple[Contribution, ...] = ()
    links_used: int = 0
    # The link disclosed last of the chain in use, or its anchor.
    last_link: str
    draws: tuple[DrawCount, ...] = ()
    # Links 32, 64, … of the chain in use; as secret as the secret, and empty without it.
    spaced_links: tuple[bytes, ...] = ()

    def __repr__(self) -> str:
        """Show nothing that is secret: a repr ends up in logs and tracebacks."""
        held = "without" if self.secret is None else "with"
        return f"<Chance of {self.stream} {held} its secret, {self.links_used} links used>"

    def __rich_repr__(self) -> list[tuple[str, Any]]:
        """Show no more to rich, which prints the locals of a traceback."""
        return [("stream", self.stream), ("links_used", self.links_used)]


class LinksExhausted(Exception):
    """The ruleset asked for too few chains: every link has been used."""

    def __init__(self, *, stream: StreamId, chains: int) -> None:
        self.stream = stream
        self.chains = chains
        super().__init__(f"{stream}: all {chains * LINKS_PER_CHAIN} links of {chains} chains have been used")


class SecretDoesNotFit(ValueError):
    """The secret is not the one whose anchors the game published."""

    def __init__(self, *, chain: int, expected: str, found: str) -> None:
        self.chain = chain
        self.expected = expected
        self.found = found
        super().__init__(f"chain {chain}: expected the anchor {expected}, found {found}")


class DrawDoesNotFit(ValueError):
    """A draw does not follow from the links and contributions of the log."""

    def __init__(self, *, expected: str, found: str, what: str) -> None:
        self.expected = expected
        self.found = found
        self.what = what
        super().__init__(f"{what}: expected {expected}, found {found}")


class DiceDoNotFit(DrawDoesNotFit):
    pass


class ShuffleDoesNotFit(DrawDoesNotFit):
    pass


def commit(stream: StreamId, secret: Secret) -> str:
    return sha256(b"spina/commit/v1\0" + stream.encode() + b"\0" + secret).hexdigest()


def derive_anchors(secret: Secret, chains: int) -> tuple[str, ...]:
    """Derive the anchors of chains 1 to `chains`; 1,024 hashes each."""
    return tuple(_derive_chain(secret, chain)[0].hex() for chain in range(1, chains + 1))


def open_chance(stream: StreamId, anchors: tuple[str, ...], secret: Secret | None) -> Chance:
    """Chance as it is when the game opens; raises SecretDoesNotFit."""
    pool = sha256(b"spina/pool/v1\0" + stream.encode()).digest()
    return _enter_chain(Chance(stream=stream, secret=secret, anchors=anchors, pool=pool, last_link=""))


def contribute(chance: Chance, *, seat: Seat, nonce: str) -> Chance:
    assert is_link(nonce), nonce
    waiting = (*chance.waiting, Contribution(seat=seat, nonce=nonce))
    return msgspec.structs.replace(chance, waiting=waiting)


def draw_dice(chance: Chance, *, name: str, dice: int, sides: int) -> DiceRolled:
    """Draw from the next link; raises LinksExhausted. The chance itself moves on with `after_dice`."""
    assert chance.secret is not None, "only who has the secret can roll"
    assert dice >= 1, dice
    assert 1 <= sides <= SIDES_MAX, sides
    chain, index = _next_link(chance)
    if chain > len(chance.anchors):
        raise LinksExhausted(stream=chance.stream, chains=len(chance.anchors))
    link = _held_link(chance, index)
    label = _next_label(chance, name)
    key = _dice_key(link, pool=_mix(chance), label=label)
    return DiceRolled(
        label=label, chain=chain, index=index, link=link, sides=sides, faces=faces(key, dice=dice, sides=sides)
    )


def draw_shuffle(chance: Chance, *, deck: str, size: int) -> DeckShuffled:
    """Announce a shuffle. Its order follows from the chance after it, with `deck_order`."""
    assert 0 <= size <= DECK_SIZE_MAX, size
    return DeckShuffled(label=_next_label(chance, deck), deck=deck, size=size)


def after_dice(chance: Chance, rolled: DiceRolled) -> Chance:
    """Mix the waiting contributions, count the draw and move on to the next link."""
    moved = msgspec.structs.replace(
        _after_draw(chance, name=_name_of(rolled.label)),
        links_used=chance.links_used + 1,
        last_link=rolled.link,
    )
    return _enter_chain(moved) if moved.links_used % LINKS_PER_CHAIN == 0 else moved


def after_shuffle(chance: Chance, shuffled: DeckShuffled) -> Chance:
    """Mix the waiting contributions and count the draw."""
    return _after_draw(chance, name=shuffled.deck)


def deck_order(chance: Chance, shuffled: DeckShuffled) -> tuple[int, ...]:
    """Order a shuffle, from the chance just after it: `new pile[k] = old pile[order[k]]`."""
    assert chance.secret is not None, "only who has the secret knows the order"
    assert not chance.waiting, "the order follows from the chance after the shuffle"
    decks_key = hmac.digest(chance.secret, b"spina/decks/v1", "sha256")
    return shuffle_order(hmac.digest(decks_key, chance.pool + shuffled.label.encode(), "sha256"), shuffled.size)


def check_dice(chance: Chance, rolled: DiceRolled) -> None:
    """Check dice against the chance just before them, without the secret; raises DiceDoNotFit."""
    chain, index = _next_link(chance)
    label = _next_label(chance, _name_of(rolled.label))
    if chain > len(chance.anchors):
        raise DiceDoNotFit(expected="no dice after the last link", found=f"chain {rolled.chain}", what="chain")
    if (rolled.label, rolled.chain, rolled.index) != (label, chain, index):
        found = f"{rolled.label}, chain {rolled.chain}, index {rolled.index}"
        raise DiceDoNotFit(expected=f"{label}, chain {chain}, index {index}", found=found, what="place")
    if not link_follows(previous=chance.last_link, nonce=rolled.link):
        raise DiceDoNotFit(expected=f"a link whose SHA-256 is {chance.last_link}", found=rolled.link, what="link")
    if not (1 <= rolled.sides <= SIDES_MAX and rolled.faces):
        found = f"{len(rolled.faces)} dice with {rolled.sides} sides"
        raise DiceDoNotFit(expected=f"dice with 1 to {SIDES_MAX} sides", found=found, what="sides")
    expected = faces(_dice_key(rolled.link, pool=_mix(chance), label=label), dice=len(rolled.faces), sides=rolled.sides)
    if rolled.faces != expected:
        told, found = (" ".join(str(face) for face in each) for each in (expected, rolled.faces))
        raise DiceDoNotFit(expected=told, found=found, what="faces")


def check_shuffle(chance: Chance, shuffled: DeckShuffled) -> None:
    """Check a shuffle against the chance just before it, without the secret; raises ShuffleDoesNotFit."""
    label = _next_label(chance, shuffled.deck)
    if shuffled.label != label:
        raise ShuffleDoesNotFit(expected=label, found=shuffled.label, what="label")
    if not 0 <= shuffled.size <= DECK_SIZE_MAX:
        raise ShuffleDoesNotFit(expected=f"0 to {DECK_SIZE_MAX} cards", found=str(shuffled.size), what="size")


@lru_cache(maxsize=CHAINS_KEPT)
def _derive_chain(secret: Secret, chain: int) -> tuple[bytes, ...]:
    """Derive links 0, 32, 64, … of a chain, its anchor first."""
    link = hmac.digest(secret, f"spina/links/v1/{chain}".encode(), "sha256")
    spaced = [link]
    for index in range(LINKS_PER_CHAIN - 1, -1, -1):
        link = sha256(link).digest()
        if index % LINK_SPACING == 0:
            spaced.append(link)
    return tuple(reversed(spaced))


def _next_link(chance: Chance) -> tuple[int, int]:
    return chance.links_used // LINKS_PER_CHAIN + 1, chance.links_used % LINKS_PER_CHAIN + 1


def _enter_chain(chance: Chance) -> Chance:
    """Stand at the anchor of the chain whose first link is next; after the last chain nothing is next."""
    chain, _ = _next_link(chance)
    if chain > len(chance.anchors):
        return msgspec.structs.replace(chance, spaced_links=())
    anchor = chance.anchors[chain - 1]
    if chance.secret is None:
        return msgspec.structs.replace(chance, last_link=anchor)
    own, *spaced_links = _derive_chain(chance.secret, chain)
    if own.hex() != anchor:
        raise SecretDoesNotFit(chain=chain, expected=anchor, found=own.hex())
    return msgspec.structs.replace(chance, last_link=anchor, spaced_links=tuple(spaced_links))


def _held_link(chance: Chance, index: int) -> str:
    kept = (index - 1) // LINK_SPACING
    return build_links(chance.spaced_links[kept], (kept + 1) * LINK_SPACING - index)[0]


def _next_label(chance: Chance, name: str) -> str:
    drawn = sum(counted.draws for counted in chance.draws if counted.name == name)
    return f"{name}:{drawn + 1}"


def _name_of(label: str) -> str:
    return label.rpartition(":")[0]


def _mix(chance: Chance) -> bytes:
    pool = chance.pool
    # The sort is stable, so that one seat's own contributions stay in the order of the log.
    for waiting in sorted(chance.waiting, key=lambda contribution: contribution.seat):
        pool = sha256(pool + bytes.fromhex(waiting.nonce)).digest()
    return pool


def _after_draw(chance: Chance, *, name: str) -> Chance:
    counted = {count.name: count.draws for count in chance.draws}
    counted[name] = counted.get(name, 0) + 1
    draws = tuple(DrawCount(name=name, draws=draws) for name, draws in counted.items())
    return msgspec.structs.replace(chance, pool=_mix(chance), waiting=(), draws=draws)


def _dice_key(link: str, *, pool: bytes, label: str) -> bytes:
    return hmac.digest(bytes.fromhex(link), pool + label.encode(), "sha256")
