"""The sources of an audit: files, folders, and games and tournaments at a server's address, all audited alike."""

from collections.abc import Iterator, Sequence
from pathlib import Path

import httpx
from msgspec import Struct

from domain.rulesets.released import Rebuilder
from services.audits.audit import Audited, FileAudit, Terms, audit_bytes, audit_files, find_files
from services.audits.remote import FetchRefused, fetch_bundle, fetch_tournament_bundle, is_address, parse_address
from services.audits.tournament_audit import (
    OnVerified,
    audit_tournament,
    audit_tournament_file,
    is_tournament_file,
    tell_nobody,
)


class SourceRefused(Exception):
    """There is nothing at a path."""


class Sources(Struct, frozen=True, kw_only=True):
    files: tuple[Path, ...]
    addresses: tuple[str, ...]

    @property
    def count(self) -> int:
        return len(self.files) + len(self.addresses)


def find_sources(given: Sequence[str]) -> Sources:
    """Sort the given sources, or raise SourceRefused."""
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


def audit_sources(
    sources: Sources, terms: Terms, *, processes: int, token: str | None = None, on_verified: OnVerified = tell_nobody
) -> Iterator[Audited]:
    """Audit every source: games together, tournaments one by one, then those at servers, which get the token."""
    tournaments = [path for path in sources.files if is_tournament_file(path)]
    yield from audit_files([path for path in sources.files if path not in tournaments], terms, processes=processes)
    for path in tournaments:
        yield audit_tournament_file(path, terms, processes=processes, on_verified=on_verified)
    if sources.addresses:
        headers = {} if token is None else {"authorization": f"Bearer {token}"}
        with httpx.Client(headers=headers) as client:
            for address in sources.addresses:
                yield _audit_address(client, address, terms, processes=processes)


def _audit_address(client: httpx.Client, text: str, terms: Terms, *, processes: int) -> Audited:
    try:
        address = parse_address(text)
        if address.kind == "tournaments":
            raw = fetch_tournament_bundle(client, address)
            return audit_tournament(raw, terms, name=text, processes=processes)
        fetched = fetch_bundle(client, address, terms.trust)
    except FetchRefused as refused:
        return FileAudit(path=text, verified=None, refusal=str(refused))
    return audit_bytes(fetched.raw, name=text, trust=fetched.trust, rebuilder=Rebuilder(terms.builders))
