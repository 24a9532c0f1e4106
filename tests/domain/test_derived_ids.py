"""Derived ids: one table, one game, and never an id that a client chose."""

import pytest

from domain.derived_ids import derive_command, derive_game, is_derived
from domain.ids import GameId, StreamId, TournamentId, is_uuid

CUP = TournamentId(StreamId("0199c0de-0000-7000-8000-000000000001"))


def test_a_table_has_one_game() -> None:
    game = derive_game(CUP, round_=2, table=3, attempt=1)

    assert game == "a3042f4f-a81e-8038-a728-292534068861"
    assert is_uuid(game)
    assert is_derived(game)


@pytest.mark.parametrize("other", [(2, 3, 2), (2, 4, 1), (3, 3, 1), (23, 1, 1), (2, 31, 1)])
def test_another_table_has_another_game(other: tuple[int, int, int]) -> None:
    round_, table, attempt = other

    assert derive_game(CUP, round_=round_, table=table, attempt=attempt) != derive_game(
        CUP, round_=2, table=3, attempt=1
    )


def test_ids_of_other_kinds_are_not_derived() -> None:
    assert not is_derived(CUP)
    assert not is_derived("0199c0de-0000-4000-8000-000000000001")


def test_what_the_server_does_once_about_a_stream_has_one_id_that_nobody_chose() -> None:
    game = derive_game(CUP, round_=2, table=3, attempt=1)

    flag = derive_command(game, "expiry of a decision")

    assert flag == derive_command(game, "expiry of a decision")
    assert (
        len({flag, derive_command(game, "expiry of another"), derive_command(GameId(CUP), "expiry of a decision")}) == 3
    )
    assert is_uuid(flag)
    assert is_derived(flag)


def test_the_id_of_a_command_of_the_clock_follows_from_the_secret() -> None:
    game, subject = derive_game(CUP, round_=2, table=3, attempt=1), "expiry of a decision"

    ids = [derive_command(game, subject, secret=secret) for secret in (None, bytes(32), bytes(31) + b"1")]

    assert len(set(ids)) == 3
    assert all(is_derived(id_) for id_ in ids)
