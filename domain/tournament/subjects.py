"""What a ruling is about, as far as its event names it."""

from msgspec import Struct
from msgspec.structs import fields

from domain.ids import StreamVersion
from domain.tournament.contender import Entrant
from domain.tournament.events import Ruling
from domain.tournament.rejections import RuledMeanwhile
from domain.tournament.ruling_events import TablesSeated
from domain.tournament.state import Tournament


class Subject(Struct, frozen=True, kw_only=True):
    """`entrants` are several whom a ruling names; `entrant` is the one that it names."""

    round: int | None = None
    table: int | None = None
    attempt: int | None = None
    entrant: Entrant | None = None
    points: int | None = None
    entrants: tuple[Entrant, ...] = ()


_NAMES = tuple(field.name for field in fields(Subject))


def require_unruled(tournament: Tournament, event: Ruling, seen: StreamVersion, by: str) -> None:
    """Check that no other author has ruled on the same since a line: of two at once, the second looks again."""
    for ruled in tournament.rulings:
        if ruled.line > seen and ruled.by != by and _meet(find_subject(ruled.event), find_subject(event)):
            expected = f"a ruling on what stood in line {seen}"
            found = f"{ruled.type} about the same by {ruled.by} in line {ruled.line}: {ruled.reason}"
            raise RuledMeanwhile(expected=expected, found=found)


def _meet(one: Subject, other: Subject) -> bool:
    """Return whether two rulings share a table or an entrant, or are of the same round without either."""
    if one.table is not None and other.table is not None:
        return (one.round, one.table) == (other.round, other.table)
    people = [{*subject.entrants, *(() if subject.entrant is None else (subject.entrant,))} for subject in (one, other)]
    if all(people):
        return not people[0].isdisjoint(people[1])
    return one.round is not None and one.round == other.round


def find_subject(event: Ruling) -> Subject:
    """Return what a ruling is about."""
    if isinstance(event, TablesSeated):
        seated = {entrant for named in event.tables for entrant in named.entrants}
        return Subject(round=event.round, entrants=tuple(sorted(seated)))
    return Subject(**{name: getattr(event, name) for name in _NAMES if hasattr(event, name)})
