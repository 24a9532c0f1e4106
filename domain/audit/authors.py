"""The author of each line, whether its fields fit its type, and that no command stands in a log twice."""

from msgspec import UNSET, UnsetType

from domain.audit.case import AnyCase, AnyLog, Case
from domain.audit.findings import Broken, Held, Result, Unchecked, broken
from domain.audit.reading import UnreadOutcome
from domain.canonical import NotCanonical, parse
from domain.game.admission import list_authors_of
from domain.game.events import (
    ActionPlayed,
    ActionRevealed,
    ActionSealed,
    ClockExpired,
    ClockExtended,
    GameFinished,
    GameOpened,
    GamePaused,
    GameStarted,
    GameStopped,
    InputEvent,
    OutcomeEvent,
    SeatHanded,
    SeatReclaimed,
)
from domain.game.rejections import UnfitTerms
from domain.game.stand_in import check_stand_in, find_turn
from domain.ids import Seat, StreamVersion
from domain.ledger.policy import list_allowed
from domain.log.actors import find_author

_ANSWERS = ActionSealed | ActionRevealed | ActionPlayed | SeatReclaimed


def check_fields(case: AnyLog) -> Result:
    """Check that each line has a known type and exactly that type's fields."""
    for line in case.lines:
        if line.line is not None and line.refusal is not None:
            return broken(line.version, expected=line.refusal.expected, found=line.refusal.found)
    foreign = _find_foreign_seat(case)
    if foreign is not None:
        return foreign
    unread = next((entry.line for entry in case.entries if isinstance(entry.event, UnreadOutcome)), None)
    if unread is not None:
        return Unchecked(reason=f"outcomes such as {unread.type} cannot be read without their rules")
    return Held(seen=f"{len(case.lines)} lines")


def _find_foreign_seat(case: AnyLog) -> Broken | None:
    """Find the first line of a type that all games share which names a seat that the game does not have."""
    if not isinstance(case.opened, GameOpened):
        return None
    for line in case.lines:
        event = None if line.entry is None else line.entry.event
        seats = _list_seats(event) if isinstance(event, InputEvent | OutcomeEvent) else ()
        if any(seat >= case.opened.seats for seat in seats):
            found = ", ".join(map(str, seats))
            return broken(line.version, expected=f"seats below {case.opened.seats}, as the game has", found=found)
    return None


def _list_seats(event: InputEvent | OutcomeEvent) -> tuple[Seat, ...]:
    match event:
        case GameOpened():
            return ()
        case GameFinished():
            return tuple(placing.seat for placing in event.ranking)
        case GameStarted() | GamePaused() | GameStopped() | ClockExtended():
            return (*event.seats, *(event.absent if isinstance(event, GameStopped) else ()))
        case _:
            seat = getattr(event, "seat", None)
            return () if seat is None else (seat,)


def check_authors(case: Case) -> Result:
    """Check `by` of each input against its event; an outcome's is part of its form."""
    handed: set[Seat] = set()
    lapses: dict[Seat, set[str]] = {}
    for entry in case.entries:
        event, line = entry.event, entry.line
        if isinstance(event, SeatHanded):
            misfit = _find_unfit_handing(case, line.version, len(lapses.get(event.seat, ())))
            if misfit is not None:
                return misfit
            handed.add(event.seat)
        if isinstance(event, SeatReclaimed) and event.seat not in handed:
            found = f"seat {event.seat}, which its player plays"
            return broken(line.version, expected="seat_reclaimed of a seat that was handed over", found=found)
        if line.kind == "outcome":
            continue
        assert isinstance(event, InputEvent), "outcomes were passed over"
        is_opener = isinstance(event, GameOpened) and line.by.startswith(("player:", "organiser:"))
        allowed = list_authors_of(event, case.opened, opener=case.entries[0].line.by, handed=handed)
        if find_author(line.by) not in allowed and not is_opener:
            names = " or ".join(allowed) or "a player or an organiser of this game"
            return broken(line.version, expected=f"{line.type} by {names}", found=line.by)
        if isinstance(event, ClockExpired):
            lapses.setdefault(event.seat, set()).add(find_turn(event.decision))
        elif isinstance(event, _ANSWERS) and line.by != "server":
            lapses.pop(event.seat, None)
        handed -= {event.seat} if isinstance(event, SeatReclaimed) else set()
    return Held(seen=f"{sum(entry.line.kind == 'input' for entry in case.entries)} inputs")


