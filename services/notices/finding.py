"""Notices that follow from lines of the log: which account is concerned, by which fact.

The id of a notice follows from the fact, so that lines that are read again give the same notices.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from uuid import UUID, uuid5

import msgspec
from msgspec import Struct, UnsetType

from domain.game import events as game_events
from domain.game.clock import waits_for_seat
from domain.game.events import PlayerOffer, SeatOffered
from domain.game.evolve import settle
from domain.game.offers import list_first_offers
from domain.game.state import Game, Held
from domain.ids import LogPosition, PlayerId, StreamId, StreamVersion
from domain.log.record import Line, parse_at, parse_line
from domain.tournament import events as tournament_events
from domain.tournament.evolve import find_table
from domain.tournament.state import Tournament
from infra.event_store import StoredEvent
from infra.postgres.notices import Notice, NoticeKind
from services.reading.histories import GameHistories
from services.reading.tournaments.histories import TournamentHistories

# Of ids of notices; drawn once.
NAMESPACE = UUID("6f1f3c5e-3c0b-4a53-9a0e-6c1b8f7d2a49")
OVER = ("game_finished", "game_aborted", "game_cancelled")
# Every decision follows from an input; the line of another kind of stream has none of these types.
OF_GAMES = (game_events.INPUT_TYPES.keys() - tournament_events.INPUT_TYPES.keys()) | set(OVER)
OF_TOURNAMENTS = {
    each: tournament_events.INPUT_TYPES.get(each) or tournament_events.OUTCOME_TYPES[each]
    for each in (
        *("round_called", "table_drawn", "no_show_told", "result_replaced"),
        *("points_ruled", "game_voided", "table_replayed", "entrant_removed"),
    )
}


class Placed(Struct, frozen=True, kw_only=True):
    """A line with its place in the log."""

    position: LogPosition
    line: Line


def cut_whole(events: Sequence[StoredEvent], *, limit: int) -> Sequence[StoredEvent]:
    """Return the events up to the end of a command. Fewer than the limit end with one, as commands are stored whole."""
    if len(events) < limit:
        return events
    inputs = (place for place, event in enumerate(events) if parse_line(event.body).kind == "input")
    return events[: max(inputs, default=0)]


class NoticeFinder:
    """Compares each stream that moved before and after its lines. A decision that was answered by then is not told."""

    def __init__(self, games: GameHistories, tournaments: TournamentHistories) -> None:
        self._games = games
        self._tournaments = tournaments

    async def find(self, events: Sequence[StoredEvent]) -> list[Notice]:
        """Return the notices of whole commands, whose lines are all there."""
        streams: defaultdict[StreamId, list[Placed]] = defaultdict(list)
        for event in events:
            streams[event.stream].append(Placed(position=event.position, line=parse_line(event.body)))
        found: list[Notice] = []
        for stream, placed in streams.items():
            types = {each.line.type for each in placed}
            if not types.isdisjoint(OF_TOURNAMENTS):
                found += find_in_tournament(await self._tournaments.read_newest(stream), placed)
            elif not types.isdisjoint(OF_GAMES):
                first, last = placed[0].line.version, placed[-1].line.version
                moments = await self._games.read_range(stream, StreamVersion(max(1, first - 1)), last)
                found += find_in_game(settle(moments[0].state), settle(moments[-1].state), placed)
        return found


def find_in_game(before: Game, game: Game, placed: Sequence[Placed]) -> Iterator[Notice]:
    players = {place: each.player for place, each in enumerate(game.seats) if isinstance(each, Held)}
    for each in placed:
        match each.line.type:
            case "game_opened":
                # Those at a table of a tournament are told of their table.
                offers = list_first_offers(game.opened) if isinstance(game.opened.table, UnsetType) else ()
                yield from _build(each, "seat_offered", (to.player for to in offers if isinstance(to, PlayerOffer)))
            case "seat_offered":
                to = msgspec.convert(each.line.data, SeatOffered).to
                yield from _build(each, "seat_offered", [to.player] if isinstance(to, PlayerOffer) else [])
            case "game_started":
                yield from _build(each, "game_started", players.values())
            case type_ if type_ in OVER:
                yield from _build(each, "game_over", players.values())
            case _:
                pass
    for owed in game.owed:
        if owed not in before.owed and waits_for_seat(game, owed):
            player, decision = players[owed.decision.seat], owed.decision.id
            yield from _build(placed[-1], "your_turn", [player], fact=f"decision {decision} since {owed.since_ms}")


def find_in_tournament(tournament: Tournament, placed: Sequence[Placed]) -> Iterator[Notice]:
    for each in placed:
        type_ = OF_TOURNAMENTS.get(each.line.type)
        if type_ is None:
            continue
        match event := msgspec.convert(each.line.data, type_):
            case tournament_events.RoundCalled():
                players = [entry.player for entry in tournament.entries if entry.left is None]
                yield from _build(each, "round_called", players)
            case tournament_events.TableDrawn():
                entrants: Iterable[int] = [seat.entrant for seat in event.seats]
                yield from _build(each, "table_drawn", _name(tournament, entrants))
            case _ if tournament_events.find_ruling(event) is not None:
                yield from _build(each, "ruling", _name(tournament, _list_concerned(tournament, event)))
            case _:
                pass


def _list_concerned(tournament: Tournament, ruling: Struct) -> Iterable[int]:
    match ruling:
        case tournament_events.PointsRuled() | tournament_events.EntrantRemoved():
            return (ruling.entrant,)
        case tournament_events.NoShowTold():
            return ruling.entrants
        case tournament_events.ResultReplaced() | tournament_events.GameVoided() | tournament_events.TableReplayed():
            return find_table(tournament, ruling.round, ruling.table).entrants
        case _:
            return ()


def _name(tournament: Tournament, entrants: Iterable[int]) -> list[PlayerId]:
    return [tournament.entries[each].player for each in entrants]


def _build(placed: Placed, kind: NoticeKind, players: Iterable[PlayerId], fact: str | None = None) -> Iterator[Notice]:
    line = placed.line
    fact = fact or f"line {line.version}"
    for player in set(players):
        yield Notice(
            id=str(uuid5(NAMESPACE, f"{line.stream} {player} {kind} {fact}")),
            account=player,
            kind=kind,
            stream=line.stream,
            version=line.version,
            position=placed.position,
            at_ms=parse_at(line.at),
        )
