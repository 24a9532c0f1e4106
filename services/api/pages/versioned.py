"""The pages' files under addresses that change with their bytes, which browsers keep for ever.

A page names these addresses, and one script that joins its modules. A page whose modules load others later on names
every module instead, so that a browser asks for all at once. Plain addresses have the modules as they are written.
"""

import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from hashlib import sha256
from posixpath import normpath

from services.web.inlining import NotInlined, inline, list_imports

PLAIN_PREFIX = b'"/web/'
VERSION_CHARS = 16
FOR_EVER = "public, max-age=31536000, immutable"
_VERSION = re.compile(rf"[0-9a-f]{{{VERSION_CHARS}}}")
_SCRIPT = re.compile(rb'<script type="module" src="/web/(?P<name>[^"]+)"></script>\n')
# Joined scripts stand below a folder that the sources do not have, that of the verifier's worker among them.
JOINED = "joined/"
WORKER = "verify/worker.js"


def find_version(files: Mapping[str, bytes]) -> str:
    """Return the hash of all files: one module's bytes change the addresses of all, as modules name each other."""
    whole = sha256()
    for name, content in sorted(files.items()):
        whole.update(b"%b %d\n%b" % (name.encode(), len(content), content))
    return whole.hexdigest()[:VERSION_CHARS]


def split_version(name: str) -> tuple[str | None, str]:
    """Part a file's name below `/web/` from the version in front, if any."""
    version, _, rest = name.partition("/")
    return (version, rest) if rest and _VERSION.fullmatch(version) else (None, name)


def with_version(content: bytes, version: str) -> bytes:
    """Return a file whose addresses of other files have the version; modules name their neighbours without one."""
    return content.replace(PLAIN_PREFIX, b"%b%b/" % (PLAIN_PREFIX, version.encode()))


def join_modules(files: Mapping[str, bytes]) -> Mapping[str, bytes]:
    """Return the script of each page that can be joined, by its name, and that of the worker."""
    joined = {f"{JOINED}{WORKER}": inline(WORKER).encode()}
    for name, content in files.items():
        entries = list_scripts(content)
        if name.endswith(".html") and entries:
            with suppress(NotInlined):
                joined[joined_name(name)] = inline(*entries).encode()
    return {name: _with_joined_worker(content) for name, content in joined.items()}


def joined_name(page: str) -> str:
    return f"{JOINED}{page.removesuffix('.html')}.js"


def _with_joined_worker(content: bytes) -> bytes:
    return content.replace(b"/web/%b" % WORKER.encode(), b"/web/%b%b" % (JOINED.encode(), WORKER.encode()))


def list_scripts(page: bytes) -> list[str]:
    return [script["name"].decode() for script in _SCRIPT.finditer(page)]


def name_joined(page: bytes, joined: str) -> bytes:
    """Return a page with one script in the place of all."""
    first = next(_SCRIPT.finditer(page)).start()
    tag = b'<script type="module" src="/web/%b"></script>\n' % joined.encode()
    return page[:first] + tag + _SCRIPT.sub(b"", page[first:])


def preload_modules(page: bytes, files: Mapping[str, bytes]) -> bytes:
    """Return a page that names all modules of its scripts before the first of them."""
    entries = list_scripts(page)
    if not entries:
        return page
    links = b"".join(
        b'<link rel="modulepreload" href="/web/%b">\n' % name.encode()
        for name in dict.fromkeys(name for entry in entries for name in list_modules(entry, files))
        if name not in entries
    )
    first = next(_SCRIPT.finditer(page)).start()
    return page[:first] + links + page[first:]


def list_modules(entry: str, files: Mapping[str, bytes]) -> list[str]:
    """List a module and all that it imports, over others as well, each once."""
    listed: dict[str, None] = {}

    def visit(name: str) -> None:
        if name not in listed:
            listed[name] = None
            for imported in _list_neighbours(name, files):
                visit(imported)

    visit(entry)
    return list(listed)


def _list_neighbours(name: str, files: Mapping[str, bytes]) -> Iterator[str]:
    folder = name.rpartition("/")[0]
    for path in list_imports(files[name].decode()):
        yield normpath(f"{folder}/{path}" if folder else path)
