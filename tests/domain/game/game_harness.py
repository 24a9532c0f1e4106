"""A table to play at in tests: opens a game of Torches, seats players, answers for them, keeps every line."""

from functools import cache
from hashlib import sha256
from typing import Any

import msgspec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from msgspec import UNSET

from domain.canonical import encode
from domain.chance import Secret
from domain.game.actions import parse_action
from domain.game.commands import GameCommand, OpenGame
from domain.game.custody import seal_opening
from domain.game.decide import decide
from domain.game.events import (
    ActionPlayed,
    ActionRevealed,
    ActionSealed,
    ClockExpired,
    ClockExtended,
    ClockTerms,
    ConsentGiven,
    ConsentWithdrawn,
    GameAborted,
    Offer,
    PauseEnded,
    SeatLeft,
    SeatOffered,
    SeatReadied,
    SeatReclaimed,
    SeatRemoved,
    SeatResigned,
    SeatTaken,
)
from domain.game.opening import decide_opening
from domain.game.state import Entrusted, FurtherLink, Game, Opening, list_in_custody
from domain.house import HOUSE
from domain.ids import CommandId, DecisionId, GameId, LineHash, OrganiserId, PlayerId, Seat, StreamId, StreamVersion
from domain.ledger.leaf import build_leaf, hash_leaf
from domain.ledger.proof import LedgerProof, format_proof
from domain.links import build_links
from domain.log.actors import Actor, ByClock, ByOperator, ByOrganiser, ByPlayer, ByServer
from domain.log.enact import Decided, HeldAction
from domain.log.entry import Entry, as_stored
from domain.log.events import OpeningWitnessed
from domain.log.record import line_hash
from domain.ruleset.catalogue import Catalogue, hash_components
from domain.ruleset.decision import Decision
from domain.seal import seal_action
from domain.signature import signed_input
from tests.domain.game.fake_ruleset_mug import Mug
from tests.domain.ledger.signing import ORIGIN, publish
from tests.domain.rulesets.fake_ruleset_torches import Torches

NOON = 1_795_003_200_000
GAME = GameId(StreamId("0199c0de-0000-7000-8000-000000000001"))
SECRET = Secret(bytes(range(32)))
ADA, BOB, CEM, DEE = (PlayerId(f"0199c0de-0000-7000-8000-0000000000{place}a") for place in range(1, 5))
PLAYERS = (ADA, BOB, CEM, DEE)
ORGA = OrganiserId("0199c0de-0000-7000-8000-0000000000f0")
SALT = "33" * 32
LEAF_KEY = "55" * 32
RULES = Torches()
MUG = Mug()
CATALOGUE = Catalogue([RULES, MUG])
ORGANISER = ByOrganiser(organiser=ORGA)
OPERATOR, CLOCK, SERVER = ByOperator(), ByClock(), ByServer()

ENVELOPE = frozenset({"id", "stream", "at_ms", "actor", "sig", "base", "invitation"})


def opening(**terms: Any) -> OpenGame:
    """Return the command that opens GAME; `terms` replace single fields."""
    command = OpenGame(
        id=CommandId(GAME),
        stream=GAME,
        at_ms=NOON,
        actor=ByPlayer(player=ADA),
        ruleset="torches",
        ruleset_version=1,
        components=hash_components(RULES),
        seats=3,
        options={},
        clock=None,
        visibility="public",
        delay_s=0,
        demands=(),
        organisers={ORGA: None},
        ledger=ORIGIN,
        secret=SECRET,
        leaf_key=LEAF_KEY,
    )
    return msgspec.structs.replace(command, **terms)


def mug_terms(**terms: Any) -> dict[str, Any]:
    """Return the terms of a game of Mug for two; `terms` are its options."""
    options = as_stored(msgspec.convert(terms, MUG.options_type))
    return {"ruleset": "mug", "components": hash_components(MUG), "seats": 2, "options": options}


@cache
def own_links(seat: int, count: int = 1024) -> tuple[str, ...]:
    """Return the links that a seat brings in these tests: the anchor, then the nonces in their order."""
    return build_links(sha256(b"links of seat %d" % seat).digest(), count)


