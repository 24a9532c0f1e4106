"""A table to play at in tests: opens a game of Torches, seats players, answers for them, keeps every line."""

from hashlib import sha256
from typing import Any

import msgspec

from domain.canonical import encode
from domain.chance import Secret
from domain.game.commands import (
    ByClock,
    ByOperator,
    ByOrganiser,
    ByPlayer,
    EntrustAction,
    ExpireClock,
    GameCommand,
    OpenGame,
    PlayAction,
    ReadySeat,
    Resign,
    RevealAction,
    SealAction,
    TakeSeat,
)
from domain.game.decide import decide
from domain.game.enact import Decided, HeldAction
from domain.game.entry import Entry
from domain.game.events import ClockTerms
from domain.game.opening import decide_opening
from domain.game.state import Game
from domain.ids import CommandId, DecisionId, GameId, OrganiserId, PlayerId, Seat
from domain.links import build_links
from domain.rulesets.catalogue import Catalogue, hash_components
from domain.rulesets.decision import Decision
from domain.seal import seal_action
from tests.domain.rulesets.torches import Torches

NOON = 1_795_003_200_000
GAME = GameId("0199c0de-0000-7000-8000-000000000001")
SECRET = Secret(bytes(range(32)))
ADA, BOB, CEM, DEE = (PlayerId(f"0199c0de-0000-7000-8000-0000000000{place}a") for place in range(1, 5))
PLAYERS = (ADA, BOB, CEM, DEE)
ORGA = OrganiserId("0199c0de-0000-7000-8000-0000000000f0")
SALT = "33" * 32
RULES = Torches()
CATALOGUE = Catalogue([RULES])
ORGANISER = ByOrganiser(organiser=ORGA)
OPERATOR, CLOCK = ByOperator(), ByClock()


def opening(**terms: Any) -> OpenGame:
    """Return the command that opens GAME; `terms` replace single fields."""
    command = OpenGame(
        id=CommandId(GAME),
        game=GAME,
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
        secret=SECRET,
        leaf_key="55" * 32,
    )
    return msgspec.structs.replace(command, **terms)


def own_links(seat: int, count: int = 1024) -> tuple[str, ...]:
    """Return the links that a seat brings in these tests: the anchor, then the nonces in their order."""
    return build_links(sha256(b"links of seat %d" % seat).digest(), count)


class Table:
    """One game and its log. Every method decides one command; `now` is the time of receipt."""

    def __init__(self, *, catalogue: Catalogue = CATALOGUE, **terms: Any) -> None:
        self.now = NOON
        self.catalogue = catalogue
        self.entries: list[Entry] = []
        self.held: list[HeldAction] = []
        self.uses_links = True
        self._commands = 0
        self._keep(decide_opening(opening(**terms), catalogue))

    @property
    def raws(self) -> list[bytes]:
        return [entry.raw for entry in self.entries]

    @property
    def types(self) -> list[str]:
        return [entry.line.type for entry in self.entries]

    def put(self, command: GameCommand) -> Decided:
        decided = decide(self.game, command)
        self._keep(decided)
        return decided

    def meta(self, actor: Any) -> dict[str, Any]:
        """Return what every command carries, with a fresh id."""
        self._commands += 1
        command = CommandId(f"0199c0de-0000-7000-9000-{self._commands:012d}")
        return {"id": command, "game": GAME, "at_ms": self.now, "actor": actor}

    def player(self, seat: int) -> dict[str, Any]:
        return self.meta(ByPlayer(player=PLAYERS[seat]))

    def take(self, seat: int, **changes: Any) -> Decided:
        links = own_links(seat) if self.uses_links else ()
        fields: dict[str, Any] = {"anchor": links[0] if links else None, "links": max(0, len(links) - 1), "key": None}
        return self.put(TakeSeat(seat=Seat(seat), **self.player(seat), **{**fields, **changes}))

    def ready(self, seat: int) -> Decided:
        return self.put(ReadySeat(seat=Seat(seat), nonce=self.nonce(seat), **self.player(seat)))

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
        own = own_links(seat)
        return own[own.index(links.last) + 1 + ahead]

    def owed(self, seat: int | None = None) -> list[Decision]:
        return [each.decision for each in self.game.owed if seat is None or each.decision.seat == seat]

    def default(self, decision: Decision) -> Any:
        return self.game.ruleset.default_action(self.game.board, decision)

    def entrust(self, seat: int, action: Any, *, salt: str = SALT) -> Decided:
        """Seal an action in the server's custody."""
        decision = self._sealed(seat)
        return self.put(
            EntrustAction(
                seat=Seat(seat),
                decision=decision,
                action=encode(action),
                salt=salt,
                nonce=self.nonce(seat),
                **self.player(seat),
            )
        )

    def seal(self, seat: int, action: Any, *, salt: str = SALT) -> Decided:
        """Seal an action in the seat's own custody."""
        decision = self._sealed(seat)
        seal = seal_action(game=GAME, seat=Seat(seat), decision=decision, salt=salt, action=encode(action))
        return self.put(SealAction(seat=Seat(seat), decision=decision, seal=seal, **self.player(seat)))

    def reveal(self, seat: int, action: Any, *, salt: str = SALT, **changes: Any) -> Decided:
        fields = {"nonce": self.nonce(seat), **self.player(seat), **changes}
        decision = DecisionId(self._decision(seat, "opening"))
        command = RevealAction(seat=Seat(seat), decision=decision, action=encode(action), salt=salt, **fields)
        return self.put(command)

    def play(self, seat: int, decision: str, action: Any) -> Decided:
        command = PlayAction(
            seat=Seat(seat),
            decision=DecisionId(decision),
            action=encode(action),
            nonce=self.nonce(seat),
            **self.player(seat),
        )
        return self.put(command)

    def expire(self, seat: int, decision: str) -> Decided:
        return self.put(ExpireClock(seat=Seat(seat), decision=DecisionId(decision), **self.meta(CLOCK)))

    def resign(self, seat: int) -> Decided:
        return self.put(Resign(seat=Seat(seat), **self.player(seat)))

    def answer_by_default(self, decision: Decision) -> Decided:
        """Do for a seat what its default would be, as a player in the server's custody does it."""
        action = self.default(decision)
        if decision.kind == "sealed":
            return self.entrust(decision.seat, action)
        return self.play(decision.seat, decision.id, action)

    def finish(self) -> "Table":
        """Play on by defaults until the game is over."""
        while self.game.status == "running":
            waiting = [each for each in self.owed() if self.game.choices.get(each.id) is None]
            self.answer_by_default(waiting[0])
        return self

    @property
    def game(self) -> Game:
        return self._game

    def _keep(self, decided: Decided) -> None:
        self._game = decided.game
        self.entries += decided.entries
        self.held += decided.held

    def _sealed(self, seat: int) -> DecisionId:
        return DecisionId(self._decision(seat, "sealed"))

    def _decision(self, seat: int, kind: str) -> str:
        return next(each.id for each in self.owed(seat) if each.kind == kind)


def with_clock(per_decision_s: int = 60, bank_s: int = 120) -> ClockTerms:
    return ClockTerms(per_decision_ms=per_decision_s * 1000, bank_ms=bank_s * 1000)
