"""A value that can be no part of a seal is refused in the words of a player."""

import msgspec
import pytest

from services.terminal.sealing import SealRefused, Sought, seal_with

SOUGHT = Sought(game="0199c0de-0000-7000-8000-000000000001", seat=2, decision="t1/move/2", action='{"kind":"reset"}')
SALT = "33" * 32


def test_a_seal_can_be_made_again_with_its_salt() -> None:
    first = seal_with(SOUGHT, None)

    again = seal_with(SOUGHT, first.salt)

    assert again == first


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ({"game": "x"}, "expected the id of a game, a UUID in lower case, found 'x'"),
        ({"seat": 44}, "expected a seat from 0 to 11, found 44"),
        (
            {"decision": "t1 move"},
            "expected the id of a decision as the board names it, such as t1/move/0, found 't1 move'",
        ),
        (
            {"action": '{"b":1,"a":2}'},
            """expected the action in canonical JSON: expected '"a":2,"b":1}', found '"b":1,"a":2}' at byte 2""",
        ),
        ({"action": "{x"}, "expected the action in canonical JSON: expected JSON, found JSON is malformed"),
    ],
)
def test_what_was_typed_wrong_is_told_without_a_pattern(typed: dict[str, object], said: str) -> None:
    with pytest.raises(SealRefused) as refused:
        seal_with(msgspec.structs.replace(SOUGHT, **typed), SALT)

    assert str(refused.value).startswith(said)


def test_a_salt_is_not_repeated() -> None:
    with pytest.raises(SealRefused) as refused:
        seal_with(SOUGHT, "hunter2")

    assert str(refused.value) == "expected a salt of 64 hex digits in lower case, found 7 characters"
