"""The contract of an event store, run on each of them, so that the one in memory cannot lie about the other."""

import asyncio
from collections.abc import AsyncIterator
from hashlib import sha256
from uuid import uuid4

import pytest
from msgspec.structs import replace

from domain.ids import CommandId, LogPosition, StreamId, StreamVersion
from domain.log.record import GENESIS, line_hash
from infra.event_store import Append, CommandAnswer, EventStore, StoredCommand, StreamHead
from infra.postgres.event_store import open_event_store
from infra.store_faults import AppendRefused, CommandSeen, UnknownComponents, UnknownStream, VersionConflict
from simulate.stores.event_store import MemoryEventStore
from tests.appends import BODY_HASH, following, held_opening, new_command, new_game, opening
from tests.database import NewDatabase
from tests.malformed_appends import MALFORMED, with_signature
from tests.services.streams import OTHER, STREAM, build_stream, store_stream

# No URL, a path that Postgres would take for one, and text with one inside.
UUID = "0199c0de-0000-7000-8000-00000000000a"
NO_UUIDS = ("no-such", "", UUID.upper(), UUID.replace("-", ""), f"{{{UUID}}}", f"{UUID}\n")


@pytest.fixture(params=["memory", "postgres"])
async def store(request: pytest.FixtureRequest, new_database: NewDatabase) -> AsyncIterator[EventStore]:
    if request.param == "memory":
        yield MemoryEventStore()
        return
    async with new_database() as database, open_event_store(database.app_url) as opened:
        yield opened


async def read_lines(store: EventStore, game: StreamId) -> list[bytes]:
    return await store.read_stream(game, after=StreamVersion(0), limit=100)


async def test_lines_come_back_byte_for_byte_and_in_order(store: EventStore) -> None:
    first = opening(new_game(), 3, said="né à ☃ Spina \\ \"'%_ \x7f")
    second = following(first, 2)

    await store.append(first)
    await store.append(second)

    assert await read_lines(store, first.stream) == [*first.lines, *second.lines]


async def test_a_stream_is_read_in_parts(store: EventStore) -> None:
    game = opening(new_game(), 5)
    await store.append(game)

    part = await store.read_stream(game.stream, after=StreamVersion(1), limit=2)

    assert part == [*game.lines[1:3]]


async def test_a_stream_that_does_not_exist_has_no_lines(store: EventStore) -> None:
    assert await read_lines(store, new_game()) == []


async def test_the_versions_of_many_streams_are_read_at_once(store: EventStore) -> None:
    first, second, missing = opening(new_game(), 3), opening(new_game(), 1), new_game()
    await store.append(first)
    await store.append(second)
    await store.append(following(second, 1))

    versions = await store.read_versions([second.stream, missing, first.stream])

    assert versions == {first.stream: 3, second.stream: 2}
    assert await store.read_versions([]) == {}


async def test_the_heads_of_many_streams_are_read_at_once_with_the_types_of_their_last_lines(
    store: EventStore,
) -> None:
    ended, game, missing = build_stream(), new_game(), new_game()
    await store_stream(store, ended)
    await store_stream(store, build_stream(OTHER[:2], game), game)

    heads = await store.read_heads([game, missing, STREAM])

    assert heads == {
        STREAM: StreamHead(version=StreamVersion(len(ended)), type="secret_disclosed"),
        game: StreamHead(version=StreamVersion(2), type="entrant_entered"),
    }
    assert await store.read_heads([]) == {}


async def test_a_game_is_read_with_everything_that_is_kept_beside_it(store: EventStore) -> None:
    first = replace(opening(new_game(), 1), secret_box=b"secret")
    second = replace(following(first, 3), held=(held_opening(4), held_opening(2)))
    await store.append(first)
    await store.append(second)

    game = await store.load_stream(first.stream)

    assert game.lines == (*first.lines, *second.lines)
    assert game.head == second.hashes[-1]
    assert game.secret_box == b"secret"
    assert game.held == (held_opening(2), held_opening(4))


async def test_what_is_held_is_read_in_parts(store: EventStore) -> None:
    first = opening(new_game(), 1)
    await store.append(first)
    await store.append(replace(following(first, 4), held=tuple(held_opening(version) for version in (5, 2, 3, 4))))

    part = await store.read_held(first.stream, after=StreamVersion(2), limit=2)

    assert part == [held_opening(3), held_opening(4)]
    assert await store.read_held(new_game(), after=StreamVersion(0), limit=2) == []


