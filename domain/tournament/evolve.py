"""Folding: the tournament after one more line of its log. Refuses nothing, as an event is already true."""

import msgspec

from domain.chance import DiceRolled, after_dice, contribute
from domain.game.events import TableSeat
from domain.ids import Seat
from domain.log.entry import Entry
from domain.log.events import OpeningWitnessed, SecretDisclosed
from domain.log.own_links import OwnLinks
from domain.log.record import parse_at
from domain.log.state import bases_after, with_command
from domain.tournament import events
from domain.tournament.contender import Entrant
from domain.tournament.door import PlaceGiven, find_door
from domain.tournament.entering import has_place
from domain.tournament.excuses import excuse_from, leave
from domain.tournament.folding import with_entry, with_round, with_table
from domain.tournament.looks import keep_look
from domain.tournament.role_events import HelperJoined, TableFollowed
from domain.tournament.roles import join
from domain.tournament.ruling_events import ResultReplaced, RulingEvent
from domain.tournament.rulings import RULINGS
from domain.tournament.scores import count_points
from domain.tournament.scoring import Scored
from domain.tournament.state import (
    Awaited,
    Bye,
    Change,
    Counted,
    Entered,
    Halted,
    Left,
    Round,
    Ruled,
    Table,
    Tournament,
    WalkedOver,
    find_round,
    find_table,
)
from domain.tournament.word_events import Announced, CallAnswered, OrganiserCalled
from domain.tournament.words import apply_word

_replace = msgspec.structs.replace


def evolve(tournament: Tournament, entry: Entry) -> Tournament:
    """Return the tournament after a line."""
    if entry.line.kind == "input":
        tournament = _begin_input(settle(tournament), entry)
    tournament = _replace(
        tournament,
        version=entry.line.version,
        head=entry.hash,
        at_ms=parse_at(entry.line.at),
        bases=bases_after(tournament.bases, entry),
    )
    return _apply(tournament, entry)


def settle(tournament: Tournament) -> Tournament:
    """Close the last input: a ruling is logged with its effect."""
    if events.find_ruling(tournament.last) is not None:
        pairs = enumerate(zip(tournament.points_before, count_points(tournament), strict=True))
        changes = tuple(
            Change(entrant=entrant, points_before=before, points_after=after)
            for entrant, (before, after) in pairs
            if before != after
        )
        *earlier, ruled = tournament.rulings
        tournament = _replace(
            tournament,
            rulings=(*earlier, _replace(ruled, changes=changes, scored=_find_scored(tournament))),
            points_before=(),
        )
    return _replace(tournament, last=None)


def _begin_input(tournament: Tournament, entry: Entry) -> Tournament:
    event, line = entry.event, entry.line
    assert isinstance(event, events.InputEvent), f"{line.type} is no input"
    ruling = events.find_ruling(event)
    if ruling is not None:
        ruled = Ruled(
            line=line.version,
            at_ms=parse_at(line.at),
            type=line.type,
            by=line.by,
            event=ruling,
            scored_before=_find_scored(_replace(tournament, last=event)),
        )
        tournament = _replace(tournament, rulings=(*tournament.rulings, ruled), points_before=count_points(tournament))
    commands = tournament.commands
    return _replace(
        tournament, last=event, commands=commands if line.command is None else with_command(commands, line.command)
    )


def _find_scored(tournament: Tournament) -> tuple[Scored, ...]:
    """Return the count of the table whose result the last input replaces."""
    if not isinstance(tournament.last, ResultReplaced):
        return ()
    status = find_table(tournament, tournament.last.round, tournament.last.table).status
    return status.scored if isinstance(status, Counted) else ()


def _apply(tournament: Tournament, entry: Entry) -> Tournament:
    match entry.event:
        case OpeningWitnessed():
            return _replace(tournament, is_witnessed=True)
        case events.EntrantEntered() as entered:
            return _with_entered(tournament, entered)
        case events.EntrantWithdrawn(entrant=entrant):
            return leave(tournament, entrant, "withdrawn")
        case events.EntryTaken() as taken:
            return _with_taken(tournament, taken)
        case events.RoundSkipped(entrant=entrant, round=round_):
            return excuse_from(tournament, entrant, round_=round_, points=0, line=entry.line.version)
        case Announced() | OrganiserCalled() | CallAnswered():
            return apply_word(tournament, entry)
        case PlaceGiven(entrant=entrant):
            return with_entry(tournament, entrant, _replace(tournament.entries[entrant], left=None))
        case HelperJoined() as joined:
            return join(tournament, joined)
        case TableFollowed() as followed:
            return keep_look(tournament, followed, entry)
        case events.EntriesClosed():
            return _replace(tournament, are_entries_closed=True)
        case events.EntrantCheckedIn() as checked_in:
            return _with_check_in(tournament, checked_in)
        case RulingEvent() as ruling:
            return RULINGS[type(ruling)].apply(tournament, ruling, entry.line.version)
        case events.TournamentAborted():
            return _replace(tournament, status="aborted")
        case events.TournamentFinished():
            return _replace(tournament, status="finished")
        case SecretDisclosed():
            return _replace(tournament, is_disclosed=True)
        case _:
            return _apply_to_rounds(tournament, entry)


