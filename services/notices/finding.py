"""Notices that follow from lines of the log: which account is concerned, by which fact.

The id of a notice follows from the fact, so that lines read again give the same notices.
"""

from collections import defaultdict
from collections.abc import Awaitable, Callable, Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from uuid import UUID, uuid5

import msgspec
import structlog
from msgspec import Struct, UnsetType

from domain.accounts.notice import AtLine, Fact, Notice, NoticeKind, OfferMade, OfRound, format_fact
from domain.game import events as game_events
from domain.game.events import PlayerOffer, SeatHanded, SeatOffered
from domain.game.evolve import settle
from domain.game.offers import list_first_offers
from domain.game.stand_in import list_waiting
from domain.game.state import Game, Held
from domain.ids import LogPosition, PlayerId, StreamId, StreamVersion
from domain.log.record import Line, parse_at, parse_line
from domain.tournament import events as tournament_events
from domain.tournament.events import RoundCalled, TableDrawn
from domain.tournament.ruling_events import RULING_TYPES
from domain.tournament.state import Tournament
from domain.tournament.word_events import Announced, CallAnswered
from infra.event_store import StoredEvent
from infra.recent import Recent
from infra.store_faults import StoreUnavailable
from services.notices.composing import find_turn, list_answering, list_concerned
from services.reading.histories import GameHistories
from services.reading.tournaments.histories import TournamentHistories

log = structlog.get_logger()

# Of ids of notices; drawn once.
NAMESPACE = UUID("6f1f3c5e-3c0b-4a53-9a0e-6c1b8f7d2a49")
OVER = ("game_finished", "game_aborted", "game_cancelled", "game_stopped")
# Every decision follows from an input; the line of another kind of stream has none of these types.
OF_GAMES = (game_events.INPUT_TYPES.keys() - tournament_events.INPUT_TYPES.keys()) | set(OVER)
OF_TOURNAMENTS = {
    *("round_called", "table_drawn", "no_show_told", "announced", "organiser_called", "call_answered"),
    *RULING_TYPES,
}
# After these lines, other players are concerned than before.
CHANGING = {"game_opened", "seat_offered", "seat_taken", "entrant_entered", "entry_taken", "helper_joined"}
# Streams whose people are remembered; some hundred bytes each.
STREAMS_MAX = 20_000
# Returns those of the accounts that have a way.
FindReached = Callable[[Collection[PlayerId]], Awaitable[set[PlayerId]]]


class Placed(Struct, frozen=True, kw_only=True):
    """A line with its place in the log."""

    position: LogPosition
    line: Line


def cut_whole(events: Sequence[StoredEvent], *, limit: int) -> Sequence[StoredEvent]:
    """Return the events up to the end of a command. Fewer than the limit end with one, as commands are stored whole."""
    if len(events) < limit:
        return events
    # The server's own inputs, which follow in the middle of a command, have no id.
    begun = (place for place, event in enumerate(events) if parse_line(event.body).command is not None)
    return events[: max(begun, default=0)]


@contextmanager
def passing_over(stream: StreamId) -> Iterator[None]:
    """Let a bug that shows in one stream stop the notices of no other."""
    try:
        yield
    except StoreUnavailable:
        raise
    except Exception:
        log.exception("notices_passed_over", stream=stream)


class NoticeFinder:
    """Compares a stream before and after its lines, where one of its people has a way.

    A decision answered by then makes none.
    """

    def __init__(self, games: GameHistories, tournaments: TournamentHistories) -> None:
        self._games = games
        self._tournaments = tournaments
        self._people: Recent[StreamId, frozenset[PlayerId]] = Recent(STREAMS_MAX)

    async def find(self, events: Sequence[StoredEvent], find_reached: FindReached) -> list[Notice]:
        """Return the notices of whole commands, whose lines are all there; none of a stream that cannot be read."""
        streams: defaultdict[StreamId, list[Placed]] = defaultdict(list)
        for event in events:
            streams[event.stream].append(Placed(position=event.position, line=parse_line(event.body)))
        people: dict[StreamId, frozenset[PlayerId]] = {}
        for stream, placed in streams.items():
            with passing_over(stream):
                people[stream] = await self._list_people(stream, placed)
        reached = await find_reached(frozenset().union(*people.values()))
        found: list[Notice] = []
        for stream in (person for person in people if not reached.isdisjoint(people[person])):
            with passing_over(stream):
                found += await self._find_in(stream, streams[stream])
        return [finding for finding in found if finding.account in reached]

    async def _find_in(self, stream: StreamId, placed: Sequence[Placed]) -> list[Notice]:
        if is_tournament(placed):
            return list(find_in_tournament(await self._tournaments.read_newest(stream), placed))
        first, last = placed[0].line.version, placed[-1].line.version
        moments = await self._games.read_range(stream, StreamVersion(max(1, first - 1)), last)
        return list(find_in_game(settle(moments[0].state), settle(moments[-1].state), placed))

    async def _list_people(self, stream: StreamId, placed: Sequence[Placed]) -> frozenset[PlayerId]:
        """Return the players whom a stream concerns; none for lines of which no notice follows."""
        types = {added.line.type for added in placed}
        if not types.isdisjoint(CHANGING):
            self._people.forget(stream)
        if types.isdisjoint(OF_GAMES) and types.isdisjoint(OF_TOURNAMENTS):
            return frozenset()
        known = self._people.find(stream)
        if known is None:
            if is_tournament(placed):
                tournament = await self._tournaments.read_newest(stream)
                known = frozenset({*(entry.player for entry in tournament.entries), *list_answering(tournament)})
            else:
                game = await self._games.read_newest(stream)
                seated = {seat.player for seat in game.seats if isinstance(seat, Held)}
                known = frozenset(seated | {to.player for to in game.offers if isinstance(to, PlayerOffer)})
            self._people.keep(stream, known)
        return known