async def test_an_unknown_game_is_an_error(store: EventStore) -> None:
    with pytest.raises(UnknownStream):
        await store.load_stream(new_game())


@pytest.mark.parametrize("name", NO_UUIDS)
async def test_an_id_that_is_no_uuid_is_that_of_a_game_nobody_opened(store: EventStore, name: str) -> None:
    game = StreamId(name)

    with pytest.raises(UnknownStream):
        await store.load_stream(game)
    assert await read_lines(store, game) == []
    assert await store.read_held(game, after=StreamVersion(0), limit=1) == []
    assert await store.read_versions([game]) == {}
    assert await store.read_heads([game]) == {}
    assert await store.find_command(game, CommandId(str(uuid4()))) is None


@pytest.mark.parametrize("name", NO_UUIDS)
async def test_nothing_is_stored_under_an_id_that_is_no_uuid(store: EventStore, name: str) -> None:
    first = opening(new_game(), command=new_command())
    await store.append(first)
    command = StoredCommand(id=CommandId(name), body_hash=BODY_HASH)

    for refused in (replace(opening(new_game()), stream=StreamId(name))), following(first, command=command):
        with pytest.raises(AppendRefused, match="UUID"):
            await store.append(refused)

    assert await store.find_command(first.stream, command.id) is None
    assert await store.read_head() == 1


async def test_a_game_can_be_opened_once(store: EventStore) -> None:
    game = new_game()
    await store.append(opening(game, 2, said="first"))

    with pytest.raises(VersionConflict) as caught:
        await store.append(opening(game, said="second"))

    assert (caught.value.expected_version, caught.value.actual_version) == (0, 2)
    assert len(await read_lines(store, game)) == 2


async def test_a_stale_append_is_told_where_the_stream_is(store: EventStore) -> None:
    first = opening(new_game())
    second = following(first, 2, said="second")
    await store.append(first)
    await store.append(second)

    with pytest.raises(VersionConflict) as caught:
        await store.append(following(first, said="too late"))

    assert (caught.value.actual_version, caught.value.actual_head) == (3, second.hashes[-1])
    assert await read_lines(store, first.stream) == [*first.lines, *second.lines]


async def test_an_append_ahead_of_its_stream_leaves_no_hole(store: EventStore) -> None:
    first = opening(new_game())
    unseen = following(first)
    await store.append(first)

    with pytest.raises(VersionConflict):
        await store.append(following(unseen))

    assert await read_lines(store, first.stream) == [*first.lines]


async def test_an_append_to_a_game_that_does_not_exist_is_a_conflict(store: EventStore) -> None:
    with pytest.raises(VersionConflict) as caught:
        await store.append(following(opening(new_game())))

    assert (caught.value.actual_version, caught.value.actual_head) == (0, GENESIS)


async def test_an_equal_version_with_another_head_is_a_conflict(store: EventStore) -> None:
    game = new_game()
    await store.append(opening(game, said="what is stored"))

    with pytest.raises(VersionConflict) as caught:
        await store.append(following(opening(game, said="what somebody believes")))

    assert caught.value.actual_version == caught.value.expected_version == 1


async def test_a_command_is_found_by_its_id_within_its_stream(store: EventStore) -> None:
    first = opening(new_game())
    second = following(first, 3, command=new_command())
    await store.append(first)
    await store.append(second)
    assert second.command is not None

    found = await store.find_command(first.stream, second.command.id)
    elsewhere = await store.find_command(new_game(), second.command.id)

    assert found == answer_to(second)
    assert elsewhere is None


async def test_a_command_sent_again_is_answered_by_what_it_became(store: EventStore) -> None:
    first = opening(new_game(), 2, command=new_command())
    await store.append(first)

    with pytest.raises(CommandSeen) as caught:
        await store.append(first)

    assert caught.value.answer == answer_to(first)
    assert await read_lines(store, first.stream) == [*first.lines]


async def test_a_command_id_is_taken_even_on_the_newest_head(store: EventStore) -> None:
    first = opening(new_game(), command=new_command())
    await store.append(first)

    with pytest.raises(CommandSeen) as caught:
        await store.append(following(first, command=first.command))

    assert caught.value.answer == answer_to(first)
    assert len(await read_lines(store, first.stream)) == 1


