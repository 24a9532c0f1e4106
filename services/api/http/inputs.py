"""Inputs as clients send them: the fields of the event that will be logged, in the envelope of a command.

A field that may be null may be left out. The player of an event is the token's; an action is JSON in any spelling.
"""

from collections.abc import Mapping, Sequence
from types import NoneType
from typing import Any, Generic, TypeVar, cast, get_args

import msgspec
from msgspec import UNSET, Struct, UnsetType
from msgspec.structs import FieldInfo

from domain.canonical import Json
from domain.game.actions import parse_action
from domain.ids import PlayerIdField
from domain.log.events import LinkCount, Reason
from services.api.http.authentication import require_player
from services.api.http.bodies import ActionField, BodyReader, Envelope, FieldRefused, require_shown_at
from services.reading.access import Caller

Event = TypeVar("Event", bound=Struct)

# The field that distinguishes the rulings of one operation; its values are the types of their lines.
RULING = "ruling"
_TEXTS: Sequence[Any] = (Reason, Reason | None)


class Described(Struct, frozen=True, kw_only=True):
    """The words of an operation in the API's description. A test sends each example."""

    operation_id: str
    summary: str
    description: str
    tag: str
    examples: tuple[dict[str, Any], ...]


class Input(Generic[Event]):
    """One operation: the event that it asks for, or the rulings of which it asks for one, each with its type.

    `envelope` has the fields of the body that are not logged.
    """

    def __init__(
        self, event: type[Event] | Mapping[str, type[Event]], described: Described, envelope: type[Envelope] = Envelope
    ) -> None:
        self.described = described
        kinds: dict[Any, type[Event]]
        if isinstance(event, Mapping):
            kinds = {
                build_body(f"{each.__name__}Body", each, envelope, ruling=tag): each for tag, each in event.items()
            }
        else:
            title = "".join(word.capitalize() for word in described.operation_id.split("_"))
            kinds = {build_body(f"{title}Body", event, envelope): event}
        self._rulings = tuple(event) if isinstance(event, Mapping) else ()
        self._events = {body: _Fields(each) for body, each in kinds.items()}
        self.body: Any = _unite(list(kinds))
        self._reader = BodyReader[Envelope](self.body)

    @property
    def kinds(self) -> tuple[type[Event], ...]:
        """The events that the operation asks for."""
        return tuple(fields.event for fields in self._events.values())

    def read(self, raw: bytes) -> Envelope:
        """Return the body, or raise BodyRefused or FieldRefused."""
        body = self._read_fields(raw)
        for name in self._events[type(body)].texts:
            # A log keeps a text for ever.
            text = getattr(body, name)
            if text is not None:
                require_shown_at(f"$.{name}", text)
        return body

    def _read_fields(self, raw: bytes) -> Envelope:
        try:
            return self._reader.read(raw)
        except FieldRefused as refused:
            if refused.place == f"$.{RULING}" and self._rulings:
                # The decoder names the value that was sent alone.
                message = f"Expected one of {', '.join(self._rulings)}"
                raise FieldRefused(place=refused.place, message=message) from None
            raise

    def build(self, body: Envelope, caller: Caller) -> Event:
        """Return the event that a body asks for. Raises the rejection of an action that no line can hold."""
        return self._events[type(body)].build(body, caller)


class _Fields(Generic[Event]):
    """The fields of one event, by where they come from."""

    def __init__(self, event: type[Event]) -> None:
        fields = msgspec.structs.fields(event)
        self.event = event
        self._players = [field.name for field in fields if field.type == PlayerIdField]
        self._actions = [field.name for field in fields if field.type == Json]
        self._plain = [field.name for field in fields if field.name not in {*self._players, *self._actions}]
        self.texts = [field.name for field in fields if field.type in _TEXTS]

    def build(self, body: Envelope, caller: Caller) -> Event:
        values = {name: getattr(body, name) for name in self._plain}
        for name in self._players:
            values[name] = require_player(caller)
        for name in self._actions:
            values[name] = parse_action(bytes(getattr(body, name)))
        return self.event(**values)


def build_body(
    title: str, event: type[Struct], envelope: type[Envelope], *, ruling: str | None = None
) -> type[Envelope]:
    """Build the type of a body: the fields of an event, but for the player, and those of an envelope."""
    fields = [_as_sent(field) for field in msgspec.structs.fields(event) if field.type != PlayerIdField]
    built = msgspec.defstruct(
        title,
        fields,
        bases=(envelope,),
        namespace={"__doc__": event.__doc__},
        frozen=True,
        kw_only=True,
        forbid_unknown_fields=True,
        tag_field=None if ruling is None else RULING,
        tag=ruling,
    )
    return cast("type[Envelope]", built)


def _as_sent(field: FieldInfo) -> tuple[str, Any] | tuple[str, Any, Any]:
    if field.type == Json:
        return field.name, ActionField
    if UnsetType in get_args(field.type):
        return field.name, field.type, UNSET
    if NoneType in get_args(field.type):
        return field.name, field.type, None
    if field.type == LinkCount:
        return field.name, field.type, 0
    return field.name, field.type


def _unite(kinds: Sequence[Any]) -> Any:
    united = kinds[0]
    for kind in kinds[1:]:
        united |= kind
    return united
