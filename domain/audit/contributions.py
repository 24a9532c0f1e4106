"""The seats' contributions to chance: each nonce the next link of its seat, none left out and none used twice."""

from domain.audit.case import Case
from domain.audit.findings import Broken, Held, Result, SeatContribution, broken
from domain.game.events import ActionPlayed, ActionRevealed, ActionSealed, GameStarted, SeatReadied, SeatTaken
from domain.game.stand_in import BY_HOUSE
from domain.ids import DecisionId, Seat, StreamVersion
from domain.links import link_follows
from domain.log.own_links import OwnLinks

_Contributing = SeatReadied | ActionRevealed | ActionPlayed


def check_contributions(case: Case) -> Result:
    """Walk every seat's links from the anchor it took its seat with. A stand-in brings none."""
    by_house: set[tuple[Seat, DecisionId]] = set()
    links: dict[Seat, OwnLinks | None] = {}
    count = 0
    for entry in case.entries:
        match entry.event:
            case SeatTaken() as taken:
                if (taken.anchor is None) != (taken.links == 0):
                    expected = "an anchor and at least one link, or neither"
                    return broken(entry.line.version, expected=expected, found=f"{taken.anchor}, {taken.links} links")
                own = None if taken.anchor is None else OwnLinks(last=taken.anchor, left=taken.links)
                links[taken.seat] = own
            case ActionSealed(seat=seat, decision=decision):
                (by_house.add if entry.line.by == BY_HOUSE else by_house.discard)((seat, decision))
            case SeatReadied() | ActionRevealed() | ActionPlayed() as event:
                is_house = entry.line.by == BY_HOUSE
                if isinstance(event, ActionRevealed):
                    is_house = (event.seat, event.decision) in by_house
                misfit = _find_misfit(entry.line.version, event, None if is_house else links.get(event.seat))
                if misfit is not None:
                    return misfit
                had = links.get(event.seat)
                if event.nonce is not None and had is not None:
                    links[event.seat] = OwnLinks(last=event.nonce, left=had.left - 1)
                    count += 1
            case _:
                pass
    return Held(seen=f"{count} contributions")


def count_contributions(case: Case) -> tuple[SeatContribution, ...]:
    """Count the contributions to chance of each seat that played."""
    started = next((entry.event for entry in case.entries if isinstance(entry.event, GameStarted)), None)
    seats = started.seats if isinstance(started, GameStarted) else ()
    events = [entry.event for entry in case.entries]
    keyed = {event.seat: event.key is not None for event in events if isinstance(event, SeatTaken)}
    return tuple(
        SeatContribution(
            seat=seat,
            nonces=sum(
                isinstance(event, _Contributing) and (event.seat, event.nonce is None) == (seat, False)
                for event in events
            ),
            is_signed=keyed.get(seat, False),
        )
        for seat in seats
    )


def _find_misfit(version: StreamVersion, event: _Contributing, links: OwnLinks | None) -> Broken | None:
    if links is None or links.left == 0:
        if event.nonce is None:
            return None
        return broken(version, expected=f"no nonce, as seat {event.seat} has no links left", found=event.nonce)
    if event.nonce is None:
        return broken(version, expected=f"the next of {links.left} links of seat {event.seat}", found="none")
    if not link_follows(previous=links.last, nonce=event.nonce):
        return broken(version, expected=f"a nonce whose SHA-256 is {links.last}", found=event.nonce)
    return None
