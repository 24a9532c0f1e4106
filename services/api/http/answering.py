"""Answers to reads: tagged by version and viewer, with the caches that may keep them, and not sent twice."""

import hashlib
from typing import Any

import msgspec
from litestar import Request, Response
from litestar.datastructures import State

from infra.version import VERSION
from services.reading.access import Caller

# A change made with a token is its owner's alone. Both kinds are asked about again, which costs a 304.
PUBLIC = "public, no-cache"
PRIVATE = "private, no-cache"

AnyRequest = Request[object, object, State]
# Of the hash of an answer, in hex: two that differ in so much are as good as never met.
DIGEST_CHARS = 24


def build_tag(*parts: object) -> str:
    """Build an ETag: the content, the viewer, and the release that wrote it, as a later one may show more."""
    return f'"{".".join(map(str, parts))}.{VERSION}"'


def build_headers(caller: Caller, tag: str) -> dict[str, str]:
    return {"etag": tag, "cache-control": PUBLIC if caller.is_anyone else PRIVATE}


def has_it_already(request: AnyRequest, tag: str) -> bool:
    """Return whether `If-None-Match` names the tag."""
    given = request.headers.get("if-none-match", "")
    tags = [word.strip().removeprefix("W/") for word in given.split(",")]
    return tag in tags or tags == ["*"]


def not_modified(headers: dict[str, str]) -> Response[Any]:
    return Response(content=b"", status_code=304, headers=headers)


def answer_tagged(request: AnyRequest, caller: Caller, body: Any) -> Response[Any]:
    """Answer content without a version: tagged by the bytes themselves, for every caller."""
    content = body if isinstance(body, bytes) else msgspec.json.encode(body)
    tag = build_tag(hashlib.sha256(content).hexdigest()[:DIGEST_CHARS])
    headers = build_headers(caller, tag)
    if has_it_already(request, tag):
        return not_modified(headers)
    return Response(content, media_type="application/json", headers=headers)
