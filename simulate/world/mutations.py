"""Mutations of the product's code, each a mistake that was thought of while its part was written."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import Any

import msgspec

from domain.game.absence import Absence
from domain.ids import StreamVersion
from domain.log.command import OpeningCommand
from infra.postgres import append_channel
from infra.postgres.append_channel import AppendChannel, Unanswered
from infra.postgres.appender import Appender
from infra.projection_store import Advance
from infra.recent import Recent
from infra.store_faults import StoreUnavailable
from services.commands.write_path import WritePath, Written
from services.ledger.notary import Notary
from services.live import room
from services.live.frame_buffer import FrameBuffer
from services.live.hub import Hub
from services.workers.notifier import Notifier
from services.workers.projector import Tail
from services.workers.timekeeper import Timekeeper
from simulate.world.loop import HOST

# From the code as it is to the code with the fault.
Mutate = Callable[[Any], Any]
# A version that every game has.
ODD = 7


def answer_before_commit(_: Any) -> Any:
    async def append(self: Appender, appended: Any) -> None:
        self._queue.put(appended).outcome.add_done_callback(lambda done: done.exception())
        self._wake.set()

    return append


def show_before_commit(decide: Any) -> Any:
    async def decide_and_show(self: WritePath[Any], stream: Any, command: Any) -> Any:
        decided = await decide(self, stream, command)
        self.on_written(stream, decided.entries)
        return decided

    return decide_and_show


def give_nothing_back(_: Any) -> Any:
    async def give_back(self: Timekeeper, _now_ms: int) -> None:
        for absence in self._owed:
            await self._book.note_given_back(through=absence.number)
        self._owed = []

    return give_back


def note_first(give_back: Any) -> Any:
    async def note_then_give(self: Timekeeper, now_ms: int) -> None:
        for absence in self._owed:
            await self._book.note_given_back(through=absence.number)
        await give_back(self, now_ms)

    return note_then_give


def all_waited(count: Any) -> Any:
    def count_all(game: Any, absences: Any, at_ms: int) -> Any:
        return count(game, [Absence(from_ms=0, to_ms=at_ms)], at_ms) if absences else 0

    return count_all


def note_no_absence(_: Any) -> Any:
    async def beat_alone(self: Timekeeper, now_ms: int) -> None:
        await self._book.beat(now_ms)

    return beat_alone


def sign_first(grow: Any) -> Any:
    async def sign_and_grow(self: Notary) -> int:
        desk, file = self._sources.desk, self._sources.memory._file  # noqa: SLF001  the mutation is in its place

        class Hasty:
            async def grow(self, growth: Any) -> None:
                signed = sources.signer.sign(tree_size=growth.after.tree_size, root=growth.after.root)
                file.replace(signed, expected=file.read())
                await desk.grow(growth)

        sources = self._sources
        self._sources = msgspec.structs.replace(sources, desk=Hasty())
        try:
            count: int = await grow(self)
        finally:
            self._sources = sources
        return count

    return sign_and_grow


def of_version_before(build_leaf: Any) -> Any:
    return lambda key, *, stream, version, line: build_leaf(
        key, stream=stream, version=StreamVersion(version - (version == ODD)), line=line
    )


def skip_a_line(go_on: Any) -> Any:
    def skip(self: FrameBuffer, entries: Sequence[Any], count: int) -> None:
        go_on(self, entries[1:] if len(entries) > 2 else entries, count)  # noqa: PLR2004  a command of some outcomes

    return skip


def take_while_reading(react: Any) -> Any:
    def take(state: Any, happened: Any) -> Any:
        if isinstance(happened, room.Committed) and state.is_reading:
            return msgspec.structs.replace(state, version=happened.entries[-1].line.version), (
                room.Take(happened.entries),
            )
        return react(state, happened)

    return take


def go_on_after_fault(_: Any) -> Any:
    async def step(self: Tail, *, limit: int = 500) -> int:
        try:
            return await _SOUND_STEP(self, limit=limit)
        except StoreUnavailable:
            events = await self._log.read_log(after=self.build.position, limit=limit)
            position = events[-1].position if events else self.build.position
            await self._desk.advance(Advance(build=self.build, position=position, rows=()))
            self.build = msgspec.structs.replace(self.build, position=position)
            count: int = len(events)
            return count

    return step


def share_states(init: Any) -> Any:
    shared: dict[tuple[int, str], Recent[Any, Any]] = {}

    def begin(self: Tail, log: Any, desk: Any, projection: Any, build: Any) -> None:
        init(self, log, desk, projection, build)
        self._states = shared.setdefault((id(HOST.get()), projection.name), Recent(5_000))

    return begin


def mark_first(look_through: Any) -> Any:
    async def mark_and_look(sources: Any) -> int:
        newest = await sources.ledger.find_checkpoint()
        first = await sources.kept.read_passed()
        if newest is not None:
            await sources.kept.mark_passed(newest.checkpoint.tree_size)

        class Passed:
            def __getattr__(self, name: str) -> Any:
                return getattr(sources.kept, name)

            async def read_passed(self) -> Any:
                return first

        count: int = await look_through(msgspec.structs.replace(sources, kept=Passed()))
        return count

    return mark_and_look


def take_for_done(call: Any) -> Any:
    async def hope(self: AppendChannel, batch: Any) -> Any:
        try:
            return await call(self, batch)
        except Unanswered:
            return append_channel.Answer([], was_resent=False)

    return hope


def forget_losses(call: Any) -> Any:
    async def call_and_forget(self: AppendChannel, batch: Any) -> Any:
        answer = await call(self, batch)
        return append_channel.Answer([], answer.was_resent)

    return call_and_forget


def without(**fields: Any) -> Mutate:
    return lambda build: lambda *args, **named: msgspec.structs.replace(build(*args, **named), **fields)


def read_no_boxes(init: Any) -> Any:
    class Boxless:
        def __init__(self, store: Any) -> None:
            self._store = store

        def __getattr__(self, name: str) -> Any:
            return getattr(self._store, name)

        async def read_held(self, *_args: Any, **_named: Any) -> list[Any]:
            return []

    def begin(self: WritePath[Any], commanding: Any, *, store: Any, **named: Any) -> None:
        init(self, commanding, store=Boxless(store), **named)

    return begin


def answer_wrong(repeat: Any) -> Any:
    async def repeat_wrong(self: Any, *args: Any) -> Written:
        written: Written = await repeat(self, *args)
        return msgspec.structs.replace(written, first_version=StreamVersion(written.first_version + 1))

    return repeat_wrong


def one_too_far(join: Any) -> Any:
    async def join_late(self: Hub, game: Any, caller: Any, *, after: Any = None) -> Any:
        return await join(self, game, caller, after=None if after is None else StreamVersion(after + 1))

    return join_late


def decide_stale(_: Any) -> Any:
    async def decide(self: WritePath[Any], stream: Any, command: Any) -> Any:
        if isinstance(command, OpeningCommand):
            return self._commanding.decide_opening(command, self._catalogue)
        return self._commanding.decide(await self.recall(stream), command)

    return decide


def line_before(find: Any) -> Any:
    async def find_before(self: Any, game: Any, version: int) -> Any:
        return await find(self, game, StreamVersion(max(1, version - 1)))

    return find_before


def settle_first(deliver: Any) -> Any:
    async def settle_and_deliver(self: Notifier, way: Any, notices: Any) -> bool:
        ids = [notice.id for notice in notices]
        await self._sources.outbox.settle(way.row.id, *ids, now_ms=self._sources.now_ms())
        is_done: bool = await deliver(self, way, notices)
        return is_done

    return settle_and_deliver


def deliver_on(deliver: Any) -> Any:
    async def deliver_and_go_on(self: Notifier, way: Any, notices: Any) -> bool:
        await deliver(self, way, notices)
        return True

    return deliver_and_go_on


def fail_unread(serve: Any) -> Any:
    async def serve_and_fail(self: Notifier, way: str) -> None:
        await serve(self, way)
        raise RuntimeError("left in the task")

    return serve_and_fail


def at_once(_: Any) -> int:
    return 1


def for_ever(_: Any) -> Any:
    async def wait(*_args: Any) -> None:
        await asyncio.Event().wait()

    return wait


def always(value: Any) -> Mutate:
    return lambda _: lambda *_args, **_named: value


def newest(_: Any) -> Any:
    async def find(_histories: Any, newest: Any, _seat: Any, *, now_ms: int) -> StreamVersion:
        assert now_ms
        version: StreamVersion = newest.version
        return version

    return find


_SOUND_STEP: Callable[..., Awaitable[int]] = Tail.step
