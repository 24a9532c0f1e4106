"""A club that plays tournaments in tests: opens one of Torches, enters players, answers for all, keeps each line.

Its games are not played: a test sets the result of a table.
"""

from functools import cache
from hashlib import sha256
from random import Random
from typing import Any

import msgspec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from domain.chance import Secret
from domain.ids import CommandId, LineHash, OrganiserId, PlayerId, Seat, StreamId, StreamVersion, TournamentId
from domain.links import build_links
from domain.log.actors import Actor, ByClock, ByOperator, ByOrganiser, ByPlayer, ByServer
from domain.log.enact import Decided
from domain.log.entry import Entry
from domain.ruleset.catalogue import Catalogue, hash_components
from domain.ruleset.decision import Placing
from domain.signature import signed_input
from domain.tournament.commands import OpenTournament, TournamentCommand
from domain.tournament.decide import decide
from domain.tournament.events import (
    CheckInClosed,
    EntrantCheckedIn,
    EntrantEntered,
    EntrantWithdrawn,
    EntriesClosed,
    NoShowTold,
    ResultTaken,
    RoundCalled,
    StandingsTold,
    TournamentAborted,
    TournamentClosed,
)
from domain.tournament.formats import ScoreRounds
from domain.tournament.opening import decide_opening
from domain.tournament.ruling_events import EntrantRemoved, GameVoided, PointsRuled, ResultReplaced, TableReplayed
from domain.tournament.scoring import default_points
from domain.tournament.sizes import TableSizes
from domain.tournament.standings import Standing
from domain.tournament.state import Awaited, Round, Table, Tournament
from tests.domain.ledger.signing import ORIGIN
from tests.domain.rulesets.fake_ruleset_torches import Torches

NOON = 1_795_003_200_000
HOUR = 3_600_000
CUP = TournamentId(StreamId("0199c0de-0000-7000-8000-00000000c0b0"))
SECRET = Secret(bytes(range(32)))
ORGA = OrganiserId("0199c0de-0000-7000-8000-0000000000f0")
LEAF_KEY = "55" * 32
RULES = Torches()
CATALOGUE = Catalogue([RULES])
ORGANISER, OPERATOR, CLOCK, SERVER = ByOrganiser(organiser=ORGA), ByOperator(), ByClock(), ByServer()
PAIRS = TableSizes(min=2, max=2, preferred=2)
THREES = TableSizes(min=2, max=4, preferred=3)


def player(number: int) -> PlayerId:
    return PlayerId(f"0199c0de-0000-7000-8000-00000000{number:04x}")


@cache
def own_links(entrant: int, count: int = 64) -> tuple[str, ...]:
    """Return the links that an entrant brings in these tests: the anchor, then the nonces in their order."""
    return build_links(sha256(b"links of entrant %d" % entrant).digest(), count)


def opening(**terms: Any) -> OpenTournament:
    """Return the command that opens CUP; `terms` replace single fields."""
    sizes = terms.get("tables", THREES)
    command = OpenTournament(
        id=CommandId(CUP),
        stream=CUP,
        at_ms=NOON,
        actor=ORGANISER,
        name="Cup of the Spina",
        ruleset="torches",
        ruleset_version=1,
        components=hash_components(RULES),
        options={},
        clock=None,
        delay_s=0,
        demands=(),
        organisers={ORGA: None},
        ledger=ORIGIN,
        format=ScoreRounds(rounds=3),
        tables=sizes,
        points={str(size): default_points(size) for size in range(sizes.min, sizes.max + 1)},
        bye_points=30,
        tie_breaks=("wins", "opponents", "lot"),
        entries_max=256,
        check_in_ms=HOUR,
        sit_down_ms=HOUR,
        secret=SECRET,
        leaf_key=LEAF_KEY,
    )
    return msgspec.structs.replace(command, **terms)


