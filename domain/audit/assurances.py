"""Assurances: circumstances of a game that are no fault, and that a reader should know, demanded or not."""

from collections.abc import Mapping

from domain.audit.case import AnyCase, Case
from domain.audit.findings import Assurance, Held, Result
from domain.audit.reserved import list_keys
from domain.game.events import ActionRevealed, GameStarted, SeatLeft, SeatReadied, SeatRemoved, SeatTaken
from domain.game.stand_in import BY_HOUSE
from domain.ids import PlayerId
from domain.log.events import OpeningWitnessed
from domain.log.own_links import LINKS_DEMANDED


def list_assurances(case: Case, results: Mapping[str, Result]) -> tuple[Assurance, ...]:
    """List them in words; `results` are those of the checks by their names."""
    demands = case.opened.demands if case.opened is not None else ()
    taken = [entry.event for entry in case.entries if isinstance(entry.event, SeatTaken)]
    reveals = [entry for entry in case.entries if isinstance(entry.event, ActionRevealed)]
    by_server = sum(entry.line.by == "server" for entry in reveals)
    keyed, linked = sum(event.key is not None for event in taken), sum(event.links >= LINKS_DEMANDED for event in taken)
    by_house = sum(entry.line.by == BY_HOUSE for entry in case.entries)
    beside = f", and {by_house} inputs were a stand-in's" if by_house else ""
    is_witnessed = isinstance(results.get("opening-witness"), Held) and _has_witness(case)
    told = {
        "own_custody": (not by_server, f"{by_server} of {len(reveals)} reveals came out of the server's custody"),
        "signed": (
            bool(taken) and keyed == len(taken) and not by_house and isinstance(results.get("signatures"), Held),
            f"{keyed} of {len(taken)} seats were taken with a key that signs all actions of its player{beside}",
        ),
        "links": (
            bool(taken) and linked == len(taken) and not by_house and isinstance(results.get("contributions"), Held),
            f"{linked} of {len(taken)} seats brought at least {LINKS_DEMANDED} links of the player's own{beside}",
        ),
        "witnessed_opening": (
            is_witnessed,
            "a checkpoint over the opening was seen before the first seat was taken"
            if is_witnessed
            else "nothing shows that the opening was in the ledger before the first seat was taken",
        ),
        "undisturbed_start": _tell_start(case),
    }
    assurances = (
        Assurance(name=name, is_demanded=name in demands, is_kept=is_kept, told=words)
        for name, (is_kept, words) in told.items()
    )
    return (*assurances, list_organiser_keys(case))


def list_organiser_keys(case: AnyCase) -> Assurance:
    """Describe how many organisers and helpers have a key: the rulings of the others are the operator's word."""
    people = dict(list_keys(case))
    keys = list(people.values())
    signed = sum(key is not None for key in keys)
    who = "organisers and helpers" if any(by.startswith("helper:") for by in people) else "organisers"
    told = f"{signed} of {len(keys)} {who} have a key that signs their rulings" if keys else "no organiser is named"
    return Assurance(name="organiser_keys", is_demanded=False, is_kept=signed == len(keys), told=told)


def list_people(case: Case) -> tuple[PlayerId, ...]:
    """List the players who ever sat in a game, ascending: games of the same people are counted together."""
    return tuple(sorted({entry.event.player for entry in case.entries if isinstance(entry.event, SeatTaken)}))


def _tell_start(case: Case) -> tuple[bool, str]:
    """Name seats that were left after a seat had been ready, which makes the links shown there worthless."""
    ready = left = 0
    for entry in case.entries:
        match entry.event:
            case GameStarted():
                break
            case SeatReadied():
                ready += 1
            case SeatLeft() | SeatRemoved() if ready:
                left += 1
            case _:
                pass
    return left == 0, f"seats left or removed once another was ready: {left}"


def _has_witness(case: Case) -> bool:
    return any(isinstance(entry.event, OpeningWitnessed) for entry in case.entries)