def prove_opening(first: bytes, *, leaf_key: str = LEAF_KEY, origin: str = ORIGIN) -> str:
    """Return the proof of a first line in a ledger that has nothing else."""
    key = bytes.fromhex(leaf_key)
    leaf = build_leaf(key, stream=GAME, version=StreamVersion(1), line=line_hash(first))
    return format_proof(LedgerProof(index=0, path=(), signed=publish(1, hash_leaf(leaf), origin=origin))).decode()


def signing_key(number: int) -> Ed25519PrivateKey:
    return Ed25519PrivateKey.from_private_bytes(bytes([number]) * 32)


def public_hex(key: Ed25519PrivateKey) -> str:
    return key.public_key().public_bytes_raw().hex()


def as_event(command: GameCommand) -> tuple[str, dict[str, Any]]:
    """Return the text that a client signs for a command: type and data of the requested line."""
    return command.type, as_stored(command.event)


def build_command(kind: type[Any], fields: dict[str, Any], entrusted: Entrusted | None = None) -> GameCommand:
    """Build a command from the fields of its envelope and of its event, all together."""
    envelope = {name: fields.pop(name) for name in ENVELOPE & fields.keys()}
    return GameCommand(**envelope, event=kind(**fields), entrusted=entrusted)


class Table:
    """One game and its log. Every method decides one command; `now` is the time of receipt."""

    players: tuple[PlayerId, ...] = PLAYERS

    def __init__(self, *, catalogue: Catalogue = CATALOGUE, links: int = 1024, **terms: Any) -> None:
        self.now = NOON
        self.id = GameId(terms.get("stream", GAME))
        self.catalogue = catalogue
        self.entries: list[Entry] = []
        self.held: list[HeldAction] = []
        self.commands: list[GameCommand] = []
        # As it stood after each command, by its last version.
        self.games: dict[int, Game] = {}
        self.links = links
        self.keys: dict[Actor, Ed25519PrivateKey] = {}
        self._commands = 0
        self._keep(decide_opening(opening(**terms), catalogue))

    @property
    def raws(self) -> list[bytes]:
        return [entry.raw for entry in self.entries]

    @property
    def types(self) -> list[str]:
        return [entry.line.type for entry in self.entries]

    def data(self, type_: str) -> list[dict[str, Any]]:
        """Return the data of every line of a type."""
        return [entry.line.data for entry in self.entries if entry.line.type == type_]

    def put(self, command: GameCommand) -> Decided[Game]:
        """Decide a command, signed by whoever has a key here, and keep its lines."""
        signed = self.sign(command)
        decided = decide(self.game, signed)
        self._keep(decided)
        self.commands.append(signed)
        return decided

    def sign(self, command: GameCommand) -> GameCommand:
        key = self.keys.get(command.actor)
        if key is None or command.sig is not None:
            return command
        type_, data = as_event(command)
        base = LineHash(command.base or self.game.head)
        message = signed_input(base=base, command=command.id, data=data, stream=command.stream, type_=type_)
        return msgspec.structs.replace(command, base=base, sig=key.sign(message).hex())

    def meta(self, actor: Actor) -> dict[str, Any]:
        """Return the envelope of every command, with a fresh id."""
        self._commands += 1
        command = CommandId(f"0199c0de-0000-7000-9000-{self._commands:012d}")
        return {"id": command, "stream": self.id, "at_ms": self.now, "actor": actor}

    def player(self, seat: int) -> dict[str, Any]:
        return self.meta(ByPlayer(player=self.players[seat]))

    def witness(self, proof: str | None = None) -> Decided[Game]:
        found = prove_opening(self.raws[0]) if proof is None else proof
        return self.put(GameCommand(event=OpeningWitnessed(proof=found), **self.meta(SERVER)))

    def driver(self, seat: int) -> dict[str, Any]:
        """Return the changes to an answer where a stand-in gives it, with neither a link nor a signature."""
        is_handed = getattr(self.game.seats[seat], "is_handed", False)
        return {"actor": ByPlayer(player=HOUSE[seat]), "nonce": None, "entrusted_link": None} if is_handed else {}

    def take(self, seat: int, **changes: Any) -> Decided[Game]:
        links = own_links(seat, self.links) if self.links else ()
        fields: dict[str, Any] = {"anchor": links[0] if links else None, "links": max(0, len(links) - 1), "key": None}
        fields |= {"seat": Seat(seat), **self.player(seat), **changes}
        actor = fields["actor"]
        player = actor.player if isinstance(actor, ByPlayer) else self.players[seat]
        return self.put(build_command(SeatTaken, {"player": player, **fields}))

    def offer(self, seat: int, to: Offer | None, actor: Actor | None = None) -> Decided[Game]:
        by = actor or ByPlayer(player=ADA)
        return self.put(GameCommand(event=SeatOffered(seat=Seat(seat), to=to), **self.meta(by)))

    def leave(self, seat: int) -> Decided[Game]:
        return self.put(GameCommand(event=SeatLeft(seat=Seat(seat)), **self.player(seat)))

    def ready(self, seat: int) -> Decided[Game]:
        return self.put(GameCommand(event=SeatReadied(seat=Seat(seat), nonce=self.nonce(seat)), **self.player(seat)))

    def start(self) -> "Table":
        for seat in range(len(self.game.seats)):
            self.take(seat)
        for seat in range(len(self.game.seats)):
            self.ready(seat)
        return self

    def nonce(self, seat: int, ahead: int = 0) -> str | None:
        """Return the seat's next link, or one further on."""
        links: Any = getattr(self.game.seats[seat], "links", None)
        if links is None or links.left == 0:
            return None
        own = own_links(seat, self.links)
        return own[min(own.index(links.last) + 1 + ahead, len(own) - 1)]

    def further_link(self, seat: int) -> str | None:
        """Return the seat's custody deposit with its next link, if the server holds choices of it."""
        links: Any = getattr(self.game.seats[seat], "links", None)
        count = len(list_in_custody(self.game, Seat(seat)))
        return self.nonce(seat, count) if count and links is not None and links.left > 1 else None

    def owed(self, seat: int | None = None) -> list[Decision]:
        return [owed.decision for owed in self.game.owed if seat is None or owed.decision.seat == seat]

    def default(self, decision: Decision) -> Any:
        return self.game.ruleset.default_action(self.game.board, decision)

    def entrust(self, seat: int, action: Any, *, salt: str = SALT, **changes: Any) -> Decided[Game]:
        """Seal an action in the server's custody, with the furthest link that the seat's choices may need."""
        owed = {decision.id for decision in self.owed(seat) if decision.kind == "sealed"}
        choices = len(owed.union(list_in_custody(self.game, Seat(seat))))
        fields: dict[str, Any] = {"decision": self._decision(seat, "sealed"), "nonce": self.nonce(seat, choices - 1)}
        fields |= {**self.player(seat), **changes}
        fields.pop("entrusted_link", None)
        raw = encode(parse_action(as_sent(action)))
        opening = Opening(seat=Seat(seat), action=raw, salt=salt, link=fields.pop("nonce"))
        sealed = seal_opening(self.id, fields.pop("decision"), opening)
        return self.put(GameCommand(event=sealed, entrusted=opening, **fields))

    def seal(self, seat: int, action: Any, *, salt: str = SALT, **changes: Any) -> Decided[Game]:
        """Seal an action in the seat's own custody."""
        decision = changes.pop("decision", None) or self._decision(seat, "sealed")
        seal = seal_action(game=self.id, seat=Seat(seat), decision=decision, salt=salt, action=encode(action))
        event = ActionSealed(seat=Seat(seat), decision=decision, seal=seal)
        return self.put(GameCommand(event=event, **{**self.player(seat), **changes}))

    def reveal(self, seat: int, action: Any, *, salt: str = SALT, **changes: Any) -> Decided[Game]:
        decision = changes.pop("decision", None) or self._decision(seat, "opening")
        return self._answer(ActionRevealed, seat, {"decision": decision, "action": action, "salt": salt, **changes})

    def play(self, seat: int, decision: str, action: Any, **changes: Any) -> Decided[Game]:
        return self._answer(ActionPlayed, seat, {"decision": DecisionId(decision), "action": action, **changes})

    def _answer(self, kind: type[Any], seat: int, changes: dict[str, Any]) -> Decided[Game]:
        fields = {"nonce": self.nonce(seat), "entrusted_link": self.further_link(seat), **self.player(seat), **changes}
        fields |= {"seat": Seat(seat), "action": parse_action(as_sent(fields["action"]))}
        link = fields.pop("entrusted_link")
        entrusted = None if link is None else FurtherLink(seat=Seat(seat), link=link)
        return self.put(build_command(kind, fields, entrusted))

    def expire(self, seat: int, decision: str) -> Decided[Game]:
        return self.put(
            GameCommand(event=ClockExpired(seat=Seat(seat), decision=DecisionId(decision)), **self.meta(CLOCK))
        )

    def resign(self, seat: int) -> Decided[Game]:
        return self.put(GameCommand(event=SeatResigned(seat=Seat(seat)), **self.player(seat)))

    def reclaim(self, seat: int, **changes: Any) -> Decided[Game]:
        return self.put(GameCommand(event=SeatReclaimed(seat=Seat(seat)), **{**self.player(seat), **changes}))

    def consent(self, seat: int, to: Any = "end", **changes: Any) -> Decided[Game]:
        return self.put(GameCommand(event=ConsentGiven(seat=Seat(seat), to=to), **{**self.player(seat), **changes}))

    def withdraw(self, seat: int, to: Any = "end") -> Decided[Game]:
        return self.put(GameCommand(event=ConsentWithdrawn(seat=Seat(seat), to=to), **self.player(seat)))

    def end_pause(self, seat: int | None = None) -> Decided[Game]:
        """End a pause, by a seat or by the clock."""
        meta = self.meta(CLOCK) if seat is None else self.player(seat)
        return self.put(GameCommand(event=PauseEnded(seat=None if seat is None else Seat(seat)), **meta))

    def extend(self, *seats: int, ms: int = 60_000, actor: Actor = ORGANISER) -> Decided[Game]:
        command = GameCommand(
            event=ClockExtended(seats=tuple(Seat(seat) for seat in seats), ms=ms, reason="outage"), **self.meta(actor)
        )
        return self.put(command)

    def remove(self, seat: int, actor: Actor = ORGANISER) -> Decided[Game]:
        return self.put(GameCommand(event=SeatRemoved(seat=Seat(seat), reason="absent"), **self.meta(actor)))

    def abort(self, actor: Actor = OPERATOR) -> Decided[Game]:
        return self.put(GameCommand(event=GameAborted(reason="the hall is on fire"), **self.meta(actor)))

    def answer_by_default(self, decision: Decision) -> Decided[Game]:
        """Do for a seat what its default would be, as a player in the server's custody or a stand-in does it."""
        action, driver = self.default(decision), self.driver(decision.seat)
        if decision.kind == "sealed":
            return self.entrust(decision.seat, action, decision=decision.id, **driver)
        return self.play(decision.seat, decision.id, action, **driver)

    def waiting(self) -> list[Decision]:
        """Return the owed decisions without a choice."""
        return [decision for decision in self.owed() if self.game.choices.get(decision.id) is None]

    def finish(self) -> "Table":
        """Play on by defaults until the game is over."""
        while self.game.status == "running":
            self.answer_by_default(self.waiting()[0])
        return self

    @property
    def game(self) -> Game:
        return self._game

    def take_up(self, game: Game) -> None:
        """Go on from another game than was decided: one folded from this log, or one that is brought to a limit."""
        self._game = game

    def _keep(self, decided: Decided[Game]) -> None:
        self._game = decided.state
        self.games[decided.state.version] = decided.state
        self.entries += decided.entries
        self.held += decided.held

    def _decision(self, seat: int, kind: str) -> DecisionId:
        """Return a decision of this kind that the seat owes, if possible one not yet chosen."""
        owed = [decision.id for decision in self.owed(seat) if decision.kind == kind]
        owed.append(DecisionId("nothing/owed"))
        return next((decision for decision in owed[:-1] if self.game.choices.get(decision) is None), owed[0])


def with_clock(per_decision_s: int = 60, bank_s: int = 120, increment_s: int = 0) -> ClockTerms:
    increment_ms = increment_s * 1000 or UNSET
    return ClockTerms(per_decision_ms=per_decision_s * 1000, bank_ms=bank_s * 1000, increment_ms=increment_ms)


def as_sent(action: Any) -> bytes:
    """Return the bytes of an action, which may be bytes already."""
    return action if isinstance(action, bytes) else encode(action)


def types_of(decided: Decided[Game]) -> list[str]:
    return [entry.line.type for entry in decided.entries]
