"""What a ruling is about, as far as its event names it."""

from msgspec import Struct
from msgspec.structs import fields

from domain.tournament.contender import Entrant
from domain.tournament.events import Ruling
from domain.tournament.ruling_events import TablesSeated


class Subject(Struct, frozen=True, kw_only=True):
    """`entrants` are several whom a ruling names; `entrant` is the one that it names."""

    round: int | None = None
    table: int | None = None
    attempt: int | None = None
    entrant: Entrant | None = None
    points: int | None = None
    entrants: tuple[Entrant, ...] = ()


_NAMES = tuple(field.name for field in fields(Subject))


def find_subject(event: Ruling) -> Subject:
    """Return what a ruling is about."""
    if isinstance(event, TablesSeated):
        seated = {entrant for named in event.tables for entrant in named.entrants}
        return Subject(round=event.round, entrants=tuple(sorted(seated)))
    return Subject(**{name: getattr(event, name) for name in _NAMES if hasattr(event, name)})
