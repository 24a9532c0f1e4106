"""The session of a browser, in a cookie that no script can read: `authorization: Session player` names the cookie.

It counts beside that header alone, which no form can send, and no script of another site without asking first. A
request that was forged elsewhere has no session, and neither has a socket, to which a page can give no header.
"""

import re
from typing import Any

from litestar.connection import ASGIConnection
from litestar.datastructures import Cookie
from litestar.exceptions import PermissionDeniedException

from domain.accounts.account import Role
from domain.accounts.token import SESSION_DAYS

SCHEME = "session"
DAY_S = 24 * 3600

_BROWSERS = re.compile(r"Firefox|Edg|Chrome|Safari")
_MACHINES = re.compile(r"Android|iPhone|iPad|Windows|Mac OS|Linux")

AnyConnection = ASGIConnection[Any, object, object, Any]


def is_of_page(request: AnyConnection) -> bool:
    """Return whether a request comes from a page of this server, by the header that only such a page can send."""
    return request.headers.get("authorization", "").partition(" ")[0].lower() == SCHEME


def require_page(request: AnyConnection) -> None:
    if not is_of_page(request):
        raise PermissionDeniedException(detail="expected a page's header `authorization: Session`, found none")


def read_cookie(request: AnyConnection, role: str) -> str:
    """Return the token of a session; an empty text where there is none."""
    return request.cookies.get(_name(request, role), "")


def build_cookie(request: AnyConnection, role: Role, token: str) -> Cookie:
    """Build the cookie of a session, or with an empty text the one that ends it."""
    return Cookie(
        key=_name(request, role),
        value=token,
        max_age=SESSION_DAYS * DAY_S if token else 0,
        secure=_is_secure(request),
        httponly=True,
        samesite="strict",
    )


def name_device(request: AnyConnection) -> str:
    """Name a browser for its owner's list: `Firefox on Linux`."""
    agent = request.headers.get("user-agent", "")
    browser, machine = _BROWSERS.search(agent), _MACHINES.search(agent)
    browsers = {"Edg": "Edge"}
    named = browsers.get(browser[0], browser[0]) if browser else "A browser"
    return f"{named} on {machine[0]}" if machine else named


def _name(request: AnyConnection, role: str) -> str:
    # A browser takes a cookie of this prefix from this host alone, over TLS: no neighbour can plant one.
    return f"{'__Host-' if _is_secure(request) else ''}spina-{role}"


def _is_secure(request: AnyConnection) -> bool:
    return request.url.scheme in ("https", "wss")
