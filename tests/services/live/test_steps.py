"""Frames: their content, and that all viewers of the same get the same object."""

import json
from collections.abc import Sequence
from itertools import pairwise

import pytest
from msgspec import to_builtins
from msgspec.json import encode

from domain.ids import Seat, StreamVersion
from services.live.frame_buffer import FrameBuffer
from services.live.messages import Frame
from services.live.reader import Reader
from services.live.steps import Step, StepSources, apply_patch, build_patch, read_steps
from services.reading.access import ANYONE, Caller
from services.reading.histories import Knowledge
from services.reading.shown import show_game
from tests.domain.game.game_harness import ADA, BOB, GAME, NOON, Table
from tests.services.reading.test_histories import histories_on, store_log

VIEWS: Sequence[tuple[Seat | None, Knowledge]] = ((None, "public"), (Seat(0), "secret"), (Seat(1), "secret"))


async def sources_of(table: Table) -> StepSources:
    store = await store_log(table)
    return StepSources(histories=histories_on(store), store=store)


async def steps_of(table: Table, knowledge: Knowledge = "public") -> list[Step]:
    last = StreamVersion(len(table.raws))
    return await read_steps(await sources_of(table), GAME, StreamVersion(1), last, knowledge)


@pytest.mark.parametrize(("seat", "knowledge"), VIEWS, ids=["public", "seat 0", "seat 1"])
async def test_each_frame_makes_the_board_that_the_next_one_starts_from(
    seat: Seat | None, knowledge: Knowledge
) -> None:
    table = Table(seats=2).start().finish()
    steps = await steps_of(table, knowledge)

    board = json.loads(steps[0].whole(seat).text)["board"]
    for before, step in pairwise(steps):
        board = apply_patch(board, json.loads(step.patch(before, seat).text)["board"])
        assert board == json.loads(step.whole(seat).text)["board"]


async def test_what_is_made_once_for_all_is_what_each_would_be_shown_alone() -> None:
    table = Table(seats=2).start().finish()
    steps = await steps_of(table, "secret")

    for before, step in pairwise(steps):
        for seat in (Seat(0), Seat(1)):
            alone = [to_builtins(show_game(each.game, seat, is_complete=each.is_complete)) for each in (before, step)]
            told = json.loads(step.patch(before, seat).text)["board"]
            assert told == json.loads(encode(build_patch(*alone)))


async def test_choices_follow_the_board_while_their_decision_is_owed() -> None:
    table = Table(seats=3).start()
    while table.owed()[0].kind != "plain":
        table.answer_by_default(table.waiting()[0])
    striker, before = table.owed()[0], table.game.version
    table.resign((striker.seat + 1) % 3)

    steps = await steps_of(table, "secret")
    for earlier, step in pairwise(steps[before - 1 :]):
        step.patch(earlier, striker.seat)

    first, last = (json.loads(steps[place].whole(striker.seat).text)["board"]["choices"] for place in (before - 1, -1))
    assert first.keys() == last.keys() == {decision.id for decision in table.owed()}
    assert (len(first[striker.id]["targets"]), len(last[striker.id]["targets"])) == (2, 1)


async def test_a_frame_has_the_line_byte_for_byte_and_only_what_changed() -> None:
    table = Table(seats=2).start()
    steps = await steps_of(table)

    frame = steps[-1].patch(steps[-2], None)

    assert frame.text.startswith(f'{{"version":{len(table.raws)},"line":{table.raws[-1].decode()},"board":{{')
    assert "terms" in json.loads(steps[-1].whole(None).text)["board"]
    assert "terms" not in json.loads(frame.text)["board"]


async def test_an_event_has_the_version_for_an_id_and_no_line_too_many() -> None:
    steps = await steps_of(Table(seats=2).start())

    event = steps[-1].whole(None).event

    assert event == f"id: {steps[-1].version}\ndata: {steps[-1].whole(None).text}\n\n".encode()
    assert event.count(b"\n") == 3


async def test_all_who_see_the_same_get_the_very_same_frame_and_seats_another() -> None:
    table = Table(seats=2).start()
    store = await store_log(table)
    sources = StepSources(histories=histories_on(store), store=store)
    buffer = FrameBuffer(sources, GAME, "prompt")
    buffer.want("public")
    buffer.want("secret")
    await buffer.advance(now_ms=NOON)
    readers = [
        Reader(sources, caller, after=None) for caller in (ANYONE, ANYONE, Caller(player=ADA), Caller(player=BOB))
    ]
    newest = buffer.newest
    assert newest is not None
    for reader in readers:
        reader.enter(buffer, newest)

    whole = [(await reader.pull())[0] for reader in readers]
    known = len(table.entries)
    table.answer_by_default(table.owed()[0])
    await store_log(table, store, after=known)
    await buffer.advance(now_ms=NOON)
    patches = [(await reader.pull())[0] for reader in readers]

    for frames in (whole, patches):
        assert all(isinstance(frame, Frame) for frame in frames)
        assert frames[0] is frames[1]
        assert len({id(frame) for frame in frames}) == 3
