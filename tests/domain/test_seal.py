"""A seal binds a seat to one action of one decision of one game."""

from hashlib import sha256

import pytest

from domain.canonical import encode
from domain.ids import DecisionId, GameId, Seat, StreamId
from domain.seal import seal_action

GAME = GameId(StreamId("0199c0de-0000-7000-8000-000000000001"))
DECISION = DecisionId("t1/move/2")
SALT = "33" * 32
ACTION = encode({"cards": [0, 4], "kind": "move", "symbol": "red-5"})
SEAL = "97e93b5ab20928d575fe262d82fe4803ea01a5a43354bd93a05400453bbaf141"


def test_the_seal_is_the_published_one() -> None:
    assert seal_action(game=GAME, seat=Seat(2), decision=DECISION, salt=SALT, action=ACTION) == SEAL


def test_the_preimage_is_what_the_specification_says() -> None:
    preimage = b"spina/seal/v1\0" + GAME.encode() + b"\0" + b"2" + b"\0" + b"t1/move/2" + b"\0" + b"\x33" * 32 + ACTION

    assert sha256(preimage).hexdigest() == SEAL


@pytest.mark.parametrize(
    ("game", "seat", "decision", "salt", "action"),
    [
        (GameId(StreamId("0199c0de-0000-7000-8000-000000000002")), Seat(2), DECISION, SALT, ACTION),
        (GAME, Seat(3), DECISION, SALT, ACTION),
        (GAME, Seat(2), DecisionId("t1/move/3"), SALT, ACTION),
        (GAME, Seat(2), DECISION, "34" + "33" * 31, ACTION),
        (GAME, Seat(2), DECISION, SALT, ACTION + b" "),
    ],
)
def test_another_part_gives_another_seal(
    game: GameId, seat: Seat, decision: DecisionId, salt: str, action: bytes
) -> None:
    assert seal_action(game=game, seat=seat, decision=decision, salt=salt, action=action) != SEAL


def test_a_salt_of_another_size_is_a_bug_and_seals_nothing() -> None:
    with pytest.raises(AssertionError):
        seal_action(game=GAME, seat=Seat(2), decision=DECISION, salt="33" * 31, action=ACTION)
