"""What a kind of ruling is: when it is possible, its effect on the state, and the lines that follow from it."""

from collections.abc import Callable
from typing import Any, Generic, TypeVar

from msgspec import Struct

from domain.ids import StreamVersion
from domain.log.kind import Growth
from domain.tournament.ruling_events import RulingEvent
from domain.tournament.state import Tournament

Event = TypeVar("Event", bound=RulingEvent)


def _keep(tournament: Tournament, _event: RulingEvent, _line: StreamVersion) -> Tournament:
    return tournament


def _add_nothing(_growth: Growth[Tournament], _event: RulingEvent) -> None:
    pass


class RulingKind(Struct, Generic[Event], frozen=True, kw_only=True):
    """`admit` raises the rejection; `apply` folds the line of this version; `follow` adds the consequences."""

    admit: Callable[[Tournament, Event], None]
    apply: Callable[[Tournament, Event, StreamVersion], Tournament] = _keep
    follow: Callable[[Growth[Tournament], Event], None] = _add_nothing


AnyRulingKind = RulingKind[Any]
