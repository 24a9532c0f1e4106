"""The metrics of this process, for holders of the token that the operator put into a file; without one there are none.

They tell how busy a server is and which rejections its players meet, which is the operator's business alone.
"""

import hmac
from collections.abc import Awaitable, Callable
from pathlib import Path

from litestar import Request, Response, get
from litestar.datastructures import State
from litestar.exceptions import NotAuthorizedException
from msgspec import Struct

from infra.metrics import CONTENT_TYPE, Metrics
from infra.settings import SettingsRefused, variable_name
from services.api.authentication import CHALLENGE, SCHEME

METRICS_STATE = "metrics"
# Half of the output of `openssl rand -hex 32`.
TOKEN_CHARS_MIN = 32


class MetricsPage(Struct, frozen=True, kw_only=True):
    """`refresh` reads the values that are not simply counted."""

    metrics: Metrics
    token: str
    refresh: Callable[[], Awaitable[None]]

    def __repr__(self) -> str:
        """Hide the token."""
        return "MetricsPage(<hidden>)"


def read_metrics_token(path: Path) -> str:
    """Read the token. Raises SettingsRefused."""
    name = variable_name("metrics_token_file")
    try:
        token = path.read_text(encoding="ascii", errors="replace").strip()
    except OSError as error:
        raise SettingsRefused((f"{name}: expected a file with a token, found {path}: {error.strerror}",)) from None
    if len(token) < TOKEN_CHARS_MIN or not token.isprintable():
        raise SettingsRefused((f"{name}: expected a file with at least {TOKEN_CHARS_MIN} characters, found fewer",))
    return token


# Not among the operations that clients are told of: it is for the machine's own operator.
@get("/metrics", operation_id="read_metrics", include_in_schema=False)
async def get_metrics(request: Request[object, object, State], state: State) -> Response[str]:
    page: MetricsPage = state[METRICS_STATE]
    header = request.headers.get("authorization", "")
    token = header[len(SCHEME) :].strip() if header.lower().startswith(SCHEME) else ""
    if not hmac.compare_digest(token.encode(), page.token.encode()):
        detail = "expected the token of the metrics, found another one or none"
        raise NotAuthorizedException(detail=detail, headers=CHALLENGE)
    await page.refresh()
    return Response(page.metrics.render(), media_type=CONTENT_TYPE, headers={"cache-control": "no-store"})
