"""Chance: the published draws, the allowed continuations, and the refusals of an outsider without the secret."""

import hmac
from hashlib import sha256

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.chance import (
    DECK_SIZE_MAX,
    LINKS_PER_CHAIN,
    SIDES_MAX,
    Chance,
    DeckShuffled,
    DiceDoNotFit,
    DiceRolled,
    LinksExhausted,
    Secret,
    SecretDoesNotFit,
    ShuffleDoesNotFit,
    after_dice,
    after_shuffle,
    check_dice,
    check_shuffle,
    commit,
    contribute,
    deck_order,
    derive_anchors,
    draw_dice,
    draw_shuffle,
    open_chance,
)
from domain.ids import Seat, StreamId
from domain.links import build_links

GAME = StreamId("0199c0de-0000-7000-8000-000000000001")
SECRET = Secret(bytes(range(32)))
ANCHORS = derive_anchors(SECRET, 2)
ELEVENS, TWENTY_TWOS, THREES = "11" * 32, "22" * 32, "33" * 32
OPENED = open_chance(GAME, ANCHORS, SECRET)
WATCHED = open_chance(GAME, ANCHORS, None)
CONTRIBUTED = contribute(contribute(OPENED, seat=Seat(0), nonce=ELEVENS), seat=Seat(1), nonce=TWENTY_TWOS)
CONTRIBUTIONS = st.lists(st.tuples(st.integers(0, 3), st.binary(min_size=32, max_size=32)), max_size=8)


def derive_link(secret: Secret, *, chain: int, index: int) -> str:
    """One link from nothing but the secret."""
    return build_links(hmac.digest(secret, f"spina/links/v1/{chain}".encode(), "sha256"), LINKS_PER_CHAIN)[index]


def mixed(chance: Chance) -> bytes:
    return after_shuffle(chance, draw_shuffle(chance, deck="deck", size=0)).pool


def skip_links(chance: Chance, count: int) -> Chance:
    """Move on as if dice had been rolled, without the cost of rolling them."""
    links = build_links(bytes.fromhex(derive_link(SECRET, chain=1, index=LINKS_PER_CHAIN)), LINKS_PER_CHAIN)
    return msgspec.structs.replace(chance, links_used=count, last_link=links[count])


def test_the_commitment_is_the_published_one() -> None:
    assert commit(GAME, SECRET) == "b249f260fd6e018acfb0be28f7542533ece3dda9520e55ea8b52062383c66ddc"


def test_the_anchor_and_the_first_link_are_the_published_ones() -> None:
    assert ANCHORS[0] == "461bb83a811394550f1627f0daa00589bb31262cfce1bceb1b7b91a4dc601a5c"
    assert (
        draw_dice(OPENED, name="mug", dice=1, sides=6).link
        == "7d5acdf59eb102a75ca452d2fa700e2b2e0772c4b97efdd03fe1c001be666a11"
    )


def test_the_pool_is_the_published_one_before_and_after_two_contributions() -> None:
    assert OPENED.pool.hex() == "41c48c8fc6c27f461feffdad8600479bd623911310275f0da690690f4b158721"
    assert mixed(CONTRIBUTED).hex() == "ece03ac712b85e9c8f831762a2d4a973540375764f1decf2d8b8d852263ac0a9"


def test_two_rolls_are_the_published_ones() -> None:
    emperor = draw_dice(CONTRIBUTED, name="emperor", dice=10, sides=6)
    mug = draw_dice(after_dice(CONTRIBUTED, emperor), name="mug", dice=4, sides=1_000)

    assert emperor == DiceRolled(
        label="emperor:1",
        chain=1,
        index=1,
        link=derive_link(SECRET, chain=1, index=1),
        sides=6,
        faces=(5, 6, 4, 6, 5, 6, 1, 1, 4, 2),
    )
    assert mug == DiceRolled(
        label="mug:1",
        chain=1,
        index=2,
        link=derive_link(SECRET, chain=1, index=2),
        sides=1_000,
        faces=(389, 74, 396, 783),
    )


def test_the_shuffle_is_the_published_one() -> None:
    shuffled = draw_shuffle(CONTRIBUTED, deck="deck", size=10)

    assert shuffled == DeckShuffled(label="deck:1", deck="deck", size=10)
    assert deck_order(after_shuffle(CONTRIBUTED, shuffled), shuffled) == (2, 0, 6, 1, 4, 3, 5, 9, 7, 8)


def test_contributions_are_mixed_by_ascending_seat_and_one_seats_own_in_the_order_of_the_log() -> None:
    chance = OPENED
    for seat, nonce in [(2, TWENTY_TWOS), (0, THREES), (2, ELEVENS), (0, ELEVENS)]:
        chance = contribute(chance, seat=Seat(seat), nonce=nonce)

    pool = OPENED.pool
    for nonce in (THREES, ELEVENS, TWENTY_TWOS, ELEVENS):
        pool = sha256(pool + bytes.fromhex(nonce)).digest()
    assert mixed(chance) == pool


