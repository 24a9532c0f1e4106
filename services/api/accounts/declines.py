"""Declined offers: of one game, or of all games that an account opens. They are the account's data, and in no log."""

from typing import Any

from litestar import Response, get, post
from litestar.di import NamedDependency
from litestar.params import RawBody
from msgspec import Struct

from domain.ids import GameIdField, PlayerId, PlayerIdField
from services.api.http.answering import AnyRequest, answer_tagged
from services.api.http.authentication import require_reader, require_scope
from services.api.http.bodies import BodyReader, FieldRefused
from services.api.http.documented import COMMAND_REFUSALS, TaggedForTokens, answers, takes
from services.api.http.examples import ADA, GAME
from services.api.http.parts import PeopleParts
from services.reading.access import Caller


class DeclineBody(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Either the game whose offers are declined, or the account whose offers all are."""

    game: GameIdField | None = None
    sender: PlayerIdField | None = None


class SenderBody(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    sender: PlayerIdField


class Declined(Struct, frozen=True, kw_only=True):
    game: str | None
    sender: str | None


class DeclinedSender(Struct, frozen=True, kw_only=True):
    sender: PlayerId
    name: str | None


class DeclinedSenders(Struct, frozen=True, kw_only=True):
    items: tuple[DeclinedSender, ...]


_DECLINE, _SENDER = BodyReader[DeclineBody](DeclineBody), BodyReader[SenderBody](SenderBody)
DECLINED = {"game": GAME, "sender": None}


@get(
    "/v1/account/declines",
    operation_class=TaggedForTokens,
    operation_id="list_declines",
    summary="List whose offers you decline",
    description="Accounts all of whose offers are declined, the last one first.",
    tags=["players"],
    responses=answers(DeclinedSenders, {"items": [{"sender": ADA, "name": "Ada"}]}, refusals=(403,), said="Senders"),
)
async def list_declines(
    request: AnyRequest, caller: NamedDependency[Caller], people: NamedDependency[PeopleParts]
) -> Response[Any]:
    return answer_tagged(request, caller, DeclinedSenders(items=await read_senders(people, require_reader(caller))))


async def read_senders(people: PeopleParts, account: PlayerId) -> tuple[DeclinedSender, ...]:
    senders = await people.declines.list_senders(account)
    names = await people.accounts.find_names(set(senders))
    return tuple(DeclinedSender(sender=sender, name=names.get(sender)) for sender in senders)


@post(
    "/v1/account/declines",
    operation_id="decline_offers",
    summary="Decline an offer, or all of a sender",
    description="With `game` the offers of a seat in it, with `sender` those in all games that this account opens, "
    "also later ones. They are in no list, stream or notice of yours any more, and the sender is not told. A seat that "
    "is offered to you stays open to you.",
    tags=["players"],
    operation_class=takes(DeclineBody, {"game": GAME}, {"sender": ADA}),
    responses=answers(Declined, DECLINED, status=201, refusals=COMMAND_REFUSALS, said="Declined"),
)
async def decline_offers(
    body: RawBody, caller: NamedDependency[Caller], people: NamedDependency[PeopleParts]
) -> Declined:
    require_scope(caller, "play")
    account, asked = require_reader(caller), _DECLINE.read(body)
    match asked.game, asked.sender:
        case str(game), None:
            await people.declines.decline_offer(account, game)
        case None, str(sender):
            await people.declines.decline_sender(account, sender)
        case _:
            raise FieldRefused(place="$", message="expected either a game or a sender, found both or neither")
    return Declined(game=asked.game, sender=asked.sender)


@post(
    "/v1/account/declines/removals",
    operation_id="accept_sender",
    summary="Take a sender's offers again",
    description="Offers of this account are listed and notified as before.",
    tags=["players"],
    operation_class=takes(SenderBody, {"sender": ADA}),
    responses=answers(Declined, {"game": None, "sender": ADA}, status=201, refusals=COMMAND_REFUSALS, said="Accepted"),
)
async def accept_sender(
    body: RawBody, caller: NamedDependency[Caller], people: NamedDependency[PeopleParts]
) -> Declined:
    require_scope(caller, "play")
    sender = _SENDER.read(body).sender
    await people.declines.accept_sender(require_reader(caller), sender)
    return Declined(game=None, sender=sender)


DECLINE_ROUTES = (list_declines, decline_offers, accept_sender)
