"""One run of a simulated installation: nodes, clients and faults, from one seed to its violations.

The same seed and faults give the same run, callback by callback; `digest` is what two runs are compared by.
"""

import asyncio
import sys
from collections.abc import Coroutine, Iterator, Mapping, MutableMapping, Sequence
from contextlib import contextmanager
from contextvars import copy_context
from functools import cache
from hashlib import sha256
from random import Random
from typing import Any

import structlog
from msgspec import Struct

from domain.ids import GameId, PlayerId, Seat
from domain.ruleset.catalogue import Catalogue, hash_components
from domain.ruleset.kit import Kit
from domain.ruleset.ruleset import AnyRuleset
from domain.rulesets.released import KITS
from infra.ruleset_files import load_ruleset
from services.commands.arena import Arena
from services.commands.tournaments import Tournaments
from services.commands.vault import Vault
from services.reading.histories import GameHistories
from services.reading.tournaments.histories import TournamentHistories
from simulate.stores.announcer import MemoryAnnouncer
from simulate.world.checks import AT_THE_END, DURING, Evidence, check_healed, run_checks
from simulate.world.clients import Clients, Judge
from simulate.world.database import SimulatedDatabase, Wire
from simulate.world.faults import LAST_S, LONGEST_S, Fault, Weather, draw_faults
from simulate.world.hints import Channel
from simulate.world.loop import Deadlock, SimulatedLoop
from simulate.world.mailbox import Mailbox, build_way
from simulate.world.node import KEY, WAY_VAULT, Installation, Node
from simulate.world.readers import Follower
from simulate.world.seats import GamePlan, SeatBot, draw_game, name_player, open_game
from simulate.world.tournament import PlayedTournament, TournamentPlan

FAULTS_END_S = LAST_S + LONGEST_S
# Without faults every game ends by then, and every worker has caught up.
GAMES_END_S = 90.0
CAUGHT_UP_S = 90.0
CHECK_EVERY_S = 7.0
NODES_MAX = 3
PLAYERS = 4
CUP_RULESETS = ("charioteer", "chariot-race")
# The clocks of nodes are off by a fraction of a second at most.
OFFSET_MS_MAX = 100


class Outcome(Struct, frozen=True, kw_only=True):
    """The end of a run. `violations` are sentences, each behind the name of its check; none in a sound server."""

    seed: int
    faults: tuple[Fault, ...]
    violations: tuple[str, ...]
    digest: str
    lines: int
    virtual_s: float

    @property
    def checks(self) -> frozenset[str]:
        """The names of the checks that found violations."""
        return frozenset(violation.partition(":")[0] for violation in self.violations)


@cache
def load_rulesets() -> Mapping[str, tuple[Kit, AnyRuleset]]:
    return {kit.name: (kit, load_ruleset(kit)) for kit in KITS}


def run_world(seed: int, faults: Sequence[Fault] | None = None) -> Outcome:
    """Run one seed, with its own faults or those that are given."""
    numbers = Random(seed)  # noqa: S311  a run is repeatable on purpose
    nodes = numbers.randint(1, NODES_MAX)
    drawn = draw_faults(numbers, nodes=nodes)
    loop = SimulatedLoop(Random(numbers.random()))  # type: ignore[abstract]  # noqa: S311  see above
    errors: list[str] = []
    world = World(numbers, nodes, drawn if faults is None else tuple(faults), errors)
    with noting_errors(errors):
        try:
            violations = loop.run(world.run(loop))
        except Deadlock:
            violations = ["the run came to a standstill"]
        finally:
            loop.close()
    events = world.evidence.database.log.events
    digest = sha256(f"{loop.callbacks_count}".encode())
    for event in events:
        digest.update(event.body)
    return Outcome(
        seed=seed,
        faults=world.faults,
        violations=tuple(dict.fromkeys(violations)),
        digest=digest.hexdigest(),
        lines=len(events),
        virtual_s=loop.time(),
    )