@given(CONTRIBUTIONS)
def test_only_the_order_of_one_seats_own_contributions_matters(
    contributions: list[tuple[int, bytes]],
) -> None:
    by_seat = sorted(contributions, key=lambda contribution: contribution[0])
    in_log_order, in_seat_order = OPENED, OPENED

    for seat, nonce in contributions:
        in_log_order = contribute(in_log_order, seat=Seat(seat), nonce=nonce.hex())
    for seat, nonce in by_seat:
        in_seat_order = contribute(in_seat_order, seat=Seat(seat), nonce=nonce.hex())

    assert mixed(in_log_order) == mixed(in_seat_order)


def test_a_contribution_waits_for_the_next_draw_and_counts_once() -> None:
    rolled = draw_dice(CONTRIBUTED, name="mug", dice=1, sides=6)
    after = after_dice(CONTRIBUTED, rolled)

    assert CONTRIBUTED.pool == OPENED.pool
    assert after.waiting == ()
    assert after.pool == mixed(CONTRIBUTED) == mixed(after)


def test_each_contribution_changes_the_dice() -> None:
    other = contribute(OPENED, seat=Seat(0), nonce=TWENTY_TWOS)
    rolls = {draw_dice(chance, name="mug", dice=20, sides=6).faces for chance in (OPENED, CONTRIBUTED, other)}

    assert len(rolls) == 3


def test_draws_are_numbered_by_name_whether_dice_or_shuffles() -> None:
    chance, labels = OPENED, []
    for name in ("mug", "emperor", "mug"):
        rolled = draw_dice(chance, name=name, dice=1, sides=6)
        chance = after_dice(chance, rolled)
        labels.append(rolled.label)
    shuffled = draw_shuffle(chance, deck="mug", size=3)
    chance = after_shuffle(chance, shuffled)

    assert [*labels, shuffled.label] == ["mug:1", "emperor:1", "mug:2", "mug:3"]
    assert draw_shuffle(chance, deck="deck", size=3).label == "deck:1"


def test_a_shuffle_uses_no_link() -> None:
    shuffled = draw_shuffle(OPENED, deck="deck", size=10)

    assert draw_dice(after_shuffle(OPENED, shuffled), name="mug", dice=1, sides=6).index == 1


def test_the_same_deck_is_ordered_anew_each_time() -> None:
    chance, orders = OPENED, set()
    for _ in range(5):
        shuffled = draw_shuffle(chance, deck="deck", size=20)
        chance = after_shuffle(chance, shuffled)
        orders.add(deck_order(chance, shuffled))

    assert len(orders) == 5


def test_whoever_has_no_secret_follows_and_checks_the_whole_script() -> None:
    dealer, watcher = OPENED, WATCHED

    for number in range(100):
        nonce = sha256(b"%d" % number).hexdigest()
        dealer = contribute(dealer, seat=Seat(number % 3), nonce=nonce)
        watcher = contribute(watcher, seat=Seat(number % 3), nonce=nonce)
        shuffled = draw_shuffle(dealer, deck="deck", size=number)
        check_shuffle(watcher, shuffled)
        dealer, watcher = after_shuffle(dealer, shuffled), after_shuffle(watcher, shuffled)
        rolled = draw_dice(dealer, name="mug", dice=3, sides=6)
        check_dice(watcher, rolled)
        dealer, watcher = after_dice(dealer, rolled), after_dice(watcher, rolled)

    assert msgspec.structs.replace(dealer, secret=None, spaced_links=()) == watcher


def test_dice_of_every_index_use_the_link_of_that_index_and_the_next_chain_follows() -> None:
    chance, links = OPENED, []
    for _ in range(2 * LINKS_PER_CHAIN):
        rolled = draw_dice(chance, name="mug", dice=1, sides=6)
        chance = after_dice(chance, rolled)
        links.append((rolled.chain, rolled.index, rolled.link))

    for chain in (1, 2):
        last = bytes.fromhex(derive_link(SECRET, chain=chain, index=LINKS_PER_CHAIN))
        used = build_links(last, LINKS_PER_CHAIN)
        assert used[0] == ANCHORS[chain - 1]
        start = (chain - 1) * LINKS_PER_CHAIN
        expected = [(chain, index, used[index]) for index in range(1, LINKS_PER_CHAIN + 1)]
        assert links[start : start + LINKS_PER_CHAIN] == expected
    with pytest.raises(LinksExhausted) as exhausted:
        draw_dice(chance, name="mug", dice=1, sides=6)
    assert (exhausted.value.stream, exhausted.value.chains) == (GAME, 2)


def test_the_watcher_changes_chains_with_the_dealer_and_refuses_dice_after_the_last() -> None:
    one_chain = open_chance(GAME, ANCHORS[:1], SECRET)
    last = draw_dice(skip_links(OPENED, LINKS_PER_CHAIN - 1), name="mug", dice=2, sides=6)
    next_chain = after_dice(skip_links(OPENED, LINKS_PER_CHAIN - 1), last)
    watched = after_dice(skip_links(WATCHED, LINKS_PER_CHAIN - 1), last)
    first = draw_dice(next_chain, name="mug", dice=2, sides=6)

    check_dice(watched, first)

    assert (last.index, first.chain, first.index) == (LINKS_PER_CHAIN, 2, 1)
    with pytest.raises(DiceDoNotFit) as refused:
        check_dice(after_dice(skip_links(one_chain, LINKS_PER_CHAIN - 1), last), first)
    assert refused.value.what == "chain"


