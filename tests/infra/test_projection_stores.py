"""The contract of a projection store, run on each of them, so that the one in memory cannot lie about the other."""

from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Any

import pytest
from msgspec import Struct
from msgspec.structs import replace

from domain.ids import LogPosition
from infra.postgres.connection import build_app_pool
from infra.postgres.projection_store import PostgresProjections, projector_desk
from infra.postgres.queries import Queries
from infra.projection_store import (
    Advance,
    Build,
    BuildMoved,
    Projections,
    ProjectorDesk,
    Sought,
    SoughtPlaces,
    StoredRow,
)
from simulate.stores.projection_store import MemoryProjections, MemoryProjectorDesk
from tests.database import NewDatabase

FIRST, SECOND, THIRD = (f"0199c0de-0000-7000-8000-00000000000{number}" for number in range(1, 4))
LOBBY = "lobby"


class Stores(Struct, frozen=True):
    projections: Projections
    open_desk: Callable[[], AbstractAsyncContextManager[ProjectorDesk]]


@asynccontextmanager
async def memory_desk(store: MemoryProjections) -> AsyncIterator[MemoryProjectorDesk]:
    desk = MemoryProjectorDesk(store)
    yield desk
    desk.close()


@pytest.fixture(params=["memory", "postgres"])
async def stores(request: pytest.FixtureRequest, new_database: NewDatabase) -> AsyncIterator[Stores]:
    if request.param == "memory":
        store = MemoryProjections()
        yield Stores(store, lambda: memory_desk(store))
        return
    async with new_database() as database, build_app_pool(database.app_url) as pool:
        yield Stores(PostgresProjections(Queries(pool)), lambda: projector_desk(database.app_url))


@pytest.fixture
async def desk(stores: Stores) -> AsyncIterator[ProjectorDesk]:
    async with stores.open_desk() as desk:
        yield desk


def row(
    owner: str, place: int = 0, *, labels: tuple[str, ...] = (), from_ms: int = 0, body: str = "{}", rank: str = ""
) -> StoredRow:
    at = bytes([place]) if place else b""
    rank = rank or at.hex() or owner
    return StoredRow(owner=owner, place=at, labels=labels, from_ms=from_ms, body=body.encode(), rank=rank)


def sought(*labels: str, or_labels: tuple[str, ...] = (), before: str | None = None, now_ms: int = 0) -> Sought:
    return Sought(labels=labels, or_labels=or_labels, before=before, now_ms=now_ms)


async def advance(desk: ProjectorDesk, build: Build, *rows: StoredRow, to: int) -> Build:
    position = LogPosition(to)
    await desk.advance(Advance(build=build, position=position, rows=rows))
    return replace(build, position=position)


async def test_the_first_build_is_live_and_the_next_one_stands_beside_it(stores: Stores, desk: ProjectorDesk) -> None:
    await desk.begin_missing(LOBBY, 1)
    await desk.begin_missing(LOBBY, 1)
    await desk.begin_missing(LOBBY, 2)
    await desk.begin_missing(LOBBY, 1)
    await desk.begin_missing("players", 1)

    builds = await stores.projections.list_builds()

    assert [(build.projection, build.version, build.status) for build in builds] == [
        (LOBBY, 1, "live"),
        (LOBBY, 2, "building"),
        ("players", 1, "live"),
    ]
    assert builds == await desk.list_builds()


async def read_places(stores: Stores) -> list[StoredRow]:
    return (await stores.projections.list_places(LOBBY, FIRST, SoughtPlaces(now_ms=None), limit=9))[::-1]


async def test_rows_and_position_are_stored_together_and_the_last_row_of_a_place_stays(
    stores: Stores, desk: ProjectorDesk
) -> None:
    build = await desk.begin_another(LOBBY, 1)
    build = await advance(desk, build, row(FIRST, 1, body="1"), row(FIRST, 2, body="2"), to=7)
    build = await advance(desk, build, row(FIRST, 2, body="3", labels=("new", "blue"), from_ms=5), to=8)

    found = await read_places(stores)

    assert found == [row(FIRST, 1, body="1"), row(FIRST, 2, body="3", labels=("new", "blue"), from_ms=5)]
    assert await stores.projections.list_builds() == [build]