class World:
    """The parts of one run."""

    def __init__(self, numbers: Random, nodes: int, faults: tuple[Fault, ...], errors: list[str]) -> None:
        self.faults = faults
        self._numbers = numbers
        self._count = nodes
        self._errors = errors
        self._is_healed = False
        self._tasks: list[asyncio.Task[Any]] = []
        self.evidence: Evidence

    def draw(self) -> Random:
        """Return a source of its own for one part, so that what one part draws changes no other."""
        return Random(self._numbers.random())  # noqa: S311  see above

    async def run(self, loop: SimulatedLoop) -> list[str]:
        rulesets = load_rulesets()
        database, weather = SimulatedDatabase(), Weather(self.faults, self.draw())
        catalogue = Catalogue([ruleset for _, ruleset in rulesets.values()])
        for ruleset in (each for _, each in rulesets.values()):
            name = hash_components(ruleset)
            await database.log.save_components(
                name, ruleset=ruleset.name, version=ruleset.version, body=ruleset.components
            )
        world = copy_context()

        def lose_sessions(node: int) -> None:
            for session in [session for session in database.sessions if session.node == node]:
                loop.call_later(self._numbers.uniform(0.01, 1.5), database.end, session, context=world)

        installation = Installation(
            database=database,
            channel=Channel(weather, self.draw(), world),
            catalogue=catalogue,
            open_wire=lambda node: Wire(node, database, weather, world),
            lose_sessions=lose_sessions,
            numbers=self.draw(),
            mailbox=Mailbox(weather),
        )
        for number in range(PLAYERS):
            await database.notices.add(build_way(name_player(number), WAY_VAULT))
        self.nodes = [Node(number, installation=installation) for number in range(self._count)]
        parts: dict[str, Any] = {"announcer": MemoryAnnouncer(), "catalogue": catalogue, "vault": Vault(KEY)}
        arena, tournaments = Arena(store=database.log, **parts), Tournaments(store=database.log, **parts)
        self.clients = Clients(self.nodes, weather, self.draw(), Judge(database.log, arena, tournaments))
        self.evidence = Evidence(
            database=database,
            answers=self.clients.answers,
            followers=[],
            strangers=[],
            nodes=self.nodes,
            histories=GameHistories(store=database.log, catalogue=catalogue, vault=Vault(KEY)),
            received=installation.mailbox.received,
            tournaments=TournamentHistories(database.log),
            errors=self._errors,
        )
        for node in self.nodes:
            node.offset_ms = self._numbers.randint(-OFFSET_MS_MAX, OFFSET_MS_MAX)
            node.start()
        self._begin_load(rulesets)
        for fault in self.faults:
            self._begin(self._befall(fault))
        violations = await self._check_until(FAULTS_END_S)
        return violations or await self._heal(loop, weather)

    def _begin(self, work: Coroutine[Any, Any, Any]) -> None:
        self._tasks.append(asyncio.get_running_loop().create_task(work))

    def _begin_load(self, rulesets: Mapping[str, tuple[Kit, AnyRuleset]]) -> None:
        if self._numbers.choice((True, False, False)):
            self._begin_tournament(rulesets)
        for number in range(self._numbers.randint(1, 2)):
            plan = draw_game(self.draw(), rulesets, number)
            self._begin(open_game(self.clients, plan))
            for seat in (Seat(0), Seat(1)):
                self._begin_seat(plan, seat)
            self._follow(plan.id, name_player(0), is_private=plan.visibility == "private")

    def _begin_tournament(self, rulesets: Mapping[str, tuple[Kit, AnyRuleset]]) -> None:
        kit, ruleset = rulesets[self._numbers.choice(CUP_RULESETS)]
        players = [name_player(number) for number in range(self._numbers.randint(2, PLAYERS))]
        plan = TournamentPlan(kit=kit, ruleset=ruleset, players=players, rounds=self._numbers.randint(1, 2))
        self._begin(PlayedTournament(self.clients, plan, self.draw, lambda: self._is_healed, self._follow).play())

    def _begin_seat(self, plan: GamePlan, seat: Seat) -> None:
        bot = SeatBot(self.clients, plan.kit, plan.id, seat, name_player(seat), self.draw())
        bot.has_own_custody = seat in plan.own_custody
        self._begin(bot.play(is_restless=lambda: self._is_healed or plan.clock is None))

    def _follow(self, game: GameId, player: PlayerId, *, is_private: bool = False) -> None:
        """Let a player and a spectator read a game to its end, a private one the player alone."""
        for reader in (player, None):
            follower = Follower(self.clients, game, reader)
            if reader is None and is_private:
                self.evidence.strangers.append(follower)
                self._begin(follower.intrude())
            else:
                self.evidence.followers.append(follower)
                self._begin(follower.follow())

    async def _check_until(self, end_s: float) -> list[str]:
        loop = asyncio.get_running_loop()
        while loop.time() < end_s and not all(task.done() for task in self._tasks):
            await asyncio.sleep(min(CHECK_EVERY_S, end_s - loop.time()))
            if violations := self._check_now():
                return violations
        return []

    def _check_now(self) -> list[str]:
        ended = [task for task in self._tasks if task.done() and task.exception() is not None]
        return [f"a client failed: {task.exception()!r}" for task in ended] or run_checks(self.evidence, DURING)

    async def _heal(self, loop: SimulatedLoop, weather: Weather) -> list[str]:
        """End the faults, let all games come to their end and all workers catch up, and check everything."""
        weather.clear()
        self._is_healed = True
        for node in self.nodes:
            node.start()
        await asyncio.wait(self._tasks, timeout=GAMES_END_S)
        if violations := self._check_now():
            return violations
        end_s = loop.time() + CAUGHT_UP_S
        while loop.time() < end_s and self._is_behind():  # noqa: ASYNC110  no event announces it
            await asyncio.sleep(1.0)
        self._errors.extend(loop.faults + loop.list_unread())
        standing = sum(not task.done() for task in self._tasks)
        return run_checks(self.evidence, AT_THE_END) + [f"{standing} clients wait in vain"] * bool(standing)

    def _is_behind(self) -> bool:
        return any(check_healed(self.evidence)) or not all(task.done() for task in self._tasks)

    async def _befall(self, fault: Fault) -> None:
        """Carry out the faults that are no matter of messages."""
        node = self.nodes[fault.node % len(self.nodes)]
        loop = asyncio.get_running_loop()
        await asyncio.sleep(fault.from_s)
        match fault.kind:
            case "killed":
                node.kill()
            case "stopped":
                await node.stop()
            case "stalled" if node.host is not None:
                node.host.stalled_until_s = loop.time() + fault.for_s
            case "sessions ended":
                for session in [session for session in self.evidence.database.sessions if session.node == node.number]:
                    self.evidence.database.end(session)
            case "clock off":
                node.offset_ms = -node.offset_ms
            case _:
                return
        await asyncio.sleep(max(0.0, fault.from_s + fault.for_s - loop.time()))
        node.start()


@contextmanager
def noting_errors(errors: list[str]) -> Iterator[None]:
    """Note every error that the server logs; nothing else is logged."""
    before = structlog.get_config()

    def note(_logger: Any, _method: str, event: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
        told = event.pop("exc_info", None)
        fault = repr(sys.exc_info()[1]) if told else ""
        errors.append(f"{event.get('event')} {event.get('reason', '')} {fault}".strip())
        raise structlog.DropEvent

    structlog.configure(processors=[note], wrapper_class=structlog.make_filtering_bound_logger(40))
    try:
        yield
    finally:
        structlog.configure(**before)
