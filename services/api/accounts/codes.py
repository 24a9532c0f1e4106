"""Codes that open one session: for another device, good for minutes, or to recover the account, good until used."""

from typing import Annotated

from litestar import Request, Response, post
from litestar.datastructures import State
from litestar.di import NamedDependency
from litestar.params import RawBody
from msgspec import Meta, Struct

from domain.accounts.token import TOKENS_MAX
from services.api.accounts.tokens import TokenRefused
from services.api.http.authentication import find_key, require_scope
from services.api.http.bodies import BodyReader
from services.api.http.documented import COMMAND_REFUSALS, answers, takes
from services.api.http.examples import CODE, TOKEN_EXAMPLE
from services.api.http.parts import PeopleParts
from services.reading.access import Caller

# A day, for a seat that is carried to another device in a file.
MINUTES_MAX = 24 * 60


class AddCodeBody(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`minutes` until its end; null for the recovery code, which takes the place of the one before."""

    minutes: Annotated[int, Meta(ge=1, le=MINUTES_MAX)] | None


class CodeAdded(Struct, frozen=True, kw_only=True):
    """`code` is shown in this answer only."""

    id: str
    code: str


_ADD = BodyReader[AddCodeBody](AddCodeBody)


@post(
    "/v1/account/codes",
    operation_id="add_code",
    summary="Make a code for another device, or the recovery code",
    description="A code signs one browser in, by `POST /v1/sessions`, and is used up then.",
    tags=["account"],
    operation_class=takes(AddCodeBody, {"minutes": 10}, {"minutes": None}),
    responses=answers(
        CodeAdded, {"id": TOKEN_EXAMPLE["id"], "code": CODE}, status=201, refusals=COMMAND_REFUSALS, said="The code"
    ),
)
async def add_code(
    request: Request[object, object, State],
    body: RawBody,
    caller: NamedDependency[Caller],
    people: NamedDependency[PeopleParts],
) -> Response[CodeAdded]:
    require_scope(caller, "account")
    minutes = _ADD.read(body).minutes
    name = "Recovery code" if minutes is None else "Code for another device"
    added = await people.tokens.add(find_key(request), kind="code", name=name, scopes=caller.scopes, minutes=minutes)
    if added is None:
        raise TokenRefused(expected=f"fewer than {TOKENS_MAX} tokens and codes", found="as many")
    return Response(CodeAdded(id=added[0], code=added[1]), headers={"cache-control": "no-store"})
