"""Pages over the API's description that need no network: one HTML file of ours, one script kept with us."""

import asyncio
import gzip
import time
from functools import cache
from pathlib import Path
from typing import Any

from litestar import Response, get

from services.api.http.answering import AnyRequest
from services.api.http.ready import Ready, Turns, answer_ready, build_ready, takes_gzip

SCRIPT = Path(__file__).parent / "scalar" / "standalone.js.gz"
# Only this server's own files; the script writes its own styles into the page, and its pictures as data.
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; "
    "font-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
# The configuration keeps the page from third parties: no fonts, no telemetry, no assistant, no proxy.
PAGE = """\
<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Spina API</title>
<link rel="icon" href="data:,">
</head>
<body>
<noscript>This page needs JavaScript. It shows <a href="/v1/openapi.json">/v1/openapi.json</a>.</noscript>
<script id="api-reference" data-url="/v1/openapi.json" data-configuration='{"withDefaultFonts":false,"telemetry":false,\
"agent":{"disabled":true},"mcp":{"disabled":true},"showDeveloperTools":"never","hideClientButton":true}'></script>
<script src="/v1/docs/scalar.js"></script>
</body>
</html>
"""
# The address of the script does not change with its release, so it is asked about again after a day.
SCRIPT_AGE_S = 24 * 3600
# Handing four megabytes to the system takes two milliseconds, also for a caller that reads none of them.
UNPACKED = Turns(0.01)


@get("/v1/docs", include_in_schema=False)
async def read_page(request: AnyRequest) -> Response[Any]:
    headers = {"content-security-policy": POLICY, "cache-control": "public, no-cache"}
    return answer_ready(request, _build_page(), headers)


@get("/v1/docs/scalar.js", operation_id="read_docs_script", include_in_schema=False)
async def read_script(request: AnyRequest) -> Response[Any]:
    if not takes_gzip(request):
        await asyncio.sleep(UNPACKED.reserve(time.monotonic()))
    return answer_ready(request, _read_script(), {"cache-control": f"public, max-age={SCRIPT_AGE_S}"})


@cache
def _build_page() -> Ready:
    return build_ready(PAGE.encode(), "text/html")


@cache
def _read_script() -> Ready:
    """Read the script once, when it is first asked for: it is four megabytes, and most servers are never asked."""
    packed = SCRIPT.read_bytes()
    return build_ready(gzip.decompress(packed), "text/javascript", packed=packed)
