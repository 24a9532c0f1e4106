"""Numbers from a key: the published ones, and none likelier than another."""

import hmac
from collections import Counter
from itertools import islice

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.keyed_numbers import below, faces, keyed_blocks, shuffle_order, split_words

ZEROS = bytes(32)
WORDS = 2**64
KEYS = st.binary(min_size=32, max_size=32)


def test_the_key_of_zeros_gives_the_numbers_of_the_worked_example() -> None:
    assert faces(ZEROS, dice=10, sides=6) == (5, 5, 2, 3, 6, 3, 6, 4, 4, 6)
    assert shuffle_order(ZEROS, 10) == (2, 8, 0, 3, 6, 7, 9, 5, 1, 4)


def test_blocks_are_the_hmac_of_their_number() -> None:
    blocks = list(islice(keyed_blocks(b"key"), 300))

    assert blocks[0] == hmac.digest(b"key", bytes(8), "sha256")
    assert blocks[1] == hmac.digest(b"key", bytes(7) + b"\x01", "sha256")
    assert blocks[299] == hmac.digest(b"key", bytes(6) + b"\x01\x2b", "sha256")


def test_a_block_is_four_words_with_the_large_end_first() -> None:
    block = bytes(7) + b"\x01" + bytes(6) + b"\x01\x00" + b"\xff" * 8 + b"\x80" + bytes(7)

    assert list(split_words(iter([block, block]))) == [1, 256, WORDS - 1, WORDS // 2] * 2


@pytest.mark.parametrize("n", [1, 2, 3, 6, 7, 10, 1_000, 2**63 - 1, 2**63, 2**63 + 1, WORDS - 1])
def test_words_of_the_incomplete_last_run_are_skipped(n: int) -> None:
    bound = WORDS - WORDS % n

    assert below(iter([bound - 1]), n) == n - 1
    assert below(iter([0]), n) == 0
    for skipped in range(bound, min(bound + 3, WORDS)):
        assert below(iter([skipped, n - 1]), n) == n - 1


def test_skipping_starts_at_the_very_bound() -> None:
    bound = WORDS - WORDS % 6

    assert WORDS % 6 == 4
    assert below(iter([bound, bound + 3, 5]), 6) == 5
    assert below(iter([bound - 1, 0]), 6) == 5


def test_a_power_of_two_skips_nothing() -> None:
    assert below(iter([WORDS - 1]), 8) == 7


@given(KEYS, st.integers(1, 40), st.integers(1, 1_000))
def test_faces_are_on_the_dice_and_fewer_dice_show_the_first_of_them(key: bytes, dice: int, sides: int) -> None:
    rolled = faces(key, dice=dice, sides=sides)

    assert len(rolled) == dice
    assert all(1 <= face <= sides for face in rolled)
    assert faces(key, dice=dice - 1, sides=sides) == rolled[:-1]


@given(KEYS, st.integers(0, 200))
def test_an_order_has_each_place_once(key: bytes, size: int) -> None:
    assert sorted(shuffle_order(key, size)) == list(range(size))


def test_faces_are_equally_likely() -> None:
    counts = Counter(faces(ZEROS, dice=60_000, sides=6))

    # Five standard deviations of a fair die; the key is fixed, so this cannot fail by chance.
    assert all(abs(counts[face] - 10_000) < 5 * 92 for face in range(1, 7))


def test_all_orders_of_four_cards_are_equally_likely() -> None:
    counts = Counter(shuffle_order(number.to_bytes(2, "big"), 4) for number in range(24_000))

    assert len(counts) == 24
    assert all(abs(count - 1_000) < 5 * 31 for count in counts.values())
