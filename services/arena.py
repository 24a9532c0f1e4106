"""The one write path: load, decide, append, announce, answer. Nobody is told of an event before it is durable.

Any number of processes may serve any game; the store decides who was first, and a loser decides again on the new state.
"""

from collections.abc import Callable, Iterable
from hashlib import sha256
from typing import Protocol

import msgspec
import structlog
from msgspec import Struct

from domain.canonical import encode
from domain.chance import Secret
from domain.game.commands import GameCommand, OpenGame
from domain.game.custody import hold
from domain.game.decide import decide
from domain.game.enact import Decided
from domain.game.entry import read_entry
from domain.game.evolve import evolve, settle
from domain.game.opening import decide_opening
from domain.game.rejections import CommandIdReused
from domain.game.replay import is_game, replay
from domain.game.state import Game, Sealed
from domain.ids import GameId, LineHash, StreamVersion
from domain.record import line_hash
from domain.rejection import Rejection
from domain.rulesets.catalogue import Catalogue
from infra.event_store import Append, CommandAnswer, EventStore, HeldOpening, StoredCommand, StoredGame
from infra.store_faults import CommandSeen, StoreUnavailable, UnknownGame, VersionConflict
from infra.tracing import NO_TRACER, Tracer
from services.folded_games import FoldedGames
from services.game_turns import GameTurns
from services.vault import Vault

log = structlog.get_logger()

# Each lost race means that somebody else's command was accepted, so a game with many writers still moves; whoever loses
# this often in a row is told to come again rather than kept waiting.
ATTEMPTS_MAX = 20
# Who is behind by no more folds on, in some milliseconds; whoever is further behind reads the game in one statement.
CATCH_UP_LINES_MAX = 256


class Announcer(Protocol):
    """Tells readers that a game has moved. Never blocks, never raises: a lost hint costs latency only."""

    def announce(self, stream: GameId, version: StreamVersion) -> None: ...

    @property
    def is_failing(self) -> bool:
        """Whether a bug keeps hints from going out. A server that is only away is not meant."""


class Answer(Struct, frozen=True, kw_only=True):
    """What an accepted command became: the versions it wrote and the hash of its last line."""

    game: GameId
    first_version: StreamVersion
    last_version: StreamVersion
    head: LineHash
    # The server's signature over game, last version and head (domain/ledger/receipt.py), where the answer leaves it.
    receipt: str | None = None


class NoSuchGame(Rejection):
    code = "no-such-game"


class GameContended(Exception):
    """Too many others write to this game right now; nothing was stored."""

    def __init__(self, game: GameId) -> None:
        self.game = game
        super().__init__(f"{ATTEMPTS_MAX} races in a row were lost on {game}")


