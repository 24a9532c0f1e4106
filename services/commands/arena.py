"""Where games are commanded: how a game is decided, folded and kept secret on the one write path."""

from collections.abc import Callable, Iterable, Sequence
from hashlib import sha256

import msgspec
from msgspec import Struct

from domain.canonical import encode
from domain.chance import Secret
from domain.game.commands import GameCommand, OpenGame
from domain.game.custody import hold
from domain.game.decide import decide
from domain.game.evolve import evolve, settle
from domain.game.kind import GAMES
from domain.game.opening import decide_opening
from domain.game.state import Game, Sealed
from domain.ids import GameId, LineHash, StreamId, StreamVersion
from domain.log.entry import Entry
from domain.log.replay import is_of, read_entry, replay
from domain.rejection import Rejection
from domain.ruleset.catalogue import Catalogue
from infra.event_store import EventStore, HeldOpening, StoredStream
from infra.store_faults import UnknownStream
from infra.tracing import Tracer
from services.commands.vault import Vault
from services.commands.write_path import Announcer, Made, WritePath

Command = GameCommand | OpenGame


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


class GameCraft:
    """Games on the write path."""

    def __init__(self, *, store: EventStore, catalogue: Catalogue, vault: Vault) -> None:
        self._store = store
        self._catalogue = catalogue
        self._vault = vault

    def stream_of(self, command: Command) -> GameId:
        return command.stream

    def hash_body(self, command: Command) -> bytes:
        return hash_body(command)

    def begin(self, command: Command) -> Made[Game] | None:
        if not isinstance(command, OpenGame):
            return None
        decided, box = decide_opening(command, self._catalogue), self._vault.seal_secret(command.stream, command.secret)
        return Made(state=decided.state, entries=decided.entries, secret_box=box)

    def decide(self, state: Game, command: Command) -> Made[Game]:
        assert not isinstance(command, OpenGame), "begun before anything is loaded"
        decided = decide(state, command)
        held = tuple(self._vault.seal_held(state.id, held) for held in decided.held)
        return Made(state=decided.state, entries=decided.entries, held=held)

    async def read(self, stream: StreamId) -> StoredStream:
        return await read_stored(self._store, stream)

    def fold(self, stream: StreamId, stored: StoredStream) -> Game:
        secret = self._vault.open_secret(stream, stored.secret_box)
        return self._hold(replay(GAMES, stored.lines, self._catalogue, secret=secret), stored.held)

    def fold_on(self, state: Game, lines: Sequence[bytes], held: Sequence[HeldOpening]) -> Game:
        for raw in lines:
            state = evolve(state, read_entry(GAMES, raw, state.ruleset))
        return self._hold(settle(state), held)

    def _hold(self, game: Game, held: Iterable[HeldOpening]) -> Game:
        waiting = [choice.version for choice in game.choices.values() if isinstance(choice, Sealed)]
        # What is older than all that is sealed now is of opened choices; what is younger may bring their further link.
        needed = [each for each in held if waiting and each.version >= min(waiting)]
        return hold(game, [self._vault.open_held(game.id, each) for each in needed])


class Arena:
    """Handles commands of games. One for a process."""

    def __init__(self, *, store: EventStore, announcer: Announcer, catalogue: Catalogue, vault: Vault) -> None:
        craft = GameCraft(store=store, catalogue=catalogue, vault=vault)
        self._path: WritePath[Game, Command] = WritePath(craft, store=store, announcer=announcer)
        self._announcer = announcer
        # Told of every command that was handled, with what it raised, if anything.
        self.on_handled: Callable[[Command, Exception | None], None] = _ignore
        self.load = self._path.load
        self.recall = self._path.recall
        self.read_newest = self._path.read_newest

    @property
    def tracer(self) -> Tracer:
        return self._path.tracer

    @tracer.setter
    def tracer(self, tracer: Tracer) -> None:
        self._path.tracer = tracer

    def tell_written(self, listener: Callable[[StreamId, Sequence[Entry]], None]) -> None:
        """Have somebody told of what is committed, as soon as it is; whoever is told may not raise."""
        self._path.on_written = listener

    @property
    def folded_count(self) -> int:
        return len(self._path.folded)

    @property
    def is_announcing(self) -> bool:
        """Whether readers are told, as far as that lies with this process."""
        return not self._announcer.is_failing

    async def handle(self, command: Command) -> Answer:
        """Return what the command became, the same again when it is sent again. Raises what the write path does."""
        try:
            with self.tracer.span("command") as span:
                span.note("spina.game", command.stream)
                span.note("spina.command", command.type)
                written = await self._path.handle(command)
                span.note("spina.version", written.last_version)
        except Exception as error:
            self.on_handled(command, error)
            raise
        self.on_handled(command, None)
        return Answer(
            game=command.stream,
            first_version=written.first_version,
            last_version=written.last_version,
            head=written.head,
        )


async def read_stored(store: EventStore, game: StreamId) -> StoredStream:
    """Read all of a game, or raise NoSuchGame: also of another kind of stream, which the log holds as well."""
    try:
        stored = await store.load_stream(game)
    except UnknownStream:
        raise NoSuchGame(expected="the id of a game", found=game) from None
    if not is_of(GAMES, stored.lines[0]):
        raise NoSuchGame(expected="the id of a game", found=game)
    return stored


def hash_body(command: Command) -> bytes:
    """Hash what the client sent: not the time of receipt, nor what the server made up for it."""
    sent = msgspec.structs.replace(command, at_ms=0)
    if isinstance(sent, OpenGame):
        sent = msgspec.structs.replace(sent, secret=Secret(b""), leaf_key="")
    return sha256(encode((command.type, sent))).digest()


def _ignore(_command: Command, _error: Exception | None) -> None:
    pass
