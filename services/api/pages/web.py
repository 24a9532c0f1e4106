"""The pages for people: games, tournaments, players, a file to verify, with their scripts and styles.

A request can name only the files that the folder held when it was first read; no name from outside becomes a path.
"""

from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from litestar import Response, get
from litestar.exceptions import NotFoundException
from litestar.handlers import HTTPRouteHandler
from litestar.params import FromPath
from msgspec import Struct

import services.web
from services.api.http.answering import AnyRequest
from services.api.http.problems import on_http_exception
from services.api.http.ready import Ready, answer_ready, build_ready
from services.api.pages.rules_pages import list_rules, render_rules
from services.api.pages.versioned import (
    FOR_EVER,
    PLAIN_PREFIX,
    find_version,
    join_modules,
    joined_name,
    name_joined,
    preload_modules,
    split_version,
    with_version,
)

FOLDER = Path(services.web.__path__[0])
CONTENT_TYPES = {
    ".css": "text/css",
    ".html": "text/html",
    ".js": "text/javascript",
    ".svg": "image/svg+xml",
    # A phone sends notices to pages on its home screen alone, and needs this to put one there.
    ".webmanifest": "application/manifest+json",
}
NOT_FRAMED = "frame-ancestors 'none';"
# Only this server's own files, nothing written into the page, and no text that could become markup.
POLICY = (
    "default-src 'none'; script-src 'self'; worker-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
    f"manifest-src 'self'; base-uri 'none'; form-action 'none'; {NOT_FRAMED} "
    # The names by which scripts may open the one worker (verify/open_worker.js) and the service worker (push.js).
    "require-trusted-types-for 'script'; trusted-types spina-worker spina-notices"
)
# A plain address stays the same from release to release, so each use asks again, which costs a 304.
KEPT = "public, no-cache"
NO_FILE = "expected a file of the pages, found another name"


# Each page with its file below the folder; `shell.html` is around all of them.
PAGES = {
    "/": "lobby.html",
    "/account": "account.html",
    "/courses": "courses.html",
    "/tournaments": "tournaments.html",
    "/tournaments/new": "opening.html",
    "/tournaments/{tournament}": "tournament.html",
    "/tournaments/{tournament}/organise": "organise.html",
    "/tournaments/{tournament}/wall": "wall.html",
    "/players/{player}": "player.html",
    "/rules/{ruleset}": "rules/{ruleset}.html",
    "/verify": "verify.html",
}
SHELL = FOLDER / "shell.html"
# One page for each document of rules.
RULES = FOLDER / "rules.html"
# Parts of other pages; services/web/race_file.py fills the second.
WITHOUT_ADDRESS = {SHELL, FOLDER / "race_file.html", RULES}


@get([path.replace("}", ":str}") for path in PAGES], include_in_schema=False)
async def read_html_page(request: AnyRequest) -> Response[Any]:
    """Answer the same page for every id; it asks for the game itself and states so where there is none."""
    return _answer(request, PAGES[request.scope["path_template"]].format(**request.path_params))


@get("/sw.js", include_in_schema=False)
async def read_service_worker(request: AnyRequest) -> Response[Any]:
    """Answer the service worker beside the pages: it is one for all addresses below its own."""
    return _answer(request, "sw.js")


@get("/web/{name:path}", operation_id="read_web_file", include_in_schema=False)
async def read_web_file(request: AnyRequest, name: FromPath[str]) -> Response[Any]:
    """Answer a file by its plain address, or by that of its version, for ever.

    A page of another release gets the files of this one, and keeps none of them.
    """
    version, plain = split_version(str(name).lstrip("/"))
    if version is None:
        return _answer(request, plain)
    files = read_versioned_files()
    ready = files.by_name.get(plain)
    if ready is None:
        raise NotFoundException(detail=NO_FILE)
    kept = FOR_EVER if version == files.version else KEPT
    return answer_ready(request, ready, {"cache-control": kept, "content-security-policy": POLICY})


def on_not_found(request: AnyRequest, error: NotFoundException) -> Response[Any]:
    """Answer people, who come with a browser, with a page that leads on; programs with a problem."""
    if request.method != "GET" or request.accept.best_match(["application/json", "text/html"]) != "text/html":
        return on_http_exception(request, error)
    page = read_web_files()["nowhere.html"]
    headers = {"cache-control": "no-store", "content-security-policy": POLICY}
    return Response(page.content, status_code=error.status_code, media_type=page.content_type, headers=headers)


def _answer(request: AnyRequest, name: str) -> Response[Any]:
    found = read_web_files().get(name)
    if found is None:
        raise NotFoundException(detail=NO_FILE)
    return answer_file(request, found)


def answer_file(request: AnyRequest, ready: Ready, *, framed_by: Sequence[str] = ()) -> Response[Any]:
    """Answer a file; a page may be shown in frames of these origins alone."""
    ancestors = f"frame-ancestors {' '.join(framed_by)};"
    # The policy goes with a 304 too: a browser takes the headers of the newest answer, and each answer here has one.
    policy = POLICY.replace(NOT_FRAMED, ancestors) if framed_by else POLICY
    return answer_ready(request, ready, {"cache-control": KEPT, "content-security-policy": policy})


class VersionedFiles(Struct, frozen=True, kw_only=True):
    version: str
    by_name: Mapping[str, Ready]


@cache
def read_sources() -> Mapping[str, bytes]:
    """Read every file of the pages once, by its path below the folder; they are a few hundred kilobytes together."""
    paths = (path for path in sorted(FOLDER.rglob("*")) if path.suffix in CONTENT_TYPES and path.is_file())
    sources = {path.relative_to(FOLDER).as_posix(): path.read_bytes() for path in paths if path not in WITHOUT_ADDRESS}
    template = RULES.read_text()
    for name, (title, _) in list_rules().items():
        page = template.replace("<title>", f"<title>{title}: ").replace("<!-- rules -->", render_rules(name))
        sources[f"rules/{name}.html"] = page.encode()
    return sources


@cache
def read_joined_scripts() -> Mapping[str, bytes]:
    """Join the modules of each page once."""
    return join_modules(read_sources())


@cache
def read_web_files() -> Mapping[str, Ready]:
    """Build the files as they are answered by their plain addresses: sources as written, and whole pages."""
    return {name: _build(name, content) for name, content in read_sources().items()}


@cache
def read_versioned_files() -> VersionedFiles:
    """Build the files as they are answered by the addresses of their version."""
    sources = read_sources()
    version = find_version(sources)
    named = {name for name, content in sources.items() if PLAIN_PREFIX in content and not name.endswith(".html")}
    contents = {**{name: sources[name] for name in named}, **read_joined_scripts()}
    changed = {name: _build(name, with_version(content, version)) for name, content in contents.items()}
    return VersionedFiles(version=version, by_name={**read_web_files(), **changed})


def _build(name: str, content: bytes) -> Ready:
    suffix = Path(name).suffix
    if suffix == ".html":
        sources = read_sources()
        head, main = content.split(b"<main", maxsplit=1)
        content = SHELL.read_bytes().replace(b"<!-- head -->\n", head).replace(b"<!-- main -->\n", b"<main" + main)
        script = joined_name(name)
        is_joined = script in read_joined_scripts()
        content = name_joined(content, script) if is_joined else preload_modules(content, sources)
        content = with_version(content, find_version(sources))
    return build_ready(content, CONTENT_TYPES[suffix])


PAGE_ROUTES: tuple[HTTPRouteHandler, ...] = (read_html_page, read_service_worker, read_web_file)
