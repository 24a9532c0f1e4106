"""Answers that are kept ready: plain and packed bytes, built once for all callers and tagged by their content."""

import gzip
from collections.abc import Mapping
from hashlib import sha256
from typing import Any

from litestar import Response
from msgspec import Struct

from services.api.http.answering import AnyRequest, has_it_already, not_modified

TAG_CHARS = 32


class Ready(Struct, frozen=True, kw_only=True):
    """A body with its packed form."""

    content: bytes
    packed: bytes
    content_type: str
    tag: str


def build_ready(content: bytes, content_type: str, *, packed: bytes | None = None) -> Ready:
    """Build an answer, and its packed form where none is given."""
    return Ready(
        content=content,
        packed=packed or gzip.compress(content, mtime=0),
        content_type=content_type,
        tag=f'"{sha256(content).hexdigest()[:TAG_CHARS]}"',
    )


class Turns:
    """Places in time, one after the other, for answers of which each takes milliseconds of the loop."""

    def __init__(self, every_s: float) -> None:
        self._every_s = every_s
        self._free_s = 0.0

    def reserve(self, now_s: float) -> float:
        """Return how long to wait for the next place."""
        wait_s = max(0.0, self._free_s - now_s)
        self._free_s = now_s + wait_s + self._every_s
        return wait_s


def takes_gzip(request: AnyRequest) -> bool:
    return "gzip" in request.headers.get("accept-encoding", "")


def answer_ready(request: AnyRequest, ready: Ready, headers: Mapping[str, str]) -> Response[Any]:
    """Answer packed where the caller takes that, and without a body where the caller has it already."""
    # A weak tag: it stands for both forms.
    headers = {**headers, "etag": f"W/{ready.tag}", "vary": "accept-encoding"}
    if has_it_already(request, ready.tag):
        return not_modified(headers)
    if takes_gzip(request):
        headers["content-encoding"] = "gzip"
        return Response(ready.packed, media_type=ready.content_type, headers=headers)
    return Response(ready.content, media_type=ready.content_type, headers=headers)
