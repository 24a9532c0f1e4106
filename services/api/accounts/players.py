"""Accounts of players: open to all. The token is in the answer of the first request and never again anywhere."""

from typing import Annotated, Any

from litestar import Request, Response, get, post
from litestar.datastructures import State
from litestar.di import NamedDependency
from litestar.params import RawBody
from msgspec import Meta, Struct

from domain.accounts.account import Account, Role, Scope
from domain.accounts.token import SESSION_DAYS
from domain.ids import PlayerId
from domain.names import NAME_CHARS_MAX, NameRefused, read_player_name
from infra.uuid7 import build_uuid7
from services.api.accounts.sessions import answer_session
from services.api.http.answering import AnyRequest, answer_tagged
from services.api.http.authentication import find_key, read_token, require_account
from services.api.http.bodies import BodyReader, FieldRefused
from services.api.http.documented import BODY_REFUSALS, TOKEN_IGNORED, TaggedForTokens, answers, takes
from services.api.http.examples import ACCOUNT_EXAMPLE, PLAYER_EXAMPLE, REGISTER_EXAMPLE
from services.api.http.guarding import find_network
from services.api.http.parts import Parts, PeopleParts
from services.api.http.rates import ACCOUNTS
from services.api.http.session_cookies import build_cookie, is_of_page, name_device
from services.reading.access import Caller


class RegisterBody(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The name is shown to everyone. It is not in any log, which holds the id alone.

    The space around it is left out. A name that looks like one in use gets a number: `Ada #2`. Refused are characters
    that are not shown or turn others about, `#`, the names of house bots, and the word bot at the end.
    """

    name: Annotated[str, Meta(min_length=1, max_length=NAME_CHARS_MAX)]
    # Declares the account as a program's, for ever: its name ends in `(bot)` wherever a name is shown.
    is_bot: bool = False


class Registered(Struct, frozen=True, kw_only=True):
    """`token` goes into the `Authorization: Bearer …` header of this player's requests."""

    id: PlayerId
    name: str
    token: str


_REGISTER = BodyReader[RegisterBody](RegisterBody)


@post(
    "/v1/players",
    operation_id="register_player",
    summary="Make an account",
    description="The token is shown in this answer only; the server keeps its hash. Sent again, it makes another one. "
    "A page sends the header `authorization: Session` and gets a session in a cookie instead, and no token.",
    tags=["players"],
    operation_class=takes(RegisterBody, REGISTER_EXAMPLE, needed=TOKEN_IGNORED),
    responses=answers(Registered, PLAYER_EXAMPLE, status=201, refusals=BODY_REFUSALS),
)
async def register_player(
    request: Request[object, object, State], body: RawBody, parts: NamedDependency[Parts]
) -> Response[Any]:
    asked = _REGISTER.read(body)
    name, is_bot = read_player_name_at(asked.name), asked.is_bot
    await parts.rates.spend(ACCOUNTS, find_network(request.scope))
    player, accounts = PlayerId(build_uuid7(parts.now_ms())), parts.people.accounts
    if is_of_page(request):
        device = name_device(request)
        token = await accounts.create_player(
            player, name, kind="session", token_name=device, days=SESSION_DAYS, is_bot=is_bot
        )
    else:
        token = await accounts.create_player(player, name, is_bot=is_bot)
    names = await accounts.find_names({player})
    if is_of_page(request):
        return await answer_session(request, parts.people, Account(id=player, name=names[player], role="player"), token)
    shown = Registered(id=player, name=names[player], token=token)
    return Response(shown, headers={"cache-control": "no-store"})


def read_player_name_at(name: str) -> str:
    """Return a name that a player may choose, or refuse the field."""
    try:
        return read_player_name(name)
    except NameRefused as refused:
        raise FieldRefused(place="$.name", message=str(refused)) from None


class AccountShown(Struct, frozen=True, kw_only=True):
    """`id` and `name` are null for the operator, who signs without an account. `scopes` are the token's."""

    role: Role
    id: str | None
    name: str | None
    scopes: tuple[Scope, ...]


@get(
    "/v1/account",
    operation_class=TaggedForTokens,
    operation_id="read_account",
    summary="Read whose token this is",
    description="Players play, organisers open tournaments and rule on what names them, the operator looks after all.",
    tags=["players"],
    responses=answers(AccountShown, ACCOUNT_EXAMPLE, refusals=(), said="The account"),
)
async def read_account(
    request: AnyRequest, caller: NamedDependency[Caller], people: NamedDependency[PeopleParts]
) -> Response[Any]:
    require_account(caller)
    answer = answer_tagged(request, caller, await show_account(people, caller))
    if is_of_page(request):
        # A session that is used stays: the page asks once when it opens.
        await people.tokens.renew_session(find_key(request))
        answer.cookies.append(build_cookie(request, find_role(caller), read_token(request) or ""))
    return answer


async def show_account(people: PeopleParts, caller: Caller) -> AccountShown:
    scopes = tuple(sorted(caller.scopes))
    if caller.is_operator:
        return AccountShown(role="operator", id=None, name=None, scopes=scopes)
    person = PlayerId(caller.player or caller.organiser or "")
    names = await people.accounts.find_people([person])
    return AccountShown(role=find_role(caller), id=person, name=names.get(person), scopes=scopes)


def find_role(caller: Caller) -> Role:
    if caller.is_operator:
        return "operator"
    return "organiser" if caller.player is None else "player"
