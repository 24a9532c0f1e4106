"""The client's second spelling of each format, held to the server's: the same parts give the same bytes."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain import canonical, links, seal, signature
from domain.ids import CHOSEN_PATTERN, CommandId, DecisionId, GameId, LineHash, Seat, StreamId
from spina_client import formats

GAME = "0199c0de-0000-7000-8000-000000000001"
BASE = "9f" * 32
COMMAND = "0199c0de-0000-7000-8000-0000000000c7"
INTEGERS = st.integers(min_value=-canonical.INTEGER_MAX, max_value=canonical.INTEGER_MAX)
KEYS = st.text(st.characters(codec="ascii"), max_size=8)
VALUES = st.recursive(
    st.none() | st.booleans() | INTEGERS | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=3),
    max_leaves=8,
)


@given(value=VALUES)
def test_an_action_is_written_in_canonical_form(value: canonical.Json) -> None:
    written = formats.encode(value)

    assert written == canonical.encode(value)
    assert canonical.parse(written) == value


@pytest.mark.parametrize("count", [0, 1, 64])
def test_links_are_the_server_s(count: int) -> None:
    chain = formats.build_links(b"\x33" * 32, count)

    assert chain == links.build_links(b"\x33" * 32, count)


@given(value=VALUES, place=st.integers(min_value=0, max_value=11), salt=st.binary(min_size=32, max_size=32))
def test_a_seal_is_the_server_s(value: canonical.Json, place: int, salt: bytes) -> None:
    action = formats.encode(value)

    sealed = formats.seal_action(game=GAME, seat=place, decision="t1/move/2", salt=salt.hex(), action=action)

    assert sealed == seal.seal_action(
        game=GameId(StreamId(GAME)),
        seat=Seat(place),
        decision=DecisionId("t1/move/2"),
        salt=salt.hex(),
        action=action,
    )


@given(data=st.dictionaries(KEYS, VALUES, max_size=3))
def test_the_message_to_sign_is_the_one_that_the_server_verifies(data: dict[str, canonical.Json]) -> None:
    message = formats.signed_input(base=BASE, command=COMMAND, data=data, stream=GAME, type_="seat_resigned")

    assert message == signature.signed_input(
        base=LineHash(BASE), command=CommandId(COMMAND), data=data, stream=StreamId(GAME), type_="seat_resigned"
    )


def test_an_id_is_one_that_a_client_may_choose_and_sorts_by_its_time() -> None:
    earlier, later = formats.build_uuid7(1_700_000_000_000), formats.build_uuid7(1_700_000_000_001)

    assert re.fullmatch(CHOSEN_PATTERN, earlier)
    assert earlier < later
