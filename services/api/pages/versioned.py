"""The pages' files under addresses that change with their bytes, which browsers keep for ever.

A page names these addresses, and every module that it will load: a browser asks for all at once, and for none again.
"""

import re
from collections.abc import Iterator, Mapping
from hashlib import sha256
from posixpath import normpath

from services.web.inlining import list_imports

PLAIN_PREFIX = b'"/web/'
VERSION_CHARS = 16
FOR_EVER = "public, max-age=31536000, immutable"
_VERSION = re.compile(rf"[0-9a-f]{{{VERSION_CHARS}}}")
_SCRIPT = re.compile(rb'<script type="module" src="/web/(?P<name>[^"]+)">')


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


def preload_modules(page: bytes, files: Mapping[str, bytes]) -> bytes:
    """Return a page that names all modules of its scripts before the first of them."""
    entries = [found["name"].decode() for found in _SCRIPT.finditer(page)]
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
