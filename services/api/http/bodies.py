"""Request bodies, parsed once. Unknown fields are refused; messages name the expected value."""

from typing import Annotated, Any, Generic, Literal, TypeVar

import msgspec
from msgspec import Meta, Struct, field

from domain.canonical import refuse_float
from domain.game.events import DELAY_S_MAX, ClockTerms, Offer, StandIn
from domain.ids import (
    SEATS_MAX,
    ChosenCommandIdField,
    DecisionIdField,
    Hex32Field,
    Hex64Field,
    LineHashField,
    OrganiserIdField,
    SeatField,
)
from domain.log.events import ORGANISERS_MAX, Demand
from domain.names import NameRefused, require_shown
from domain.spellings import tell_refusal
from services.api.http.ruleset_schemas import ACTION, OPTIONS, PREFIX

T = TypeVar("T")

# Kept as JSON until its ruleset is known, which decides its fields.
ActionField = Annotated[msgspec.Raw, Meta(extra_json_schema={"$ref": f"{PREFIX}{ACTION}"})]
OptionsField = Annotated[dict[str, Any], Meta(extra_json_schema={"$ref": f"{PREFIX}{OPTIONS}"})]
RulesetField = Annotated[
    str,
    Meta(
        pattern=r"^[a-z][a-z0-9-]{1,39}@[1-9][0-9]{0,3}$(?!\n)",
        description="a ruleset's name with its version, such as charioteer@1",
    ),
]

# An opening names each demand at most once; there are four.
DEMANDS_MAX = 4


class Envelope(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The envelope of a command: an id of the client's choosing, by which it may be sent again, and a signature.

    `base`, which is signed too, is the hash of the newest line that the sender has seen: the `head` of the stream.
    """

    command: ChosenCommandIdField
    sig: Hex64Field | None = None
    base: LineHashField | None = None


class OpenBody(Envelope, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The terms of a game. `components` names older decks and tracks by their hash; without it, today's are taken.

    `offers` has for each seat to whom it is open, null for all; it may be left out. With `stand_in` the named house bot
    plays for a seat whose clock ran out in `after` turns in a row, until its player takes it back.
    """

    ruleset: RulesetField
    seats: Annotated[int, Meta(ge=1, le=SEATS_MAX)]
    components: Hex32Field | None = None
    options: OptionsField = field(default_factory=dict)
    clock: ClockTerms | None = None
    visibility: Literal["public", "private"] = "public"
    delay_s: Annotated[int, Meta(ge=0, le=DELAY_S_MAX)] = 0
    offers: Annotated[tuple[Offer | None, ...], Meta(max_length=SEATS_MAX)] = ()
    stand_in: StandIn | None = None
    demands: Annotated[tuple[Demand, ...], Meta(max_length=DEMANDS_MAX)] = ()
    organisers: Annotated[dict[OrganiserIdField, Hex32Field | None], Meta(max_length=ORGANISERS_MAX)] = field(
        default_factory=dict
    )


class PreviewBody(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    seat: SeatField
    decision: DecisionIdField
    action: ActionField


class BodyRefused(Exception):
    """The body is no JSON."""


class FieldRefused(Exception):
    """The body is JSON, and a field of it is not as expected. `place` is its path: `$.clock.bank_ms`."""

    def __init__(self, *, place: str, message: str) -> None:
        self.place = place
        self.message = message
        super().__init__(f"at {place}: {message}")


class BodyReader(Generic[T]):
    """Reads one kind of body. Built once, at import, beside the route that uses it."""

    def __init__(self, body: Any) -> None:
        self._body = body
        self._decoder: msgspec.json.Decoder[T] = msgspec.json.Decoder(body, float_hook=refuse_float)

    def read(self, raw: bytes) -> T:
        """Return the body, or raise BodyRefused or FieldRefused."""
        try:
            return self._decoder.decode(raw)
        except msgspec.ValidationError as error:
            message, _, place = tell_refusal(str(error), self._body).partition(" - at ")
            raise FieldRefused(place=place.replace("`", "") or "$", message=message) from None
        except RecursionError:
            raise BodyRefused("JSON is nested too deeply") from None
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            raise BodyRefused(str(error)) from None


def require_shown_at(place: str, text: str) -> None:
    """Refuse text that is not shown as it is. It is never mended, as a command is signed with its text."""
    try:
        require_shown(text)
    except NameRefused as refused:
        raise FieldRefused(place=place, message=str(refused)) from None
