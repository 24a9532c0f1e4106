"""The page of a refused pace: people who come with a browser read words, and the page comes again by itself.

Programs get the problem that it replaces.
"""

from litestar.types import HTTPResponseStartEvent, Message, Scope, Send

TOO_MANY_REQUESTS = 429
HTML = b"text/html"
PAGE = """\
<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta http-equiv="refresh" content="{wait_s}">
<title>One moment · Spina</title>
</head>
<body>
<h1>One moment</h1>
<p>Too many requests came from this network at once. The page comes again by itself, in about {wait_s} s.</p>
</body>
</html>
"""


def with_busy_page(scope: Scope, send: Send) -> Send:
    """Return a `send` that answers a browser's refused request for a page with the busy page."""
    if scope.get("method") != "GET" or HTML not in dict(scope["headers"]).get(b"accept", b""):
        return send
    page = b""

    async def send_page(message: Message) -> None:
        nonlocal page
        if message["type"] == "http.response.start" and message["status"] == TOO_MANY_REQUESTS:
            page = PAGE.format(wait_s=dict(message["headers"])[b"retry-after"].decode()).encode()
            message["headers"] = _describe(message, page)
        elif message["type"] == "http.response.body" and page:
            message["body"] = page
        await send(message)

    return send_page


def _describe(message: HTTPResponseStartEvent, page: bytes) -> list[tuple[bytes, bytes]]:
    own = {b"content-type": b"text/html; charset=utf-8", b"content-length": b"%d" % len(page)}
    return [*((name, value) for name, value in message["headers"] if name.lower() not in own), *own.items()]