def _apply_to_rounds(tournament: Tournament, entry: Entry) -> Tournament:
    event = entry.event
    match event:
        case events.RoundCalled(round=number):
            called = Round(number=number, called_ms=tournament.at_ms, points=count_points(tournament))
            return _replace(tournament, status="running", rounds=(*tournament.rounds, called))
        case events.CheckInOpened(entrants=entrants, until=until):
            last = _replace(
                tournament.rounds[-1], expected=entrants, waiting=frozenset(entrants), until_ms=parse_at(until)
            )
        case events.CheckInClosed():
            last = _replace(tournament.rounds[-1], is_check_in_over=True)
        case events.RoundDrawn(entrants=entrants):
            tournament = _replace(tournament, entries=tuple(map(_with_next_links, tournament.entries)))
            last = _replace(tournament.rounds[-1], field=entrants, is_drawn=True)
        case DiceRolled() as rolled:
            tournament = _replace(tournament, chance=after_dice(tournament.chance, rolled))
            last = tournament.rounds[-1]
            last = _replace(last, lots=dict(zip(last.field, rolled.faces, strict=True)))
        case events.ByeGiven() as given:
            bye = Bye(**msgspec.structs.asdict(given), line=entry.line.version)
            last = _replace(tournament.rounds[-1], byes=(*tournament.rounds[-1].byes, bye))
        case events.RoundClosed():
            last = _replace(tournament.rounds[-1], is_closed=True, paused_ms=None)
        case events.TableDrawn() | events.WalkoverGiven() | events.TableScored() | events.ResultTaken():
            return _apply_to_table(tournament, entry)
        case _:
            return tournament
    return _replace(tournament, rounds=(*tournament.rounds[:-1], last))


def _apply_to_table(tournament: Tournament, entry: Entry) -> Tournament:
    event, version = entry.event, entry.line.version
    match event:
        case events.TableDrawn() as drawn:
            earlier = tournament.rounds[drawn.round - 1].tables[drawn.table - 1 : drawn.table]
            table = Table(
                number=drawn.table,
                attempt=drawn.attempt,
                game=drawn.game,
                seats=drawn.seats,
                people=tuple(_find_person(tournament, seat.entrant) for seat in drawn.seats),
                whys=(*(why for table in earlier for why in table.whys), drawn.why),
                drawn_ms=tournament.at_ms,
                status=Awaited(),
            )
            return with_table(tournament, drawn.round, table)
        case events.WalkoverGiven(round=round_, table=number, entrants=entrants, points=points):
            table = find_table(tournament, round_, number)
            status = WalkedOver(entrants=entrants, points=points, line=version)
            return with_table(tournament, round_, _replace(table, status=status, was_walked_over=True))
        case events.TableScored(round=round_, table=number, scored=scored):
            table = find_table(tournament, round_, number)
            return with_table(tournament, round_, _replace(table, status=Counted(scored=scored, line=version)))
        case events.ResultTaken(round=round_, table=number, ranking=ranking):
            table = find_table(tournament, round_, number)
            halted = table.status if ranking is not None else Halted()
            return with_table(tournament, round_, _replace(table, result=event, status=halted))
        case _:
            raise AssertionError(event)


def _with_entered(tournament: Tournament, entered: events.EntrantEntered) -> Tournament:
    links = OwnLinks(last=entered.anchor, left=entered.links) if entered.anchor is not None else None
    door = find_door(tournament.opened.door)
    waits = door.has_approval or (door.has_waiting_list is True and not has_place(tournament))
    left: Left | None = "waiting" if waits else None
    entry = Entered(
        player=entered.player,
        key=entered.key,
        anchor=entered.anchor,
        links=links,
        left=left,
        code=entered.code,
        team=entered.team,
    )
    return _replace(tournament, entries=(*tournament.entries, entry))


def _with_taken(tournament: Tournament, taken: events.EntryTaken) -> Tournament:
    links = OwnLinks(last=taken.anchor, left=taken.links) if taken.anchor is not None else None
    round_, entry = find_round(tournament), tournament.entries[taken.entrant]
    # Its anchor may have been chosen with the links of others in sight: it counts from the next draw on.
    is_late = round_ is not None and not round_.is_drawn
    entry = _replace(
        entry,
        player=taken.player,
        key=taken.key,
        anchor=taken.anchor,
        links=None if is_late else links,
        links_next=links if is_late else None,
        handed=None,
        handed_last=entry.handed,
    )
    return with_entry(tournament, taken.entrant, entry)


def _find_person(tournament: Tournament, entrant: Entrant) -> TableSeat:
    entry = tournament.entries[entrant]
    return TableSeat(player=entry.player, key=entry.key)


def _with_next_links(entry: Entered) -> Entered:
    return entry if entry.links_next is None else _replace(entry, links=entry.links_next, links_next=None)


def _with_check_in(tournament: Tournament, checked_in: events.EntrantCheckedIn) -> Tournament:
    entrant, nonce = checked_in.entrant, checked_in.nonce
    round_ = tournament.rounds[-1]
    tournament = with_round(
        tournament,
        _replace(round_, waiting=round_.waiting - {entrant}, checked_in=(*round_.checked_in, entrant)),
    )
    entry = tournament.entries[entrant]
    if nonce is None:
        return tournament
    assert entry.links is not None, f"entrant {entrant} has no links"
    entry = _replace(entry, links=OwnLinks(last=nonce, left=entry.links.left - 1))
    chance = contribute(tournament.chance, seat=Seat(entrant), nonce=nonce)
    return _replace(with_entry(tournament, entrant, entry), chance=chance)
