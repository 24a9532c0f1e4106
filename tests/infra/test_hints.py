"""Hints that wait to be sent."""

from domain.ids import StreamId, StreamVersion
from infra.redis.announcer import NewestHints

GAME = StreamId("0199c0de-0000-7000-8000-000000000001")


def test_a_version_that_came_while_the_one_before_was_told_still_waits() -> None:
    hints = NewestHints()
    hints.note(GAME, StreamVersion(1))
    told = hints.oldest(10)
    hints.note(GAME, StreamVersion(2))

    hints.forget(told)

    assert hints.newest == {GAME: 2}


def test_what_was_told_is_forgotten() -> None:
    hints = NewestHints()
    hints.note(GAME, StreamVersion(1))

    hints.forget(hints.oldest(10))

    assert hints.newest == {}