def is_tournament(placed: Sequence[Placed]) -> bool:
    return any(added.line.type in OF_TOURNAMENTS for added in placed)


def find_in_game(before: Game, game: Game, placed: Sequence[Placed]) -> Iterator[Notice]:
    players = {place: seat.player for place, seat in enumerate(game.seats) if isinstance(seat, Held)}
    for added in placed:
        match added.line.type:
            case "game_opened":
                # Those at a table of a tournament get the notice of their table.
                offers = list_first_offers(game.opened) if isinstance(game.opened.table, UnsetType) else ()
                offered = (to.player for to in offers if isinstance(to, PlayerOffer))
                yield from _build(added, "seat_offered", offered, fact=OfferMade())
            case "seat_offered":
                to = msgspec.convert(added.line.data, SeatOffered).to
                yield from _build(
                    added, "seat_offered", [to.player] if isinstance(to, PlayerOffer) else [], OfferMade()
                )
            case "seat_handed":
                yield from _build(added, "seat_handed", [players[msgspec.convert(added.line.data, SeatHanded).seat]])
            case "game_started":
                yield from _build(added, "game_started", players.values())
            case type_ if type_ in OVER:
                yield from _build(added, "game_over", players.values())
            case _:
                pass
    waited = list_waiting(before)
    for owed in list_waiting(game):
        if owed not in waited:
            yield from _build(placed[-1], "your_turn", [players[owed.decision.seat]], fact=find_turn(owed))


def find_in_tournament(tournament: Tournament, placed: Sequence[Placed]) -> Iterator[Notice]:
    rulings = {ruled.line: list_concerned(tournament, ruled) for ruled in tournament.rulings}
    for added in placed:
        if added.line.type == "round_called":
            round_ = msgspec.convert(added.line.data, RoundCalled).round
            present = (entry.player for entry in tournament.entries if entry.left is None)
            yield from _build(added, "round_called", present, fact=OfRound(number=round_))
        elif added.line.type == "table_drawn":
            drawn = msgspec.convert(added.line.data, TableDrawn)
            seated = (tournament.entries[seat.entrant].player for seat in drawn.seats)
            yield from _build(added, "table_drawn", seated, fact=OfRound(number=drawn.round))
        elif added.line.type == "announced":
            said = msgspec.convert(added.line.data, Announced)
            yield from _build(added, "announced", _list_hearers(tournament, said))
        elif added.line.type == "organiser_called":
            yield from _build(added, "organiser_called", list_answering(tournament))
        elif added.line.type == "call_answered":
            of = msgspec.convert(added.line.data, CallAnswered).line
            called = next(call for call in tournament.calls if call.line == of)
            caller = tournament.entries[called.entrant].player
            yield from _build(added, "announced", [caller], fact=AtLine(version=of))
        elif added.line.version in rulings:
            concerned = rulings[added.line.version]
            yield from _build(added, "ruling", (tournament.entries[entrant].player for entrant in concerned))


def _list_hearers(tournament: Tournament, said: Announced) -> Iterator[PlayerId]:
    """List the players of those whom an announcement names, or of all who have not left."""
    for number, entry in enumerate(tournament.entries):
        if number in said.entrants or (not said.entrants and entry.left is None):
            yield entry.player


def _build(placed: Placed, kind: NoticeKind, players: Iterable[PlayerId], fact: Fact | None = None) -> Iterator[Notice]:
    line = placed.line
    fact = fact or AtLine(version=line.version)
    for player in set(players):
        yield Notice(
            id=str(uuid5(NAMESPACE, f"{line.stream} {player} {kind} {format_fact(fact)}")),
            account=player,
            kind=kind,
            stream=line.stream,
            fact=fact,
            version=line.version,
            position=placed.position,
            at_ms=parse_at(line.at),
        )