class Arena:
    """Handles commands. One for a process, so that its cache and its turns are shared by all who ask."""

    def __init__(self, *, store: EventStore, announcer: Announcer, catalogue: Catalogue, vault: Vault) -> None:
        self._store = store
        self._announcer = announcer
        self._catalogue = catalogue
        self._vault = vault
        self._folded = FoldedGames()
        self._turns = GameTurns()
        # Told of every command that was handled, with what it raised, if anything.
        self.on_handled: Callable[[GameCommand | OpenGame, Exception | None], None] = _ignore
        self.tracer: Tracer = NO_TRACER

    @property
    def folded_count(self) -> int:
        return len(self._folded)

    @property
    def is_announcing(self) -> bool:
        """Whether readers are told, as far as that lies with this process."""
        return not self._announcer.is_failing

    async def handle(self, command: GameCommand | OpenGame) -> Answer:
        """Return what the command became, the same again when it is sent again.

        Raises a Rejection, given on the stored head only; `StoreUnavailable` when the outcome is not known or nothing
        could be stored, `GameContended` and `TooManyWaiting`: after all three, the same command may be sent again.
        """
        try:
            with self.tracer.span("command") as span:
                span.note("spina.game", command.game)
                span.note("spina.command", str(command.__struct_config__.tag))
                answer = await self._handle(command)
                span.note("spina.version", answer.last_version)
        except Exception as error:
            self.on_handled(command, error)
            raise
        self.on_handled(command, None)
        return answer

    async def _handle(self, command: GameCommand | OpenGame) -> Answer:
        body_hash = hash_body(command)
        async with self._turns.of(command.game):
            for _ in range(ATTEMPTS_MAX):
                try:
                    return await self._attempt(command, body_hash)
                except VersionConflict as conflict:
                    log.info("append_conflicted", game=command.game, expected=conflict.expected_version)
                    await self._catch_up_if_known(command.game)
        raise GameContended(command.game)

    async def _attempt(self, command: GameCommand | OpenGame, body_hash: bytes) -> Answer:
        try:
            with self.tracer.span("decide"):
                decided = await self._decide(command)
            with self.tracer.span("append", "client"):
                await self._append(command, decided, body_hash)
        except CommandSeen as seen:
            return self._repeat(command, seen.answer, body_hash)
        except Rejection:
            # What was accepted once may be refused now, where its answer was lost and it is sent again.
            answer = await self._store.find_command(command.game, command.id)
            if answer is None:
                raise
            return self._repeat(command, answer, body_hash)
        except StoreUnavailable:
            # Whether it was stored or not: what we hold may be behind the log.
            self._folded.forget(command.game)
            raise
        self._folded.keep(decided.game)
        with self.tracer.span("announce"):
            self._announcer.announce(command.game, decided.game.version)
        return _answer(command.game, decided)

    async def load(self, game: GameId) -> Game:
        """Return the game as stored now, folded with its secret: for deciding, never to be shown as it is."""
        return self._fold(game, await read_stored(self._store, game))

    async def recall(self, game: GameId) -> Game:
        """Return the game as this process remembers it, which may be behind the log, else as stored now."""
        remembered = self._folded.find(game)
        if remembered is not None:
            return remembered
        found = await self.load(game)
        # Another task may have kept a newer one meanwhile.
        if self._folded.find(game) is None:
            self._folded.keep(found)
        return found

    async def read_newest(self, game: GameId) -> Game:
        """Return the game as stored now; what this process has folded of it is not folded again."""
        async with self._turns.of(game):
            await self._catch_up_if_known(game)
            return await self.recall(game)

    async def _decide(self, command: GameCommand | OpenGame) -> Decided:
        if isinstance(command, OpenGame):
            return decide_opening(command, self._catalogue)
        game = await self.recall(command.game)
        try:
            return decide(game, command)
        except Rejection:
            # Perhaps only what we hold is stale: a rejection is given on the stored head.
            newest = await self._catch_up(game)
            if newest is game:
                raise
        return decide(newest, command)

    async def _catch_up_if_known(self, game: GameId) -> None:
        known = self._folded.find(game)
        if known is not None:
            await self._catch_up(known)

    async def _catch_up(self, known: Game) -> Game:
        """Return the game as stored now, the very same where nothing is newer, and keep it."""
        after = StreamVersion(known.version - 1)
        lines = await self._store.read_stream(known.id, after=after, limit=1 + CATCH_UP_LINES_MAX)
        # A store that was restored from a backup may hold another line there, or none.
        is_known_stored = bool(lines) and line_hash(lines[0]) == known.head
        if is_known_stored and len(lines) == 1:
            return known
        self._folded.forget(known.id)
        if not is_known_stored or len(lines) > CATCH_UP_LINES_MAX:
            return await self.recall(known.id)
        game = known
        for raw in lines[1:]:
            game = evolve(game, read_entry(raw, game.ruleset))
        # Whatever was held with these lines was stored with them.
        held = await self._store.read_held(known.id, after=known.version, limit=CATCH_UP_LINES_MAX)
        game = self._hold(settle(game), held)
        self._folded.keep(game)
        return game

    async def _append(self, command: GameCommand | OpenGame, decided: Decided, body_hash: bytes) -> None:
        first = decided.entries[0].line
        secret_box = None
        if isinstance(command, OpenGame):
            secret_box = self._vault.seal_secret(command.game, command.secret)
        await self._store.append(
            Append(
                stream=command.game,
                expected_version=StreamVersion(first.version - 1),
                expected_head=first.prev,
                lines=tuple(entry.raw for entry in decided.entries),
                types=tuple(entry.line.type for entry in decided.entries),
                hashes=tuple(entry.hash for entry in decided.entries),
                command=StoredCommand(id=command.id, body_hash=body_hash),
                secret_box=secret_box,
                held=tuple(self._vault.seal_held(command.game, each) for each in decided.held),
            )
        )

    def _fold(self, stream: GameId, stored: StoredGame) -> Game:
        secret = self._vault.open_secret(stream, stored.secret_box)
        return self._hold(replay(stored.lines, self._catalogue, secret=secret), stored.held)

    def _hold(self, game: Game, held: Iterable[HeldOpening]) -> Game:
        waiting = [choice.version for choice in game.choices.values() if isinstance(choice, Sealed)]
        # What is older than all that is sealed now is of opened choices; what is younger may bring their further link.
        needed = [each for each in held if waiting and each.version >= min(waiting)]
        return hold(game, [self._vault.open_held(game.id, each) for each in needed])

    def _repeat(self, command: GameCommand | OpenGame, answer: CommandAnswer, body_hash: bytes) -> Answer:
        if answer.body_hash != body_hash:
            raise CommandIdReused(
                expected=f"a new id, as {command.id} was accepted with another body", found=command.id
            )
        # It may never have been announced, if its first reply was lost; told twice, a hint does no harm.
        self._announcer.announce(command.game, answer.last_version)
        return Answer(
            game=command.game,
            first_version=answer.first_version,
            last_version=answer.last_version,
            head=answer.head,
        )


async def read_stored(store: EventStore, game: GameId) -> StoredGame:
    """Read all of a game, or raise NoSuchGame: also of another kind of stream, which the log holds as well."""
    try:
        stored = await store.read_game(game)
    except UnknownGame:
        raise NoSuchGame(expected="the id of a game", found=game) from None
    if not is_game(stored.lines[0]):
        raise NoSuchGame(expected="the id of a game", found=game)
    return stored


def hash_body(command: GameCommand | OpenGame) -> bytes:
    """Hash what the client sent: not the time of receipt, nor what the server made up for it."""
    sent = msgspec.structs.replace(command, at_ms=0)
    if isinstance(sent, OpenGame):
        sent = msgspec.structs.replace(sent, secret=Secret(b""), leaf_key="")
    return sha256(encode(sent)).digest()


def _ignore(_command: GameCommand | OpenGame, _error: Exception | None) -> None:
    pass


def _answer(game: GameId, decided: Decided) -> Answer:
    first, last = decided.entries[0], decided.entries[-1]
    return Answer(game=game, first_version=first.line.version, last_version=last.line.version, head=last.hash)
