"""The caller's identity: an opaque bearer token, or none. Public reads need none.

Every route asks here, so this is also where requests are counted against their limit.
"""

from collections.abc import Collection
from typing import Any

from litestar import Request
from litestar.connection import ASGIConnection
from litestar.datastructures import State
from litestar.di import NamedDependency, Provide
from litestar.exceptions import NotAuthorizedException, PermissionDeniedException

from domain.accounts.account import Scope
from domain.accounts.token import Login, hash_token
from domain.game.rejections import UnfitTerms
from domain.house import is_house
from domain.ids import OrganiserId, PlayerId
from domain.log.actors import Actor, ByOperator, ByOrganiser, ByPlayer
from infra.networks import Network
from infra.postgres.accounts import Accounts
from services.api.http.bodies import FieldRefused
from services.api.http.costs import find_cost, find_unpaid
from services.api.http.guarding import SHOWN_CHARS_MAX, find_network
from services.api.http.parts import Parts
from services.api.http.problems import list_query
from services.api.http.session_cookies import is_of_page, read_cookie
from services.reading.access import Caller, with_invitation

# The header with the secret of a link, by which its holder reads a game before taking the seat.
INVITATION = "invitation"
CHALLENGE = {"www-authenticate": 'Bearer realm="spina"'}


AnyConnection = ASGIConnection[Any, object, object, State]


async def provide_caller(request: Request[object, object, State], parts: NamedDependency[Parts]) -> Caller:
    """Return who asks."""
    return await identify(request, parts)


def _require_query(request: AnyConnection) -> None:
    """Refuse a misspelt parameter: a list would answer as if it were not there."""
    known = list_query(request.scope["route_handler"])
    unknown = min(set(request.query_params) - known, default=None)
    if unknown is not None:
        names = ", ".join(sorted(known)) or "no parameters"
        raise FieldRefused(place=ascii(unknown[:SHOWN_CHARS_MAX])[1:-1], message=f"expected {names}, found another")


def provide_part(name: str) -> Provide:
    """Build the provider of a part of the state, for routes that do not ask for the caller: callers are counted."""

    async def provide(
        state: State,
        caller: NamedDependency[Caller],  # noqa: ARG001 - a dependency on the caller counts the request
    ) -> Any:
        return state[name]

    return Provide(provide)


async def identify(request: AnyConnection, parts: Parts) -> Caller:
    """Return the caller a token names, with the invitation that it shows, once its request is paid for.

    A token that is none is refused, not ignored, and so is a misspelt parameter.
    """
    caller = with_invitation(await _identify(request, parts), request.headers.get(INVITATION))
    if request.scope["query_string"]:
        _require_query(request)
    return caller


async def _identify(request: AnyConnection, parts: Parts) -> Caller:
    token, network = read_token(request), find_network(request.scope)
    login = parts.people.known_tokens.recall(token) if token else None
    # The house plays at its own pace, with every player at once.
    if login is None or not is_house(PlayerId(login.account.id)):
        await _pay(request, parts, network, login)
    else:
        find_unpaid(request.scope)
    if token is None:
        return Caller(network=network)
    login = login or await parts.people.known_tokens.find(token)
    # A cookie holds a session and nothing else does: a token in a cookie is one planted there.
    if login is None or (login.kind == "session") != is_of_page(request):
        ended = parts.people.known_tokens.recalls_ended(token)
        found = "one that has ended" if ended else "one unknown here, or ended a while ago"
        raise NotAuthorizedException(detail=f"expected a live token or session, found {found}", headers=CHALLENGE)
    return caller_of(login, network)


def read_token(request: AnyConnection) -> str | None:
    """Return the token of a request; None without a header for one, and an empty text for a header without one."""
    header = request.headers.get("authorization")
    if header is None:
        return None
    scheme, _, rest = header.partition(" ")
    match scheme.lower():
        case "bearer":
            return rest.strip()
        case "session":
            return read_cookie(request, rest.strip())
        case _:
            return ""


def find_key(request: AnyConnection) -> bytes:
    """Return the hash of the token of a request, by which the database knows it."""
    return hash_token(read_token(request) or "")


async def count_network(request: AnyConnection, parts: Parts) -> None:
    """Count a request whose caller is not asked for, as of a browser that signs in or out."""
    await parts.rates.count(
        f"network:{find_network(request.scope)}", cost=find_cost(request.scope.get("route_handler"))
    )


async def _pay(request: AnyConnection, parts: Parts, network: Network, login: Login | None) -> None:
    """Count the request for the account of a known token, else for its network: a made-up token opens no limit."""
    cost = find_cost(request.scope.get("route_handler"))
    await parts.rates.count(f"network:{network}" if login is None else f"account:{login.account.id}", cost=cost)
    await parts.rates.pace(network, cost=find_unpaid(request.scope))


def caller_of(login: Login, network: Network) -> Caller:
    account = login.account
    return Caller(
        player=PlayerId(account.id) if account.role == "player" else None,
        organiser=OrganiserId(account.id) if account.role == "organiser" else None,
        operator=OrganiserId(account.id) if account.role == "operator" else None,
        token=login.id,
        scopes=login.scopes,
        network=network,
    )


def require_account(caller: Caller) -> Caller:
    """Refuse callers without a token."""
    if caller.account is None:
        raise NotAuthorizedException(detail="expected a bearer token, found none", headers=CHALLENGE)
    return caller


def require_scope(caller: Caller, scope: Scope) -> None:
    """Refuse a token without a scope."""
    if scope not in require_account(caller).scopes:
        found = ", ".join(sorted(caller.scopes))
        raise PermissionDeniedException(detail=f"expected a token with the scope {scope}, found {found}")


def require_actor(caller: Caller) -> Actor:
    """Return as whom the caller commands; a game states for itself who may."""
    require_scope(caller, "organise" if caller.player is None else "play")
    if caller.player is not None:
        return ByPlayer(player=caller.player)
    if caller.organiser is not None:
        return ByOrganiser(organiser=caller.organiser)
    return ByOperator(account=caller.operator)


def require_player(caller: Caller) -> PlayerId:
    """Return the player who asks, or refuse; commands ask `require_actor` as well."""
    require_account(caller)
    if caller.player is None:
        raise PermissionDeniedException(detail="expected a player's token, found one of another role")
    return caller.player


def require_reader(caller: Caller) -> PlayerId:
    """Return the player who asks, or refuse: also a token that reads nothing."""
    player = require_player(caller)
    if not caller.may_read:
        raise PermissionDeniedException(detail="expected a token with the scope read or play, found account")
    return player


async def require_organisers(accounts: Accounts, named: Collection[OrganiserId]) -> None:
    """Refuse ids that belong to no organiser."""
    strangers = sorted(set(named) - await accounts.find_organisers(named))
    if strangers:
        raise UnfitTerms(expected="accounts of organisers", found=", ".join(strangers))