def _find_unfit_handing(case: Case, version: StreamVersion, lapses: int) -> Broken | None:
    terms = UNSET if case.opened is None else case.opened.stand_in
    if isinstance(terms, UnsetType):
        return broken(version, expected="no seat_handed, as the terms name no stand-in", found="one")
    if lapses < terms.after:
        expected = f"seat_handed after {terms.after} turns in which a clock of its seat ran out since its last answer"
        return broken(version, expected=expected, found=str(lapses))
    return None


def check_commands(case: AnyLog) -> Result:
    """Check that every input has its command's id, all but the server's reveals, and none occurs twice."""
    seen: dict[str, int] = {}
    for entry in case.entries:
        line = entry.line
        if line.kind == "outcome":
            continue
        is_by_server = isinstance(entry.event, ActionRevealed) and line.by == "server"
        if (line.command is None) != is_by_server:
            expected = "no command id" if is_by_server else "a command id"
            return broken(line.version, expected=expected, found=line.command)
        if line.command is None:
            continue
        if line.command in seen:
            expected = f"an id other than that of line {seen[line.command]}"
            return broken(line.version, expected=expected, found=line.command)
        seen[line.command] = line.version
    return Held(seen=f"{len(seen)} commands")


def check_opening(case: AnyCase) -> Result:
    """Check that the first line, and it alone, opens the stream, and that it claims no signature."""
    first, opening = case.lines[0].line if case.lines else None, case.kind.opening
    if first is None:
        return Unchecked(reason="the first line cannot be read")
    if first.type != opening:
        return broken(1, expected=f"a log that begins with {opening}", found=first.type)
    if case.opened is None:
        return Unchecked(reason="the first line cannot be read")
    if first.sig is not None:
        return broken(1, expected="an opening without a signature, as nobody can sign the anchors", found="one")
    if list(case.opened.demands) != sorted(set(case.opened.demands)):
        return broken(1, expected="demands in ascending order, none twice", found=", ".join(case.opened.demands))
    if isinstance(case.opened, GameOpened) and case.opened.rematch_of == case.stream:
        return broken(1, expected="a rematch of another game", found="the game itself")
    try:
        if isinstance(case.opened, GameOpened):
            check_stand_in(case.opened)
    except UnfitTerms as refused:
        return broken(1, expected=refused.expected, found=refused.found)
    again = next((line for line in case.lines[1:] if line.line is not None and line.line.type == opening), None)
    if again is not None:
        return broken(again.version, expected="no second opening", found=opening)
    return Held(seen="the first line")


def check_components(case: AnyCase) -> Result:
    """Check that the components are those the first line names, in canonical form; deciding again builds the rules."""
    if case.opened is None:
        return Unchecked(reason="the line that names the components cannot be read")
    named = case.opened.ruleset
    if case.components_hash != named.components:
        return broken(1, expected=f"components whose SHA-256 is {named.components}", found=case.components_hash)
    reference = f"{named.name}@{named.version}"
    allowed = list_allowed(case.policy, reference)
    if allowed and named.components not in allowed:
        return broken(1, expected=f"components of {reference} that the policy names", found=named.components)
    try:
        parse(case.bundle.components)
    except NotCanonical as error:
        return broken(1, expected=f"components in canonical JSON: {error.expected}", found=error.found)
    return Held(seen=f"{len(case.bundle.components)} bytes")
