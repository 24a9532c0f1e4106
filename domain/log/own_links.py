"""The links that a seat or an entrant brings along, with which it takes part in every draw."""

from msgspec import Struct

from domain.links import link_follows
from domain.log.rejections import LinkDoesNotFit, TooFewLinks, UnfitEvent

# As many as a short game has contributions: a seat that takes part in chance does so to the end, or not at all.
LINKS_MIN = 64
# Demanded links: more than any race has contributions, so that none runs dry.
LINKS_DEMANDED = 1_024


class OwnLinks(Struct, frozen=True, kw_only=True):
    """The links left: the link disclosed last (the anchor at first), and how many are left."""

    last: str
    left: int


def check_links(anchor: str | None, links: int) -> None:
    """Check that a seat or an entrant with links brings an anchor and enough of them."""
    if (anchor is None) != (links == 0):
        raise UnfitEvent(
            expected="an anchor and at least one link, or neither",
            found=f"{'no' if anchor is None else 'an'} anchor and {links} links",
        )
    if 0 < links < LINKS_MIN:
        raise TooFewLinks(expected=f"no links, or at least {LINKS_MIN}", found=f"{links}")


def check_nonce(links: OwnLinks | None, nonce: str | None, *, whose: str) -> None:
    """Check a contribution to chance: the next link while there is any, nothing otherwise."""
    if links is None or links.left == 0:
        if nonce is not None:
            raise LinkDoesNotFit(expected=f"no nonce, as {whose} has no links left", found="a nonce")
        return
    if nonce is None:
        raise LinkDoesNotFit(expected=f"the next link of {whose} as nonce", found="none")
    if not link_follows(previous=links.last, nonce=nonce):
        raise LinkDoesNotFit(expected=f"the link of {whose} whose SHA-256 is {links.last}", found="another value")
