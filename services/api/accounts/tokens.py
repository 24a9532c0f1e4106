"""Tokens of an account, for programs: each with a name, scopes and an end. They and sessions are listed and revoked.

A revoked token opens nothing more within a second, on every process and in every open stream.
"""

from datetime import datetime
from typing import Annotated, Any

from litestar import Request, Response, get, post
from litestar.datastructures import State
from litestar.di import NamedDependency
from litestar.params import RawBody
from msgspec import Meta, Struct

from domain.accounts.account import Scope
from domain.accounts.token import TOKENS_MAX, TokenKind
from domain.ids import UUID_PATTERN
from domain.names import NAME_CHARS_MAX
from domain.rejection import NotNow
from services.api.http.answering import AnyRequest, answer_tagged
from services.api.http.authentication import find_key, require_scope
from services.api.http.bodies import BodyReader, require_shown_at
from services.api.http.documented import COMMAND_REFUSALS, TaggedForTokens, answers, takes
from services.api.http.examples import ADD_TOKEN_EXAMPLE, REVOKE_EXAMPLE, TOKEN_EXAMPLE
from services.api.http.parts import PeopleParts
from services.reading.access import Caller

# Two years; a token without an end is asked for as one.
DAYS_MAX = 731
MINUTES_PER_DAY = 24 * 60

TokenId = Annotated[str, Meta(pattern=UUID_PATTERN)]
ScopesGiven = Annotated[tuple[Scope, ...], Meta(min_length=1, max_length=4)]


class TokenRefused(NotNow):
    """The token cannot be made or revoked so."""

    code = "token-refused"


class AddTokenBody(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`days` until its end; null for a token that is good until it is revoked."""

    name: Annotated[str, Meta(min_length=1, max_length=NAME_CHARS_MAX)]
    scopes: ScopesGiven
    days: Annotated[int, Meta(ge=1, le=DAYS_MAX)] | None


class RevokeBody(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The ids of tokens, sessions and codes; null for all but the one of this request."""

    tokens: Annotated[tuple[TokenId, ...], Meta(max_length=TOKENS_MAX)] | None


class TokenShown(Struct, frozen=True, kw_only=True):
    """A `session` is a browser's, a `code` opens one session. `is_this` marks the one of the request."""

    id: str
    kind: TokenKind
    name: str
    scopes: tuple[Scope, ...]
    created_at: datetime
    ends_at: datetime | None
    is_this: bool


class TokensShown(Struct, frozen=True, kw_only=True):
    items: tuple[TokenShown, ...]


class TokenAdded(Struct, frozen=True, kw_only=True):
    """`token` is shown in this answer only."""

    id: str
    token: str


class Revoked(Struct, frozen=True, kw_only=True):
    """So many were live."""

    revoked: int


_ADD = BodyReader[AddTokenBody](AddTokenBody)
_REVOKE = BodyReader[RevokeBody](RevokeBody)


@get(
    "/v1/account/tokens",
    operation_class=TaggedForTokens,
    operation_id="list_tokens",
    summary="List your tokens",
    description="All that open the account now: tokens of programs, sessions of browsers, codes.",
    tags=["account"],
    responses=answers(TokensShown, {"items": [TOKEN_EXAMPLE]}, refusals=(403,), said="Tokens"),
)
async def list_tokens(
    request: AnyRequest, caller: NamedDependency[Caller], people: NamedDependency[PeopleParts]
) -> Response[Any]:
    require_scope(caller, "account")
    return answer_tagged(request, caller, TokensShown(items=await read_tokens(request, caller, people)))


async def read_tokens(request: AnyRequest, caller: Caller, people: PeopleParts) -> tuple[TokenShown, ...]:
    rows = await people.tokens.list_of(find_key(request))
    return tuple(
        TokenShown(
            id=row.id,
            kind=row.kind,
            name=row.name,
            scopes=row.scopes,
            created_at=row.created_at,
            ends_at=row.ends_at,
            is_this=row.id == caller.token,
        )
        for row in rows
    )


@post(
    "/v1/account/tokens",
    operation_id="add_token",
    summary="Make a token",
    description="For a program that plays (`play`), rules (`organise`), reads as you (`read`), or manages the account "
    f"(`account`), with no more scopes than the token of this request. An account has {TOKENS_MAX} at most.",
    tags=["account"],
    operation_class=takes(AddTokenBody, ADD_TOKEN_EXAMPLE),
    responses=answers(
        TokenAdded,
        {"id": TOKEN_EXAMPLE["id"], "token": "spina_shown-once-and-kept-by-you-alone"},
        status=201,
        refusals=COMMAND_REFUSALS,
        said="The token",
    ),
)
async def add_token(
    request: Request[object, object, State],
    body: RawBody,
    caller: NamedDependency[Caller],
    people: NamedDependency[PeopleParts],
) -> Response[TokenAdded]:
    require_scope(caller, "account")
    asked = _ADD.read(body)
    require_shown_at("$.name", asked.name)
    minutes = None if asked.days is None else asked.days * MINUTES_PER_DAY
    added = await people.tokens.add(
        find_key(request), kind="token", name=asked.name, scopes=set(asked.scopes), minutes=minutes
    )
    if added is None:
        raise TokenRefused(
            expected=f"fewer than {TOKENS_MAX} tokens, and scopes of {sorted(caller.scopes)}",
            found=f"as many tokens, or the scopes {sorted(asked.scopes)}",
        )
    return Response(TokenAdded(id=added[0], token=added[1]), headers={"cache-control": "no-store"})


@post(
    "/v1/account/revocations",
    operation_id="revoke_tokens",
    summary="Revoke tokens",
    description="Ends tokens, sessions and codes of the account, and the ways of notices that they added; null ends "
    "all but the caller's. Streams and sockets close within a second.",
    tags=["account"],
    operation_class=takes(RevokeBody, REVOKE_EXAMPLE),
    responses=answers(Revoked, {"revoked": 1}, status=201, refusals=COMMAND_REFUSALS, said="Revoked"),
)
async def revoke_tokens(
    request: Request[object, object, State],
    body: RawBody,
    caller: NamedDependency[Caller],
    people: NamedDependency[PeopleParts],
) -> Revoked:
    require_scope(caller, "account")
    revoked = await people.tokens.end(find_key(request), _REVOKE.read(body).tokens)
    await people.known_tokens.look()
    return Revoked(revoked=revoked)
