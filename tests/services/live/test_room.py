"""When a room is read: for every order of messages, no hint is left unread and no two reads overlap."""

from hypothesis import given
from hypothesis import strategies as st

from domain.ids import StreamVersion
from services.live.room import (
    Close,
    Committed,
    Done,
    Failed,
    Hinted,
    Joined,
    Left,
    Open,
    Read,
    ReadLater,
    Retried,
    RoomIn,
    RoomOut,
    RoomState,
    Take,
    react,
)
from tests.domain.game.game_harness import Table

THREE = StreamVersion(3)


def after(*happened: RoomIn) -> tuple[RoomState, tuple[RoomOut, ...]]:
    room = RoomState()
    effects: tuple[RoomOut, ...] = ()
    for joined in happened:
        room, effects = react(room, joined)
    return room, effects


def test_the_first_reader_opens_the_room_before_it_is_read() -> None:
    assert after(Joined())[1] == (Open(), Read())
    assert after(Joined(), Joined())[1] == ()


def test_the_last_reader_closes_it() -> None:
    assert after(Joined(), Joined(), Left())[1] == ()
    assert after(Joined(), Joined(), Left(), Left())[1] == (Close(),)


def test_what_is_known_already_is_not_read_again() -> None:
    assert after(Joined(), Done(THREE), Hinted(THREE))[1] == ()
    assert after(Joined(), Done(THREE), Hinted(StreamVersion(4)))[1] == (Read(),)
    assert after(Joined(), Done(THREE), Hinted())[1] == (Read(),)


def test_what_is_told_during_a_read_is_read_after_it_once() -> None:
    told = (Joined(), Hinted(THREE), Hinted(THREE), Hinted())

    assert after(*told)[1] == ()
    assert after(*told, Done(THREE))[1] == (Read(),)
    assert after(*told, Done(THREE), Done(THREE))[1] == ()


def test_a_read_that_failed_is_tried_again_until_it_succeeds() -> None:
    assert after(Joined(), Failed())[1] == (ReadLater(),)
    assert after(Joined(), Failed(), Hinted())[1] == ()
    assert after(Joined(), Failed(), Hinted(), Retried())[1] == (Read(),)


def test_what_follows_on_the_last_version_is_taken_and_anything_else_is_read() -> None:
    entries = tuple(Table(seats=2).start().entries)
    known = (Joined(), Done(THREE))

    assert after(*known, Committed(entries[3:]))[1] == (Take(entries[3:]),)
    assert after(*known, Committed(entries[3:]), Hinted(entries[-1].line.version))[1] == ()
    assert after(*known, Committed(entries[4:]))[1] == (Read(),)
    assert after(*known, Committed(entries[:3]))[1] == ()


def test_what_is_written_during_a_read_is_read_after_it() -> None:
    entries = tuple(Table(seats=2).start().entries)

    assert after(Joined(), Committed(entries[:1]))[1] == ()
    assert after(Joined(), Committed(entries[:1]), Done(StreamVersion(0)))[1] == (Read(),)


@given(st.lists(st.sampled_from(["write", "hint", "lost", "read", "fail"]), max_size=40))
def test_once_something_was_told_the_last_version_is_read(steps: list[str]) -> None:
    head, snapshot, reads = 0, 0, 1
    room, _ = react(RoomState(), Joined())

    def take(effects: tuple[RoomOut, ...]) -> int:
        return sum(isinstance(effect, Read | ReadLater) for effect in effects)

    for step in [*steps, "write", "hint", "read", "read"]:
        if step == "write":
            head += 1
        elif step == "hint":
            room, effects = react(room, Hinted(StreamVersion(head)))
            reads += take(effects)
            snapshot = head if take(effects) else snapshot
        elif step in ("read", "fail") and reads:
            if step == "fail":
                room, _ = react(room, Failed())
                room, effects = react(room, Retried())
                snapshot = head
                continue
            room, effects = react(room, Done(StreamVersion(snapshot)))
            reads += take(effects) - 1
            snapshot = head
        assert reads <= 1

    assert room.version == head
