"""How what was read is answered: tagged by version and viewer, kept by whom it may be, and not sent twice."""

from typing import Any

from litestar import Request, Response
from litestar.datastructures import State

from services.access import ANYONE, Caller
from services.version import VERSION

# What a token changes is its owner's alone. Both kinds are asked about again, which costs a 304.
PUBLIC = "public, no-cache"
PRIVATE = "private, no-cache"

AnyRequest = Request[object, object, State]


def build_tag(*parts: object) -> str:
    """Build an ETag: what is shown, to whom, and the release that wrote it, as a later one may show more."""
    return f'"{".".join(map(str, parts))}.{VERSION}"'


def build_headers(caller: Caller, tag: str) -> dict[str, str]:
    return {"etag": tag, "cache-control": PUBLIC if caller == ANYONE else PRIVATE}


def has_it_already(request: AnyRequest, tag: str) -> bool:
    """Say whether `If-None-Match` names the tag."""
    given = request.headers.get("if-none-match", "")
    tags = [each.strip().removeprefix("W/") for each in given.split(",")]
    return tag in tags or tags == ["*"]


def not_modified(headers: dict[str, str]) -> Response[Any]:
    return Response(content=b"", status_code=304, headers=headers)
