"""Notices that wait for a way, in every store: deadlines before all else, few of the rest, and one that states so."""

from collections.abc import Sequence
from uuid import uuid4

import pytest
from msgspec.structs import replace

from domain.accounts.notice import CHOSEN, DEADLINES, ORDER, Notice, NoticeKind, OfferMade
from domain.ids import LogPosition, StreamId, StreamVersion
from infra.postgres.notices import DEADLINES_WAITING_MAX, OTHERS_WAITING_MAX
from tests.domain.game.game_harness import ADA, NOON
from tests.infra.test_notice_stores import Desk, desk

__all__ = ["desk"]
END = LogPosition(1)
REST_MS = 600_000
OTHERS: tuple[NoticeKind, ...] = tuple(kind for kind in CHOSEN if kind not in DEADLINES)


def notices(kind: NoticeKind, count: int = 1) -> list[Notice]:
    """Build notices of one kind, each of a game of its own."""
    return [
        Notice(
            id=str(uuid4()),
            account=ADA,
            kind=kind,
            stream=StreamId(str(uuid4())),
            fact=OfferMade(),
            version=StreamVersion(1),
            position=END,
            at_ms=NOON,
        )
        for _ in range(count)
    ]


async def follow(desk: Desk, told: Sequence[Notice], at: int = 0) -> None:
    await desk.log_lines(1)
    moved = [replace(sentence, position=LogPosition(at + 1)) for sentence in told]
    await desk.book.follow(LogPosition(at), LogPosition(at + 1), moved, now_ms=NOON)


async def read_kinds(desk: Desk, way: str, limit: int = 1_000) -> list[NoticeKind]:
    return [each.kind for each in await desk.outbox.read_waiting(way, limit=limit)]


def test_every_kind_has_its_place_in_the_order() -> None:
    assert set(ORDER) == {*CHOSEN, "test", "more"}
    assert ORDER[: len(DEADLINES)] == DEADLINES


@pytest.mark.parametrize("deadline", DEADLINES)
@pytest.mark.parametrize("burying", OTHERS)
async def test_no_number_of_others_stands_before_a_deadline(
    desk: Desk, burying: NoticeKind, deadline: NoticeKind
) -> None:
    way = await desk.open_way()

    await follow(desk, [*notices(burying, OTHERS_WAITING_MAX + 20), *notices(deadline)])

    kinds = await read_kinds(desk, way)
    assert kinds[0] == deadline
    assert kinds.count(burying) == OTHERS_WAITING_MAX
    assert kinds.count("more") == 1


async def test_deadlines_have_a_bound_of_their_own(desk: Desk) -> None:
    way = await desk.open_way()

    await follow(desk, notices("your_turn", DEADLINES_WAITING_MAX + 1))
    await follow(desk, notices("your_turn"), at=1)

    kinds = await read_kinds(desk, way)
    assert (kinds.count("your_turn"), kinds.count("more")) == (DEADLINES_WAITING_MAX, 1)


@pytest.mark.parametrize(("is_light", "expected"), [(True, True), (False, False)])
async def test_a_deadline_ends_a_rest_that_began_without_one(desk: Desk, *, is_light: bool, expected: bool) -> None:
    way = await desk.open_way()
    await desk.outbox.put_off(way, NOON + REST_MS, is_light=is_light)

    await follow(desk, notices("seat_offered"))
    after_offer = await desk.list_due()
    await follow(desk, notices("your_turn"), at=1)

    assert after_offer == []
    assert (await desk.list_due() == [way]) == expected
