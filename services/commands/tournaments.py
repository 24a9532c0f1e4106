"""Where tournaments are commanded: how one is decided, folded and kept secret on the one write path."""

from collections.abc import Callable, Sequence
from hashlib import sha256

import msgspec
from msgspec import Struct

from domain.canonical import encode
from domain.chance import Secret
from domain.ids import LineHash, StreamId, StreamVersion, TournamentId
from domain.log.entry import Entry
from domain.log.record import parse_line
from domain.log.replay import read_entry, replay
from domain.rejection import Rejection
from domain.ruleset.catalogue import Catalogue
from domain.tournament.commands import OpenTournament, TournamentCommand
from domain.tournament.decide import decide
from domain.tournament.evolve import evolve, settle
from domain.tournament.kind import TOURNAMENTS
from domain.tournament.opening import decide_opening
from domain.tournament.state import Tournament
from infra.event_store import EventStore, HeldOpening, StoredStream
from infra.store_faults import UnknownStream
from infra.tracing import NO_TRACER, Tracer
from services.commands.vault import Vault
from services.commands.write_path import Announcer, Made, WritePath

Command = TournamentCommand | OpenTournament


class TournamentAnswer(Struct, frozen=True, kw_only=True):
    """What an accepted command became: the versions it wrote and the hash of its last line."""

    tournament: TournamentId
    first_version: StreamVersion
    last_version: StreamVersion
    head: LineHash
    # The server's signature over tournament, last version and head, where the answer leaves it.
    receipt: str | None = None


class NoSuchTournament(Rejection):
    code = "no-such-tournament"


class TournamentCraft:
    """Tournaments on the write path."""

    def __init__(self, *, store: EventStore, catalogue: Catalogue, vault: Vault) -> None:
        self._store = store
        self._catalogue = catalogue
        self._vault = vault

    def stream_of(self, command: Command) -> StreamId:
        return command.stream

    def hash_body(self, command: Command) -> bytes:
        sent = msgspec.structs.replace(command, at_ms=0)
        if isinstance(sent, OpenTournament):
            sent = msgspec.structs.replace(sent, secret=Secret(b""), leaf_key="")
        return sha256(encode((command.type, sent))).digest()

    def begin(self, command: Command) -> Made[Tournament] | None:
        if not isinstance(command, OpenTournament):
            return None
        decided = decide_opening(command, self._catalogue)
        box = self._vault.seal_secret(command.stream, command.secret)
        return Made(state=decided.state, entries=decided.entries, secret_box=box)

    def decide(self, state: Tournament, command: Command) -> Made[Tournament]:
        assert not isinstance(command, OpenTournament), "begun before anything is loaded"
        decided = decide(state, command)
        return Made(state=decided.state, entries=decided.entries)

    async def read(self, stream: StreamId) -> StoredStream:
        try:
            stored = await self._store.load_stream(stream)
        except UnknownStream:
            raise NoSuchTournament(expected="the id of a tournament", found=stream) from None
        if not is_tournament(stored.lines[0]):
            raise NoSuchTournament(expected="the id of a tournament", found=stream)
        return stored

    def fold(self, stream: StreamId, stored: StoredStream) -> Tournament:
        return replay(TOURNAMENTS, stored.lines, secret=self._vault.open_secret(stream, stored.secret_box))

    def fold_on(self, state: Tournament, lines: Sequence[bytes], held: Sequence[HeldOpening]) -> Tournament:
        assert not held, f"nothing is held for {state.id}"
        for raw in lines:
            state = evolve(state, read_entry(TOURNAMENTS, raw))
        return settle(state)


class Tournaments:
    """Handles commands of tournaments. One for a process."""

    def __init__(self, *, store: EventStore, announcer: Announcer, catalogue: Catalogue, vault: Vault) -> None:
        craft = TournamentCraft(store=store, catalogue=catalogue, vault=vault)
        self._path: WritePath[Tournament, Command] = WritePath(craft, store=store, announcer=announcer)
        # Told of every command that was handled, with what it raised, if anything.
        self.on_handled: Callable[[Command, Exception | None], None] = _ignore
        self.tracer: Tracer = NO_TRACER

    def tell_written(self, listener: Callable[[StreamId, Sequence[Entry]], None]) -> None:
        """Have somebody told of what is committed, as soon as it is; whoever is told may not raise."""
        self._path.on_written = listener

    async def handle(self, command: Command) -> TournamentAnswer:
        """Return what the command became, the same again when it is sent again. Raises what the write path does."""
        try:
            with self.tracer.span("command") as span:
                span.note("spina.tournament", command.stream)
                span.note("spina.command", command.type)
                written = await self._path.handle(command)
                span.note("spina.version", written.last_version)
        except Exception as error:
            self.on_handled(command, error)
            raise
        self.on_handled(command, None)
        return TournamentAnswer(
            tournament=command.stream,
            first_version=written.first_version,
            last_version=written.last_version,
            head=written.head,
        )

    async def read_newest(self, tournament: TournamentId) -> Tournament:
        """Return the tournament as stored now, with its secret: never to be shown as it is. Raises NoSuchTournament."""
        return await self._path.read_newest(tournament)


def is_tournament(raw: bytes) -> bool:
    """Say whether a stored stream that begins with this line is a tournament."""
    return parse_line(raw).type == "tournament_opened"


def _ignore(_command: Command, _error: Exception | None) -> None:
    pass
