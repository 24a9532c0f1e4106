"""The account of the caller's token: for a client, before it sends anything with it."""

from typing import Any

from litestar import Response, get
from litestar.di import NamedDependency
from msgspec import Struct

from domain.ids import PlayerId
from infra.postgres.accounts import Scope
from services.api.answering import AnyRequest, answer_tagged
from services.api.authentication import require_actor
from services.api.documented import TaggedForTokens, answers
from services.api.examples import ACCOUNT_EXAMPLE
from services.api.parts import Parts
from services.reading.access import Caller


class AccountShown(Struct, frozen=True, kw_only=True):
    """`id` and `name` are null for the operator, who signs without an account."""

    scope: Scope
    id: str | None
    name: str | None


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
    request: AnyRequest, caller: NamedDependency[Caller], parts: NamedDependency[Parts]
) -> Response[Any]:
    require_actor(caller)
    if caller.is_operator:
        return answer_tagged(request, caller, AccountShown(scope="operator", id=None, name=None))
    person = PlayerId(caller.player or caller.organiser or "")
    names = await parts.accounts.find_people([person])
    scope: Scope = "organiser" if caller.player is None else "player"
    return answer_tagged(request, caller, AccountShown(scope=scope, id=person, name=names.get(person)))
