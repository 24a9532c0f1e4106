"""The parts of a bundle that stay the operator's word although every check holds: the first line names them.

Must agree with services/web/verify/reserved.js.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

from domain.audit.case import AnyCase, Case
from domain.audit.findings import Finding
from domain.audit.verdict import Reserve, Reserved
from domain.game.events import GameStarted, SeatLeft, SeatOffered, SeatTaken
from domain.ids import Seat
from domain.tournament.role_events import HelperJoined

# The check that compares the ledger's entries with the file; a reader without the ledger cannot ask for it.
ONE_HISTORY = "logged-once"


def list_reserved(case: Case, findings: Sequence[Finding]) -> tuple[Reserve, ...]:
    """List the reserves of a game, in the order in which the first line names them."""
    holders = dict(sorted(_find_holders(case).items()))
    unsigned = tuple(seat for seat, taken in holders.items() if taken.key is None)
    moves = (Reserve(about="moves", seats=unsigned),) if unsigned else ()
    # The links of a seat without a key may be kept by the server, and with its own secret show every roll to come.
    is_known = holders and not any(taken.links and taken.key for taken in holders.values())
    dice = (Reserve(about="dice"),) if is_known else ()
    return (*moves, *dice, *list_common(case, findings))


def list_reserved_of_games(
    case: AnyCase, findings: Sequence[Finding], games: Iterable[Sequence[Reserve]]
) -> tuple[Reserve, ...]:
    """List the reserves of a tournament: those of its games by their number, and its own."""
    own = list_common(case, findings)
    names = {reserve.about for reserve in own} | {"history"}
    counts: Counter[Reserved] = Counter(reserve.about for game in games for reserve in game)
    return (*(Reserve(about=about, games=counts[about]) for about in counts if about not in names), *own)


def list_common(case: AnyCase, findings: Sequence[Finding]) -> tuple[Reserve, ...]:
    """List the reserves that games and tournaments share."""
    about: list[Reserved] = []
    keys = dict(list_keys(case))
    if any(keys.get(entry.line.by, entry.line.by) is None for entry in case.entries[1:]):
        about.append("rulings")
    if case.trust.components is not None and case.components_hash not in case.trust.components:
        about.append("components")
    if all(finding.check != ONE_HISTORY for finding in findings):
        about.append("history")
    return tuple(Reserve(about=name) for name in about)


def _find_holders(case: Case) -> Mapping[Seat, SeatTaken]:
    """Find how the seats of a game were taken when it began; none of a game that did not."""
    holders: dict[Seat, SeatTaken] = {}
    is_started = False
    for entry in case.entries:
        match entry.event:
            case SeatTaken(seat=seat) as taken:
                holders[seat] = taken
            case SeatLeft(seat=seat) | SeatOffered(seat=seat):
                holders.pop(seat, None)
            case GameStarted():
                is_started = True
            case _:
                pass
    return holders if is_started else {}


def list_keys(case: AnyCase) -> Iterator[tuple[str, str | None]]:
    """List the organisers and helpers who may rule, as a line states them, each with its key if it has one."""
    if case.opened is not None:
        yield from ((f"organiser:{organiser}", key) for organiser, key in case.opened.organisers.items())
    for entry in case.entries:
        if isinstance(entry.event, HelperJoined):
            yield f"helper:{entry.event.helper}", entry.event.key
