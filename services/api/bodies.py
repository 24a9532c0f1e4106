"""What clients send, parsed once. Unknown fields are refused; an action's bytes are kept as they were sent."""

from typing import Annotated, Any, Generic, Literal, TypeVar

import msgspec
from msgspec import Meta, Struct, field

from domain.canonical import refuse_float
from domain.game.events import CLOCK_MS_MAX, DELAY_S_MAX, ClockTerms
from domain.ids import (
    SEATS_MAX,
    ChosenCommandIdField,
    DecisionIdField,
    Hex32Field,
    Hex64Field,
    OrganiserIdField,
    SeatField,
)
from domain.log.events import LINKS_MAX, ORGANISERS_MAX, Demand, Reason
from domain.names import NameRefused, require_shown
from services.api.ruleset_schemas import ACTION, OPTIONS, PREFIX

T = TypeVar("T")

# Kept as the bytes that were sent; what may be in it, its ruleset says.
ActionField = Annotated[msgspec.Raw, Meta(extra_json_schema={"$ref": f"{PREFIX}{ACTION}"})]
OptionsField = Annotated[dict[str, Any], Meta(extra_json_schema={"$ref": f"{PREFIX}{OPTIONS}"})]

# An opening names each demand at most once; there are four.
DEMANDS_MAX = 4


class Body(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What all commands carry: an id of the client's choosing, by which it may be sent again, and a signature."""

    command: ChosenCommandIdField
    sig: Hex64Field | None = None


class OpenBody(Body, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The terms of a game. `components` names older decks and tracks by their hash; without it, today's are taken."""

    ruleset: Annotated[str, Meta(pattern=r"^[a-z][a-z0-9-]{1,39}@[1-9][0-9]{0,3}$(?!\n)")]
    seats: Annotated[int, Meta(ge=1, le=SEATS_MAX)]
    components: Hex32Field | None = None
    options: OptionsField = {}
    clock: ClockTerms | None = None
    visibility: Literal["public", "private"] = "public"
    delay_s: Annotated[int, Meta(ge=0, le=DELAY_S_MAX)] = 0
    demands: Annotated[tuple[Demand, ...], Meta(max_length=DEMANDS_MAX)] = ()
    organisers: Annotated[dict[OrganiserIdField, Hex32Field | None], Meta(max_length=ORGANISERS_MAX)] = {}


class TakeBody(Body, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`invitation` is what those who see a private game are shown, to pass on to whoever shall sit down."""

    seat: SeatField
    anchor: Hex32Field | None = None
    links: Annotated[int, Meta(ge=0, le=LINKS_MAX)] = 0
    key: Hex32Field | None = None
    invitation: Hex32Field | None = None


class SeatBody(Body, frozen=True, kw_only=True, forbid_unknown_fields=True):
    seat: SeatField


class ReadyBody(SeatBody, frozen=True, kw_only=True, forbid_unknown_fields=True):
    nonce: Hex32Field | None = None


class PlayBody(SeatBody, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """With choices in the server's custody, `entrusted_link` is the link as many places after `nonce`, or the last."""

    decision: DecisionIdField
    action: ActionField
    nonce: Hex32Field | None = None
    entrusted_link: Hex32Field | None = None


class SealBody(SeatBody, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Own custody: `seal` alone. Server custody: `action` and `salt`, and `nonce` while the seat has links."""

    decision: DecisionIdField
    seal: Hex32Field | None = None
    # A factory, as the description of a body shows a default that is a value.
    action: ActionField = field(default_factory=msgspec.Raw)
    salt: Hex32Field | None = None
    nonce: Hex32Field | None = None


class RevealBody(SeatBody, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """With choices in the server's custody, `entrusted_link` is the link as many places after `nonce`, or the last."""

    decision: DecisionIdField
    action: ActionField
    salt: Hex32Field
    nonce: Hex32Field | None = None
    entrusted_link: Hex32Field | None = None


class ExtendBody(Body, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="ruling", tag="clock_extended"):
    """More time for some seats. The reason stays in the log for ever."""

    seats: Annotated[tuple[SeatField, ...], Meta(max_length=SEATS_MAX)]
    ms: Annotated[int, Meta(ge=1, le=CLOCK_MS_MAX)]
    reason: Reason


class RemoveBody(Body, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="ruling", tag="seat_removed"):
    """A seat leaves the game. The reason stays in the log for ever."""

    seat: SeatField
    reason: Reason


RulingBody = ExtendBody | RemoveBody


class AbortBody(Body, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The game ends without a result. The reason stays in the log for ever."""

    reason: Reason


class PreviewBody(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    seat: SeatField
    decision: DecisionIdField
    action: ActionField


class BodyRefused(Exception):
    """The body is no JSON."""


class FieldRefused(Exception):
    """The body is JSON, and a field of it is not what was expected. `place` is its path: `$.clock.bank_ms`."""

    def __init__(self, *, place: str, message: str) -> None:
        self.place = place
        self.message = message
        super().__init__(f"at {place}: {message}")


class BodyReader(Generic[T]):
    """Reads one kind of body. Built once, at import, beside the route that uses it."""

    def __init__(self, body: Any) -> None:
        self._decoder: msgspec.json.Decoder[T] = msgspec.json.Decoder(body, float_hook=refuse_float)

    def read(self, raw: bytes) -> T:
        """Return the body, or raise BodyRefused or FieldRefused."""
        try:
            body = self._decoder.decode(raw)
        except msgspec.ValidationError as error:
            message, _, place = str(error).partition(" - at `")
            raise FieldRefused(place=place.removesuffix("`") or "$", message=message) from None
        except RecursionError:
            raise BodyRefused("JSON is nested too deeply") from None
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            raise BodyRefused(str(error)) from None
        # A log keeps a reason for ever, whatever it is of.
        reason = getattr(body, "reason", None)
        if reason is not None:
            require_shown_at("$.reason", reason)
        return body


def require_shown_at(place: str, text: str) -> None:
    """Refuse text that is not shown as it is. It is never mended, as whoever signs a command signs it with the text."""
    try:
        require_shown(text)
    except NameRefused as refused:
        raise FieldRefused(place=place, message=str(refused)) from None
