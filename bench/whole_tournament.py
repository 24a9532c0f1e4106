"""A whole tournament with whole games, without a server: the input of the measurement of tournaments.

All check in and play, by default actions; games are played on every core, as they take most of the time.
"""

import os
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from hashlib import sha256
from itertools import count
from multiprocessing import get_context

from msgspec import Struct

from bench.recorded_games import play_opened
from domain.audit.bundle import Bundle, build_howto, format_bundle
from domain.audit.tournament_bundle import GameMember, TournamentBundle
from domain.audit.tournament_bundle import build_howto as build_tournament_howto
from domain.chance import Secret
from domain.game.commands import OpenGame
from domain.ids import CommandId, OrganiserId, PlayerId, StreamId, TournamentId
from domain.log.actors import Actor, ByOrganiser, ByPlayer
from domain.log.enact import Decided
from domain.ruleset.catalogue import Catalogue, hash_components
from domain.ruleset.ruleset import AnyRuleset
from domain.rulesets.released import Rebuilder
from domain.tournament.commands import OpenTournament, TournamentCommand
from domain.tournament.decide import decide
from domain.tournament.events import EntrantCheckedIn, EntrantEntered, InputEvent, RoundCalled, TournamentClosed
from domain.tournament.formats import ScoreRounds
from domain.tournament.opening import decide_opening
from domain.tournament.scoring import default_points
from domain.tournament.sizes import TableSizes
from domain.tournament.state import Tournament
from services.commands.table_games import LAST_LINES, TableAt, build_opening, build_result

TOURNAMENT = TournamentId(StreamId("0199c0de-0000-7000-8000-00000000c0b0"))
ORGANISER = ByOrganiser(organiser=OrganiserId("0199c0de-0000-7000-8000-0000000000f0"))
START_MS = 1_795_003_200_000
HOUR_MS = 3_600_000
SIZES = TableSizes(min=3, max=4, preferred=4)


class TournamentSize(Struct, frozen=True, kw_only=True):
    """Of four at a table: a quarter as many games each round as there are entrants."""

    entrants: int
    rounds: int
    # Readers of a page of it at once, and reads of each.
    readers: int = 50
    reads: int = 40


class WholeTournament:
    """One tournament, played in memory."""

    def __init__(self, ruleset: AnyRuleset, size: TournamentSize) -> None:
        self._ruleset = ruleset
        self._numbers = count(1)
        decided = decide_opening(_build_opening(ruleset, size), Catalogue([ruleset]))
        self.tournament = decided.state
        self.raws = [entry.raw for entry in decided.entries]
        self.games: list[GameMember] = []

    def play(self, size: TournamentSize) -> None:
        """Play it to its end."""
        for entrant in range(size.entrants):
            player = _player(entrant)
            entered = EntrantEntered(entrant=entrant, player=player.player, anchor=None, links=0, key=None)
            self._do(player, entered)
        # A fresh process inherits nothing of the other measurements.
        with ProcessPoolExecutor(max_workers=os.cpu_count(), mp_context=get_context("spawn")) as pool:
            for number in range(1, size.rounds + 1):
                self._do(ORGANISER, RoundCalled(round=number))
                for entrant in range(size.entrants):
                    self._do(_player(entrant), EntrantCheckedIn(entrant=entrant, round=number, nonce=None))
                self._play_round(number, pool)
        self._do(ORGANISER, TournamentClosed(reason=None))

    def bundle(self) -> TournamentBundle:
        log = b"".join(raw + b"\n" for raw in self.raws)
        games = {member.game: member for member in self.games}
        return TournamentBundle(
            log=log,
            components=self._ruleset.components,
            howto=build_tournament_howto(TOURNAMENT),
            games=tuple(games.values()),
        )

    def _play_round(self, number: int, pool: ProcessPoolExecutor) -> None:
        at = [
            TableAt(tournament=self.tournament, round=number, table=table)
            for table in self.tournament.rounds[-1].tables
        ]
        openings = [build_opening(key, at_ms=self.tournament.at_ms, random_bytes=partial(_draw, key)) for key in at]
        asked = ((self._ruleset.name, self._ruleset.version), self._ruleset.components)
        for table, opening, raws in zip(at, openings, pool.map(partial(_play_game, *asked), openings), strict=True):
            self._keep(decide(self.tournament, build_result(table, raws[-LAST_LINES:], at_ms=self.tournament.at_ms)))
            log = b"".join(raw + b"\n" for raw in raws)
            bundle = Bundle(log=log, components=self._ruleset.components, howto=build_howto(opening.stream))
            self.games.append(GameMember(game=opening.stream, raw=format_bundle(bundle)))

    def _do(self, actor: Actor, event: InputEvent) -> None:
        id_ = CommandId(f"0199c0de-0000-7000-9000-{next(self._numbers):012d}")
        at_ms, stream = self.tournament.at_ms + 1, TOURNAMENT
        command = TournamentCommand(id=id_, stream=stream, at_ms=at_ms, actor=actor, event=event)
        self._keep(decide(self.tournament, command))

    def _keep(self, decided: Decided[Tournament]) -> None:
        self.tournament = decided.state
        self.raws += [entry.raw for entry in decided.entries]


def play_tournament(ruleset: AnyRuleset, size: TournamentSize) -> WholeTournament:
    """Play a tournament with all its games."""
    played = WholeTournament(ruleset, size)
    played.play(size)
    return played


def _play_game(named: tuple[str, int], components: bytes, opening: OpenGame) -> Sequence[bytes]:
    name, version = named
    return play_opened(opening, Rebuilder().rebuild(name=name, version=version, components=components))


def _draw(at: TableAt, size: int) -> bytes:
    """Draw the random values, the same in every run."""
    return sha256(at.table.game.encode()).digest()[:size]


def _player(entrant: int) -> ByPlayer:
    return ByPlayer(player=PlayerId(f"0199c0de-0000-7000-a000-{entrant:012d}"))


def _build_opening(ruleset: AnyRuleset, size: TournamentSize) -> OpenTournament:
    return OpenTournament(
        id=CommandId(TOURNAMENT),
        stream=TOURNAMENT,
        at_ms=START_MS,
        actor=ORGANISER,
        name="Measured",
        ruleset=ruleset.name,
        ruleset_version=ruleset.version,
        components=hash_components(ruleset),
        options={},
        clock=None,
        delay_s=0,
        demands=(),
        organisers={ORGANISER.organiser: None},
        ledger="localhost/spina",
        format=ScoreRounds(rounds=size.rounds),
        tables=SIZES,
        points={str(index): default_points(index) for index in range(SIZES.min, SIZES.max + 1)},
        bye_points=0,
        tie_breaks=("wins", "opponents", "last_round", "lot"),
        entries_max=size.entrants,
        check_in_ms=HOUR_MS,
        sit_down_ms=HOUR_MS,
        secret=Secret(bytes(range(32))),
        leaf_key=bytes(32).hex(),
    )