async def test_whoever_is_not_where_the_build_is_stores_nothing(stores: Stores, desk: ProjectorDesk) -> None:
    build = await desk.begin_another(LOBBY, 1)
    moved = await advance(desk, build, to=7)

    with pytest.raises(BuildMoved):
        await advance(desk, build, row(FIRST, 1), to=8)

    assert await read_places(stores) == []
    assert await stores.projections.list_builds() == [moved]


async def test_one_desk_holds_a_build_until_it_is_closed(stores: Stores, desk: ProjectorDesk) -> None:
    await desk.begin_missing(LOBBY, 1)
    (build,) = await desk.list_builds()
    async with stores.open_desk() as other:
        held = [await other.hold(build), await other.hold(build), await desk.hold(build)]

    while not await desk.hold(build):
        pass

    assert held == [True, True, False]


async def test_whoever_begins_a_build_beside_the_live_one_holds_it(stores: Stores, desk: ProjectorDesk) -> None:
    await desk.begin_missing(LOBBY, 1)
    await advance(desk, (await desk.list_builds())[0], to=5)
    begun = await desk.begin_another(LOBBY, 1)

    async with stores.open_desk() as other:
        same = await other.begin_another(LOBBY, 1)
        is_held = await other.hold(same)

    assert (begun.status, same, is_held) == ("building", begun, False)


async def test_readers_see_the_live_build_alone_and_a_swap_at_once(stores: Stores, desk: ProjectorDesk) -> None:
    await desk.begin_missing(LOBBY, 1)
    (live,) = await desk.list_builds()
    live = await advance(desk, live, row(FIRST, 1, body="old"), to=5)
    new = await desk.begin_another(LOBBY, 2)
    new = await advance(desk, new, row(FIRST, 1, body="new"), to=4)

    refused = await desk.swap(new)
    before = await read_places(stores)
    new = await advance(desk, new, to=5)
    swapped = await desk.swap(new)
    after = await read_places(stores)

    assert (refused, swapped) == (False, True)
    assert (before[0].body, after[0].body) == (b"old", b"new")
    assert [build.status for build in await desk.list_builds()] == ["retired", "live"]
    with pytest.raises(BuildMoved):
        await advance(desk, live, to=6)


async def test_a_swap_is_done_once_and_takes_along_what_nobody_will_finish(desk: ProjectorDesk) -> None:
    await desk.begin_missing(LOBBY, 1)
    for version in (2, 3, 4):
        await desk.begin_missing(LOBBY, version)
    third = (await desk.list_builds())[2]

    swapped = [await desk.swap(third), await desk.swap(third)]

    assert swapped == [True, True]
    assert [build.status for build in await desk.list_builds()] == ["retired", "retired", "live", "building"]


async def test_what_is_retired_is_dropped_and_the_rest_stays(stores: Stores, desk: ProjectorDesk) -> None:
    await desk.begin_missing(LOBBY, 1)
    (old,) = await desk.list_builds()
    await advance(desk, old, row(FIRST, 1), row(SECOND, 1), to=1)
    new = await advance(desk, await desk.begin_another(LOBBY, 2), row(FIRST, 1), to=1)
    await desk.swap(new)

    while await desk.drop_some(old):
        pass

    assert [build.version for build in await desk.list_builds()] == [2]
    assert await desk.read_states(old, [FIRST]) == {}
    assert await read_places(stores) == [row(FIRST, 1)]


async def test_states_are_the_rows_without_a_place(desk: ProjectorDesk) -> None:
    build = await desk.begin_another(LOBBY, 1)
    build = await advance(desk, build, row(FIRST, body="state"), row(FIRST, 1), row(SECOND, 1), to=1)

    found = await desk.read_states(build, [FIRST, SECOND, THIRD])

    assert found == {FIRST: b"state"}


async def test_owners_are_listed_backwards_by_their_labels(stores: Stores, desk: ProjectorDesk) -> None:
    build = await desk.begin_another(LOBBY, 1)
    rows = (
        row(FIRST, labels=("listed", "open")),
        row(SECOND, labels=("listed", "delayed")),
        row(THIRD, labels=("listed", "open")),
        row(THIRD, 1, labels=("listed", "open")),
    )
    await advance(desk, build, *rows, to=1)

    async def listed(asked: Sought, limit: int = 9) -> list[str]:
        return [owner.owner for owner in await stores.projections.list_owners(LOBBY, asked, limit=limit)]

    assert await listed(sought("listed")) == [THIRD, SECOND, FIRST]
    assert await listed(sought("listed"), limit=1) == [THIRD]
    assert await listed(sought("listed", before=THIRD)) == [SECOND, FIRST]
    assert await listed(sought("listed", "open")) == [THIRD, FIRST]
    assert await listed(sought("listed", "open", or_labels=("delayed",))) == [THIRD, SECOND, FIRST]
    assert await listed(sought("closed")) == []


