"""Signing a browser in and out. A session is opened by a code, which is used up, or by a token.

Each session is a new secret: one that a browser brought from before is ended, never taken over.
"""

from typing import Annotated, Any

from litestar import Request, Response, post
from litestar.datastructures import State
from litestar.di import NamedDependency
from litestar.exceptions import NotAuthorizedException
from litestar.params import RawBody
from msgspec import Meta, Struct

from domain.accounts.account import Account, Role
from domain.accounts.token import hash_token
from services.api.http.authentication import count_network
from services.api.http.bodies import BodyReader
from services.api.http.documented import BODY_REFUSALS, TOKEN_IGNORED, answers, takes
from services.api.http.examples import SIGN_IN_EXAMPLE, SIGNED_IN_EXAMPLE
from services.api.http.guarding import find_network
from services.api.http.parts import Parts, PeopleParts
from services.api.http.rates import SIGN_INS
from services.api.http.session_cookies import build_cookie, name_device, read_cookie, require_page

# A code with its hyphens has 23 characters, a token 49.
SECRET_CHARS_MAX = 100


class SignInBody(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A code of the account, in any case and with or without hyphens, or a token with the scope `account`."""

    secret: Annotated[str, Meta(min_length=1, max_length=SECRET_CHARS_MAX)]


class SignOutBody(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    role: Role


class SignedIn(Struct, frozen=True, kw_only=True):
    """The account of the session. The session itself is in a cookie."""

    id: str
    name: str
    role: Role


class SignedOut(Struct, frozen=True, kw_only=True):
    role: Role


_SIGN_IN = BodyReader[SignInBody](SignInBody)
_SIGN_OUT = BodyReader[SignOutBody](SignOutBody)
_NOTE = "For pages of this server, which send the header `authorization: Session`; programs have tokens."


@post(
    "/v1/sessions",
    operation_id="sign_in",
    summary="Sign a browser in",
    description=f"{_NOTE} A code is good for one session, a recovery code too.",
    tags=["account"],
    operation_class=takes(SignInBody, SIGN_IN_EXAMPLE, needed=TOKEN_IGNORED),
    responses=answers(SignedIn, SIGNED_IN_EXAMPLE, status=201, refusals=(403, *BODY_REFUSALS), said="Signed in"),
)
async def sign_in(
    request: Request[object, object, State], body: RawBody, parts: NamedDependency[Parts]
) -> Response[SignedIn]:
    require_page(request)
    secret = _SIGN_IN.read(body).secret
    await parts.rates.spend(SIGN_INS, find_network(request.scope))
    token = await parts.people.tokens.open_session(secret, name=name_device(request))
    login = None if token is None else await parts.people.tokens.find(token)
    if token is None or login is None:
        raise NotAuthorizedException(detail="expected a code that was not used yet, or a token; found another text")
    return await answer_session(request, parts.people, login.account, token)


async def answer_session(
    request: Request[object, object, State], people: PeopleParts, account: Account, token: str
) -> Response[Any]:
    """Answer with the cookie of a new session, and end the one that the browser had for that role."""
    before = read_cookie(request, account.role)
    if before:
        await people.tokens.end_session(hash_token(before))
    shown = SignedIn(id=account.id, name=account.name, role=account.role)
    cookie = build_cookie(request, account.role, token)
    return Response(shown, status_code=201, headers={"cache-control": "no-store"}, cookies=[cookie])


@post(
    "/v1/sessions/end",
    operation_id="sign_out",
    summary="Sign a browser out",
    description=f"{_NOTE} Ends the session of a role, if there is one; its streams close within a second.",
    tags=["account"],
    operation_class=takes(SignOutBody, {"role": "player"}, needed=TOKEN_IGNORED),
    responses=answers(SignedOut, {"role": "player"}, status=201, refusals=(403, *BODY_REFUSALS), said="Signed out"),
)
async def sign_out(
    request: Request[object, object, State], body: RawBody, parts: NamedDependency[Parts]
) -> Response[SignedOut]:
    require_page(request)
    await count_network(request, parts)
    role = _SIGN_OUT.read(body).role
    before = read_cookie(request, role)
    if before:
        await parts.people.tokens.end_session(hash_token(before))
        await parts.people.known_tokens.look()
    headers = {"cache-control": "no-store"}
    return Response(SignedOut(role=role), status_code=201, headers=headers, cookies=[build_cookie(request, role, "")])