@pytest.mark.parametrize(
    ("what", "changes"),
    [
        ("place", {"label": "mug:2"}),
        ("place", {"label": "mug:0"}),
        ("place", {"label": "mug:01"}),
        ("place", {"label": "mug"}),
        ("place", {"label": ""}),
        ("place", {"chain": 2}),
        ("place", {"chain": 0}),
        ("place", {"index": 2}),
        ("place", {"index": 0}),
        ("link", {"link": derive_link(SECRET, chain=1, index=2)}),
        ("link", {"link": derive_link(SECRET, chain=1, index=1).upper()}),
        ("link", {"link": ANCHORS[0]}),
        ("link", {"link": ""}),
        ("link", {"link": "zz"}),
        ("sides", {"sides": 0}),
        ("sides", {"sides": -6}),
        ("sides", {"sides": SIDES_MAX + 1}),
        ("sides", {"faces": ()}),
        ("faces", {"label": "cup:1"}),
        ("faces", {"sides": 8}),
        ("faces", {"faces": (7, 7, 7)}),
    ],
)
def test_dice_that_do_not_follow_are_refused_by_what_is_wrong(what: str, changes: dict[str, object]) -> None:
    rolled = draw_dice(CONTRIBUTED, name="mug", dice=3, sides=6)
    watched = msgspec.structs.replace(CONTRIBUTED, secret=None, spaced_links=())
    check_dice(watched, rolled)

    with pytest.raises(DiceDoNotFit) as refused:
        check_dice(watched, msgspec.structs.replace(rolled, **changes))

    assert refused.value.what == what


def test_one_other_face_one_more_or_one_less_is_refused_or_another_roll() -> None:
    rolled = draw_dice(CONTRIBUTED, name="mug", dice=3, sides=6)

    for place in range(3):
        faces = list(rolled.faces)
        faces[place] = faces[place] % 6 + 1
        with pytest.raises(DiceDoNotFit):
            check_dice(CONTRIBUTED, msgspec.structs.replace(rolled, faces=tuple(faces)))
    with pytest.raises(DiceDoNotFit):
        check_dice(CONTRIBUTED, msgspec.structs.replace(rolled, faces=rolled.faces[1:]))


def test_dice_are_refused_when_a_contribution_was_left_out_or_added() -> None:
    rolled = draw_dice(CONTRIBUTED, name="mug", dice=30, sides=6)

    for chance in (OPENED, contribute(CONTRIBUTED, seat=Seat(2), nonce=THREES)):
        with pytest.raises(DiceDoNotFit):
            check_dice(chance, rolled)


@pytest.mark.parametrize(
    ("what", "changes"),
    [
        ("label", {"label": "deck:2"}),
        ("label", {"deck": "other"}),
        ("size", {"size": -1}),
        ("size", {"size": DECK_SIZE_MAX + 1}),
    ],
)
def test_a_shuffle_that_does_not_follow_is_refused(what: str, changes: dict[str, object]) -> None:
    shuffled = draw_shuffle(OPENED, deck="deck", size=10)
    check_shuffle(WATCHED, shuffled)

    with pytest.raises(ShuffleDoesNotFit) as refused:
        check_shuffle(WATCHED, msgspec.structs.replace(shuffled, **changes))

    assert refused.value.what == what


def test_a_secret_that_did_not_make_the_anchors_is_refused() -> None:
    with pytest.raises(SecretDoesNotFit) as refused:
        open_chance(GAME, ANCHORS, Secret(bytes(32)))

    assert (refused.value.chain, refused.value.expected) == (1, ANCHORS[0])


def test_neither_repr_shows_the_secret_or_a_link_to_come() -> None:
    rich_repr = repr(OPENED.__rich_repr__())

    for shown in (repr(OPENED), str(OPENED), f"{OPENED}", rich_repr):
        assert GAME in shown
        for hidden in (SECRET, *OPENED.spaced_links):
            assert repr(hidden)[2:-1] not in shown
            assert hidden.hex() not in shown


def test_drawing_without_the_secret_is_a_bug() -> None:
    shuffled = draw_shuffle(WATCHED, deck="deck", size=10)

    with pytest.raises(AssertionError):
        draw_dice(WATCHED, name="mug", dice=1, sides=6)
    with pytest.raises(AssertionError):
        deck_order(after_shuffle(WATCHED, shuffled), shuffled)


def test_asking_for_an_order_before_the_shuffle_was_mixed_is_a_bug() -> None:
    shuffled = draw_shuffle(CONTRIBUTED, deck="deck", size=10)

    with pytest.raises(AssertionError):
        deck_order(CONTRIBUTED, shuffled)
