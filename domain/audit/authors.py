"""Who wrote each line, whether it says what its type says, and that no command stands in a log twice."""

from typing import assert_never

from domain.audit.case import Case
from domain.audit.findings import Held, Result, Unchecked, broken
from domain.audit.reading import UnreadOutcome
from domain.audit.stream import StreamCase
from domain.game.events import (
    ActionPlayed,
    ActionRevealed,
    ActionSealed,
    ClockExpired,
    ClockExtended,
    GameAborted,
    GameOpened,
    InputEvent,
    SeatLeft,
    SeatReadied,
    SeatRemoved,
    SeatResigned,
    SeatTaken,
)
from domain.log.entry import Entry
from domain.log.events import OpeningWitnessed
from domain.rulesets.released import RulesetNotReleased


def check_fields(case: StreamCase) -> Result:
    """Check that each line has a known type and exactly that type's fields."""
    for line in case.lines:
        if line.line is not None and line.refusal is not None:
            return broken(line.version, expected=line.refusal.expected, found=line.refusal.found)
    unread = next((entry.line for entry in case.entries if isinstance(entry.event, UnreadOutcome)), None)
    if unread is not None:
        return Unchecked(reason=f"outcomes such as {unread.type} cannot be read without their rules")
    return Held(seen=f"{len(case.lines)} lines")


def check_authors(case: Case) -> Result:
    """Check `by` of each input against what it says; an outcome's is part of its form."""
    organisers = case.opened.organisers if case.opened is not None else {}
    for entry in case.entries:
        if entry.line.kind == "outcome":
            continue
        allowed = _allowed(entry, tuple(f"organiser:{each}" for each in organisers))
        is_opener = isinstance(entry.event, GameOpened) and entry.line.by.startswith(("player:", "organiser:"))
        if entry.line.by not in allowed and not is_opener:
            return broken(
                entry.line.version, expected=f"{entry.line.type} by {' or '.join(allowed)}", found=entry.line.by
            )
    return Held(seen=f"{sum(entry.line.kind == 'input' for entry in case.entries)} inputs")


def check_commands(case: StreamCase) -> Result:
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


def check_opening(case: Case) -> Result:
    """Check that the first line, and it alone, opens the game, and that nobody claims to have signed it."""
    first = case.lines[0].line if case.lines else None
    if first is None:
        return Unchecked(reason="the first line cannot be read")
    if first.type != "game_opened":
        return broken(1, expected="a log that begins with game_opened", found=first.type)
    if case.opened is None:
        return Unchecked(reason="the first line cannot be read")
    if first.sig is not None:
        return broken(1, expected="an opening without a signature, as nobody can sign the anchors", found="one")
    if list(case.opened.demands) != sorted(set(case.opened.demands)):
        return broken(1, expected="demands in ascending order, none twice", found=", ".join(case.opened.demands))
    again = next((line for line in case.lines[1:] if line.line is not None and line.line.type == "game_opened"), None)
    if again is not None:
        return broken(again.version, expected="no second opening", found="game_opened")
    return Held(seen="the first line")


def check_components(case: StreamCase) -> Result:
    """Check that the components are those the first line names, and that the rules can be built from them."""
    if case.opened is None:
        return Unchecked(reason="the line that names the components cannot be read")
    named = case.opened.ruleset
    if case.ruleset is not None:
        return Held(seen=f"{named.name}@{named.version}, {len(case.bundle.components)} bytes")
    if case.ruleset_refusal is None:
        return broken(1, expected=f"components whose SHA-256 is {named.components}", found=case.components_hash)
    if isinstance(case.ruleset_refusal, RulesetNotReleased):
        return Unchecked(reason=f"this release does not know {case.ruleset_refusal.found}")
    return broken(1, expected=case.ruleset_refusal.expected, found=case.ruleset_refusal.found)


def _allowed(entry: Entry, organisers: tuple[str, ...]) -> tuple[str, ...]:
    event = entry.event
    assert isinstance(event, InputEvent), "outcomes were passed over"
    match event:
        case GameOpened():
            return ("player:ID", "organiser:ID")
        case OpeningWitnessed():
            return ("server",)
        case ClockExpired():
            return ("clock",)
        case ClockExtended():
            return (*organisers, "clock")
        case SeatRemoved():
            return organisers or ("an organiser, of whom this game has none",)
        case GameAborted():
            return (*organisers, "operator")
        case ActionRevealed(seat=seat):
            return (f"seat:{seat}", "server")
        case SeatTaken() | SeatLeft() | SeatReadied() | ActionSealed() | ActionPlayed() | SeatResigned():
            return (f"seat:{event.seat}",)
        case _:
            assert_never(event)
