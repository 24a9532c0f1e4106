"""A seat's own links: each is proven by the one before it."""

from hashlib import sha256

import pytest

from domain.links import build_links, link_follows, walk_back

LAST = bytes([0x33]) * 32
LINKS = build_links(LAST, 10)


def test_links_lead_from_the_last_down_to_the_anchor() -> None:
    assert LINKS[10] == LAST.hex()
    assert len(LINKS) == 11
    assert all(sha256(bytes.fromhex(LINKS[i])).hexdigest() == LINKS[i - 1] for i in range(1, 11))


def test_no_links_are_an_anchor_alone() -> None:
    assert build_links(LAST, 0) == (LAST.hex(),)


def test_only_the_next_link_follows() -> None:
    following = [nonce for nonce in LINKS if link_follows(previous=LINKS[4], nonce=nonce)]

    assert following == [LINKS[5]]


@pytest.mark.parametrize(
    "nonce", ["", LINKS[5].upper(), LINKS[5][:-1], LINKS[5] + "\n", " " + LINKS[5], LINKS[5] + "00", "zz" * 32]
)
def test_another_spelling_of_the_next_link_does_not_follow(nonce: str) -> None:
    assert link_follows(previous=LINKS[4], nonce=LINKS[5])
    assert not link_follows(previous=LINKS[4], nonce=nonce)
    assert walk_back(nonce, previous=LINKS[4], steps_max=10) is None


def test_a_later_link_leads_back_to_the_next_one() -> None:
    assert walk_back(LINKS[9], previous=LINKS[4], steps_max=10) == LINKS[5]
    assert walk_back(LINKS[5], previous=LINKS[4], steps_max=0) == LINKS[5]


def test_the_way_back_ends_after_the_steps_allowed() -> None:
    assert walk_back(LINKS[9], previous=LINKS[4], steps_max=4) == LINKS[5]
    assert walk_back(LINKS[9], previous=LINKS[4], steps_max=3) is None


def test_an_earlier_link_or_another_chain_leads_nowhere() -> None:
    other = build_links(bytes(32), 10)

    assert walk_back(LINKS[4], previous=LINKS[4], steps_max=20) is None
    assert walk_back(LINKS[2], previous=LINKS[4], steps_max=20) is None
    assert walk_back(other[9], previous=LINKS[4], steps_max=20) is None