def ranking(*places: int) -> tuple[Placing, ...]:
    """Return a ranking by the places of seats 0, 1, 2 …"""
    return tuple(Placing(place=place, seat=Seat(seat)) for seat, place in enumerate(places))


class Club:
    """One tournament and its log. Every method decides one command; `now` is the time of receipt."""

    def __init__(self, **terms: Any) -> None:
        self.entries: list[Entry] = []
        self.now = NOON
        self.keys: dict[Actor, Ed25519PrivateKey] = {}
        # Whose device speaks for an entrant, where another than its own does.
        self.takers: dict[int, int] = {}
        self._commands = 0
        self._keep(decide_opening(opening(**terms), CATALOGUE))

    @property
    def raws(self) -> list[bytes]:
        return [entry.raw for entry in self.entries]

    @property
    def round(self) -> Round:
        return self.tournament.rounds[-1]

    def table(self, number: int, round_: int = 0) -> Table:
        return self.tournament.rounds[round_ - 1].tables[number - 1]

    def types(self, since: int = 0) -> list[str]:
        return [entry.line.type for entry in self.entries[since:]]

    def told(self) -> tuple[Standing, ...]:
        """Return the newest standings, whole."""
        told = [entry.event for entry in self.entries if isinstance(entry.event, StandingsTold)]
        last = [sentence for sentence in told if sentence.round == told[-1].round]
        count = len(self.tournament.entries)
        return tuple(standing for part in last for standing in part.standings)[-count:]

    def do(self, kind: type[Any], actor: Actor, **fields: Any) -> Decided[Tournament]:
        """Decide a command by an actor, signed where a key is known."""
        self._commands += 1
        if kind is EntrantEntered and isinstance(actor, ByPlayer):
            fields = {"player": actor.player, **fields}
        command = TournamentCommand(
            id=fields.pop("id", CommandId(f"0199c0de-0000-7000-9000-{self._commands:012x}")),
            stream=CUP,
            at_ms=self.now,
            actor=actor,
            sig=fields.pop("sig", None),
            invitation=fields.pop("invitation", None),
            code=fields.pop("shown_code", None),
            team_code=fields.pop("shown_team_code", None),
            seen=fields.pop("seen", None),
            event=kind(**fields),
        )
        key = self.keys.get(actor)
        if key is not None and command.sig is None:
            command = msgspec.structs.replace(command, base=command.base or self.tournament.head)
            command = msgspec.structs.replace(command, sig=self._sign(command, key))
        return self._keep(decide(self.tournament, command))

    def enter(self, count: int = 1, **fields: Any) -> Decided[Tournament]:
        for _ in range(count):
            entrant = len(self.tournament.entries)
            brought: dict[str, Any] = {"entrant": entrant, "anchor": own_links(entrant)[0], "links": 64, "key": None}
            decided = self.do(EntrantEntered, ByPlayer(player=player(entrant)), **(brought | fields))
        return decided

    def withdraw(self, entrant: int) -> Decided[Tournament]:
        return self.do(EntrantWithdrawn, self._actor(entrant), entrant=entrant)

    def close_entries(self) -> Decided[Tournament]:
        return self.do(EntriesClosed, ORGANISER)

    def call(self, round_: int = 0) -> Decided[Tournament]:
        return self.do(RoundCalled, ORGANISER, round=round_ or len(self.tournament.rounds) + 1)

    def check_in(self, *entrants: int) -> list[str]:
        """Check some in, and return the types of the lines that this has given."""
        before = len(self.entries)
        for entrant in entrants:
            self.do(
                EntrantCheckedIn,
                self._actor(entrant),
                entrant=entrant,
                round=self.round.number,
                nonce=self.next_link(entrant),
            )
        return self.types(before)

    def next_link(self, entrant: int) -> str | None:
        links = self.tournament.entries[entrant].links if entrant < len(self.tournament.entries) else None
        return None if links is None or not links.left else own_links(self._taker(entrant))[64 - links.left + 1]

    def _taker(self, entrant: int) -> int:
        return self.takers.get(entrant, entrant)

    def _actor(self, entrant: int) -> ByPlayer:
        return ByPlayer(player=player(self._taker(entrant)))

    def close_check_in(self) -> Decided[Tournament]:
        return self.do(CheckInClosed, CLOCK, round=self.round.number)

    def draw(self, *, without: tuple[int, ...] = ()) -> None:
        """Call the next round, and check in every expected entrant but these."""
        self.call()
        self.check_in(*(entrant for entrant in self.round.expected if entrant not in without))
        if without:
            self.now += HOUR + 1
            self.close_check_in()

    def take(self, number: int, *places: int, **fields: Any) -> Decided[Tournament]:
        """Take the result of a table of the last round; without places its game was aborted."""
        table = self.table(number)
        about: dict[str, Any] = {
            "round": self.round.number,
            "table": number,
            "attempt": table.attempt,
            "version": StreamVersion(40),
            "hash": LineHash(sha256(table.game.encode()).hexdigest()),
            "ranking": ranking(*places) if places else None,
        }
        return self.do(ResultTaken, SERVER, **(about | fields))

    def play(self, seed: int) -> None:
        """Take the results of all tables of the last round, in some order."""
        chooser = Random(seed)  # noqa: S311  a test that can be repeated
        waiting = [table for table in self.round.tables if isinstance(table.status, Awaited)]
        chooser.shuffle(waiting)
        for table in waiting:
            places = list(range(1, len(table.seats) + 1))
            chooser.shuffle(places)
            self.take(table.number, *places)

    def tell_no_show(self, number: int, *entrants: int, **fields: Any) -> Decided[Tournament]:
        about: dict[str, Any] = {"round": self.round.number, "table": number, "attempt": self.table(number).attempt}
        actor = fields.pop("actor", SERVER)
        return self.do(NoShowTold, actor, entrants=entrants, **({"reason": None} | about | fields))

    def replace(self, number: int, *places: int, round_: int = 0, **fields: Any) -> Decided[Tournament]:
        about = self._about(number, round_) | {"ranking": ranking(*places)}
        return self.do(ResultReplaced, ORGANISER, **(about | fields))

    def void(self, number: int, round_: int = 0, **fields: Any) -> Decided[Tournament]:
        return self.do(GameVoided, ORGANISER, **(self._about(number, round_) | fields))

    def replay(self, number: int, round_: int = 0, **fields: Any) -> Decided[Tournament]:
        return self.do(TableReplayed, ORGANISER, **(self._about(number, round_) | fields))

    def rule(self, entrant: int, points: int, round_: int = 1) -> Decided[Tournament]:
        return self.do(PointsRuled, ORGANISER, entrant=entrant, points=points, round=round_, reason="late")

    def remove(self, entrant: int) -> Decided[Tournament]:
        return self.do(EntrantRemoved, ORGANISER, entrant=entrant, reason="two accounts")

    def close(self, reason: str | None = None) -> Decided[Tournament]:
        return self.do(TournamentClosed, ORGANISER, reason=reason)

    def abort(self) -> Decided[Tournament]:
        return self.do(TournamentAborted, OPERATOR, reason="the hall burns")

    def _about(self, number: int, round_: int) -> dict[str, Any]:
        numbered = round_ or self.round.number
        attempt = self.tournament.rounds[numbered - 1].tables[number - 1].attempt
        return {"round": numbered, "table": number, "attempt": attempt, "reason": "as seen by all"}

    def _sign(self, command: TournamentCommand, key: Ed25519PrivateKey) -> str:
        message = signed_input(
            base=LineHash(command.base or self.tournament.head),
            command=command.id,
            data=msgspec.json.decode(msgspec.json.encode(command.event)),
            stream=CUP,
            type_=command.type,
        )
        return key.sign(message).hex()

    def _keep(self, decided: Decided[Tournament]) -> Decided[Tournament]:
        self.tournament: Tournament = decided.state
        self.entries += decided.entries
        return decided