async def test_the_same_command_id_may_occur_in_two_games(store: EventStore) -> None:
    command = new_command()

    await store.append(opening(new_game(), command=command))
    await store.append(opening(new_game(), command=command))

    assert await store.read_head() == 2


async def test_nothing_of_a_lost_append_is_kept(store: EventStore) -> None:
    game = new_game()
    await store.append(opening(game, said="the winner"))
    loser = replace(
        opening(game, 2, said="the loser", command=new_command()), secret_box=b"secret", held=(held_opening(2),)
    )
    assert loser.command is not None

    with pytest.raises(VersionConflict):
        await store.append(loser)

    stored = await store.load_stream(game)
    assert (stored.secret_box, stored.held) == (None, ())
    assert await store.find_command(game, loser.command.id) is None


async def test_the_log_holds_all_games_in_the_order_they_were_appended(store: EventStore) -> None:
    first, second = opening(new_game(), 2), opening(new_game(), 1)
    third = following(first, 2)
    for append in (first, second, third):
        await store.append(append)

    events = await store.read_log(after=LogPosition(0), limit=100)

    assert [event.body for event in events] == [*first.lines, *second.lines, *third.lines]
    assert [event.version for event in events] == [1, 2, 1, 3, 4]
    assert [event.stream for event in events] == [*[first.stream] * 2, second.stream, *[first.stream] * 2]
    assert all(event.hash == line_hash(event.body) for event in events)


async def test_the_log_is_read_on_from_the_last_position(store: EventStore) -> None:
    await store.append(opening(new_game(), 5))

    first = await store.read_log(after=LogPosition(0), limit=2)
    rest = await store.read_log(after=first[-1].position, limit=100)
    nothing = await store.read_log(after=rest[-1].position, limit=100)

    assert [event.version for event in first + rest] == [1, 2, 3, 4, 5]
    assert nothing == []
    assert await store.read_head() == rest[-1].position


async def test_an_empty_log_has_head_zero(store: EventStore) -> None:
    assert await store.read_head() == 0


async def test_of_two_hundred_racing_appends_one_wins(store: EventStore) -> None:
    first = opening(new_game())
    await store.append(first)
    racers = [following(first, 2, said=f"racer {number}", command=new_command()) for number in range(200)]

    outcomes = await asyncio.gather(*(store.append(racer) for racer in racers), return_exceptions=True)

    winners = [racer for racer, outcome in zip(racers, outcomes, strict=True) if outcome is None]
    assert len(winners) == 1
    assert sum(isinstance(outcome, VersionConflict) for outcome in outcomes) == 199
    assert await read_lines(store, first.stream) == [*first.lines, *winners[0].lines]


async def test_components_are_kept_under_their_hash(store: EventStore) -> None:
    body = b'{"deck":[1,2,3]}'
    name = sha256(body).hexdigest()

    await store.save_components(name, ruleset="charioteer", version=1, body=body)
    await store.save_components(name, ruleset="charioteer", version=1, body=body)

    assert await store.read_components(name) == body
    with pytest.raises(UnknownComponents):
        await store.read_components("00" * 32)


async def test_all_components_are_listed_by_their_hashes(store: EventStore) -> None:
    bodies = [b'{"deck":[1]}', b'{"deck":[2]}', b'{"deck":[3]}']
    saved = {sha256(body).hexdigest(): body for body in bodies}

    for name, body in saved.items():
        await store.save_components(name, ruleset="charioteer", version=2, body=body)

    found = await store.list_components()
    assert [finding.hash for finding in found] == sorted(saved)
    assert {finding.hash: finding.body for finding in found} == saved
    assert {(finding.ruleset, finding.version) for finding in found} == {("charioteer", 2)}


def answer_to(append: Append) -> CommandAnswer:
    return CommandAnswer(
        first_version=StreamVersion(append.expected_version + 1),
        last_version=append.last_version,
        head=append.hashes[-1],
        body_hash=BODY_HASH,
    )


@pytest.mark.parametrize("flaw", MALFORMED)
async def test_a_malformed_append_is_refused_whole(store: EventStore, flaw: str) -> None:
    first = opening(new_game())
    await store.append(first)

    with pytest.raises(AppendRefused):
        await store.append(MALFORMED[flaw](following(first, 2)))

    assert await store.read_head() == 1


async def test_a_signed_line_fits_its_place(store: EventStore) -> None:
    signed = with_signature(opening(new_game()), "ab" * 64)

    await store.append(signed)

    assert await read_lines(store, signed.stream) == [*signed.lines]