async def test_rows_are_listed_by_their_rank_where_they_have_one(stores: Stores, desk: ProjectorDesk) -> None:
    build = await desk.begin_another(LOBBY, 1)
    owners = (
        row(FIRST, labels=("listed",), rank="2-a"),
        row(SECOND, labels=("listed",), rank="0-c"),
        row(THIRD, labels=("listed",), rank="1-b"),
    )
    places = (row(FIRST, 1, rank="1-a"), row(FIRST, 2, rank="0-z"), row(FIRST, 3, rank="1-b"))
    await advance(desk, build, *owners, *places, to=1)

    listed = await stores.projections.list_owners(LOBBY, sought("listed"), limit=9)
    later = await stores.projections.list_owners(LOBBY, sought("listed", before="2-a"), limit=1)
    of_first = await stores.projections.list_places(LOBBY, FIRST, SoughtPlaces(now_ms=None), limit=9)

    assert [item.owner for item in listed] == [FIRST, THIRD, SECOND]
    assert [each.owner for each in later] == [THIRD]
    assert [each.place[0] for each in of_first] == [3, 1, 2]


async def test_what_may_not_be_known_yet_is_listed_for_those_who_know_it(stores: Stores, desk: ProjectorDesk) -> None:
    build = await desk.begin_another(LOBBY, 1)
    await advance(desk, build, row(FIRST, labels=("listed",), from_ms=10), to=1)

    early = await stores.projections.list_owners(LOBBY, sought("listed", now_ms=9), limit=9)
    late = await stores.projections.list_owners(LOBBY, sought("listed", now_ms=10), limit=9)
    knowing = await stores.projections.list_owners(LOBBY, replace(sought("listed"), known=(FIRST,)), limit=9)

    assert (early, len(late), len(knowing)) == ([], 1, 1)


async def test_places_are_listed_from_the_last_one(stores: Stores, desk: ProjectorDesk) -> None:
    build = await desk.begin_another(LOBBY, 1)
    labels = {place: ("hidden",) if place == 2 else ("shown",) for place in range(1, 5)}
    rows = [row(FIRST, place, labels=labels[place], from_ms=place) for place in labels]
    await advance(desk, build, row(FIRST), *rows, row(SECOND, 9), to=1)

    async def listed(limit: int = 9, **asked: Any) -> list[int]:
        found = await stores.projections.list_places(LOBBY, FIRST, SoughtPlaces(**asked), limit=limit)
        return [finding.place[0] for finding in found]

    assert await listed(now_ms=None, limit=1) == [4]
    assert await listed(now_ms=None, before="04", without=("hidden",)) == [3, 1]
    assert await listed(now_ms=3) == [3, 2, 1]


async def test_what_the_public_may_not_have_known_of_at_first_is_found_among_the_rest(
    stores: Stores, desk: ProjectorDesk
) -> None:
    build = await desk.begin_another(LOBBY, 1)
    rows = [row(FIRST, place, from_ms=place % 2) for place in range(1, 6)]
    await advance(desk, build, row(FIRST, from_ms=1), *rows, to=1)

    found = await stores.projections.list_hidden(LOBBY, FIRST, limit=2)

    assert [finding.place[0] for finding in found] == [5, 3]


async def test_rows_are_counted_by_all_of_their_labels(stores: Stores, desk: ProjectorDesk) -> None:
    build = await desk.begin_another(LOBBY, 1)
    rows = [row(FIRST, place, labels=("first",) if place % 2 else ("first", "second")) for place in range(1, 4)]
    await advance(desk, build, row(FIRST, labels=("state",)), *rows, to=1)

    counted = await stores.projections.count_labels(LOBBY, FIRST)

    assert counted == [(("first",), 2), (("first", "second"), 1)]
