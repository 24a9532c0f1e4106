"""What a reader points at: files, folders of them, and games at a server's address, all audited alike."""

from collections.abc import Iterator, Sequence
from pathlib import Path

import httpx
from msgspec import Struct

from domain.rulesets.released import Rebuilder
from services.audits.audit import FileAudit, Terms, audit_bytes, audit_files, find_files
from services.audits.remote import FetchRefused, fetch_bundle, is_address, parse_address


class SourceRefused(Exception):
    """There is nothing at a path."""


class Sources(Struct, frozen=True, kw_only=True):
    files: tuple[Path, ...]
    addresses: tuple[str, ...]

    @property
    def count(self) -> int:
        return len(self.files) + len(self.addresses)


def find_sources(given: Sequence[str]) -> Sources:
    """Sort out what was given, or raise SourceRefused."""
    paths = [Path(each) for each in given if not is_address(each)]
    missing = [path for path in paths if not path.exists()]
    if missing:
        raise SourceRefused(f"expected a bundle, a folder or the address of a game, found nothing at {missing[0]}")
    addresses = tuple(dict.fromkeys(each for each in given if is_address(each)))
    return Sources(files=tuple(find_files(paths)), addresses=addresses)


def read_token(path: Path) -> str:
    """Read the token of an account, or raise SourceRefused without showing anything of it."""
    try:
        token = path.read_text(encoding="ascii").strip()
    except (OSError, UnicodeDecodeError):
        token = ""
    if not token or not token.isprintable():
        raise SourceRefused(f"expected a token in {path}, found none that can be read")
    return token


def audit_sources(sources: Sources, terms: Terms, *, processes: int, token: str | None = None) -> Iterator[FileAudit]:
    """Audit everything, the games at servers one after the other; all of these are shown the token."""
    yield from audit_files(sources.files, terms, processes=processes)
    if sources.addresses:
        rebuilder = Rebuilder(terms.builders)
        headers = {} if token is None else {"authorization": f"Bearer {token}"}
        with httpx.Client(headers=headers) as client:
            for address in sources.addresses:
                yield _audit_address(client, address, terms, rebuilder)


def _audit_address(client: httpx.Client, address: str, terms: Terms, rebuilder: Rebuilder) -> FileAudit:
    try:
        fetched = fetch_bundle(client, parse_address(address), terms.trust)
    except FetchRefused as refused:
        return FileAudit(path=address, verified=None, refusal=str(refused))
    return audit_bytes(fetched.raw, name=address, trust=fetched.trust, rebuilder=rebuilder)
