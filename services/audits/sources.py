"""The sources of an audit: files, folders, and games and tournaments at a server's address, all audited alike.

No answer of a server is believed.
"""

import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Literal

import httpx
from msgspec import Struct
from msgspec.structs import replace

from domain.audit.archive import BadArchive
from domain.audit.bundle import BUNDLE_SIZE_MAX, parse_bundle
from domain.audit.case import Trust
from domain.audit.tournament_bundle import TOURNAMENT_SIZE_MAX
from domain.ids import StreamId
from domain.ledger.checkpoint import SignedCheckpoint
from domain.ledger.proof import parse_proof
from domain.ledger.spelling import Misspelt
from domain.rulesets.released import Rebuilder
from services.audits.audit import Audited, FileAudit, Terms, audit_bytes, audit_files, find_files, read_file
from services.audits.fetching import Fetching, FetchRefused
from services.audits.tournament_audit import (
    OnVerified,
    audit_tournament,
    audit_tournament_file,
    is_tournament_file,
    tell_nobody,
)

# As an organiser has it from a browser, or from a program.
_ADDRESS = re.compile(r"(https?://[^?#]+?)(?:/v1)?/(games|tournaments)/([0-9a-f-]{36})(?:/bundle)?/?")
_STREAM = re.compile(rb'"stream":"([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})"')


class Address(Struct, frozen=True, kw_only=True):
    """Where a game or a tournament is read; `kind` is how paths say which."""

    url: str
    kind: Literal["games", "tournaments"]
    stream: str

    @property
    def ledger(self) -> str:
        return f"{self.url}/v1/ledger"

    @property
    def bundle(self) -> str:
        return f"{self.url}/v1/{self.kind}/{self.stream}/bundle"


def is_address(text: str) -> bool:
    return text.startswith(("http://", "https://"))


def parse_address(text: str) -> Address:
    """Read an address such as http://host/games/ID or http://host/v1/tournaments/ID, or raise FetchRefused."""
    match = _ADDRESS.fullmatch(text)
    if match is None:
        raise FetchRefused(
            f"expected the address of a game or a tournament, such as https://host/v1/games/ID, found {text}"
        )
    return Address(url=match[1], kind="games" if match[2] == "games" else "tournaments", stream=match[3])


def fetch_source(fetching: Fetching, address: Address, trust: Trust) -> tuple[bytes, Trust]:
    """Fetch a bundle, with the reader's trust and all that the server shows of its ledger. Raises FetchRefused.

    Its ledger is compared with the reader's checkpoint, or with today's where there is none; every entry is read.
    """
    newest = fetching.fetch_checkpoint(address.ledger)
    seen, size_max = trust.seen or newest, TOURNAMENT_SIZE_MAX
    # A tournament is compared with a checkpoint that its file was made for alone.
    if address.kind == "games":
        size_max = BUNDLE_SIZE_MAX
    since = "" if seen is None or address.kind == "tournaments" else f"?since={seen.checkpoint.tree_size}"
    raw = fetching.fetch(f"{address.bundle}{since}", size_max=size_max)
    if trust.seen is None and (not since or newest is None or not _is_of(raw, newest)):
        seen = None
    # Newer than the bundle, whose last lines it shall have.
    newest = newest and (fetching.fetch_checkpoint(address.ledger) or newest)
    read = None if newest is None else fetching.read_ledger(address.ledger, newest, list_streams(raw))
    return raw, replace(trust, seen=seen, read=read)


def list_streams(raw: bytes) -> set[StreamId]:
    """List the streams of which a bundle has lines: nothing in it is compressed."""
    return {StreamId(found.decode()) for found in _STREAM.findall(raw)}


def _is_of(raw: bytes, seen: SignedCheckpoint) -> bool:
    """Say whether a game was proven in the log of that name; a server may have begun a new one since."""
    try:
        proof = parse_bundle(raw).last_proof
        return proof is not None and parse_proof(proof).signed.checkpoint.origin == seen.checkpoint.origin
    except (BadArchive, Misspelt):
        return False


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


def read_ledger_for(files: Sequence[Path], ledger: str | None, trust: Trust) -> Trust:
    """Add all that a ledger at an address has of these files. Raises FetchRefused where it has no checkpoint."""
    if ledger is None:
        return trust
    streams: set[StreamId] = set()
    for path in files:
        with suppress(OSError):
            streams |= list_streams(read_file(path, size_max=TOURNAMENT_SIZE_MAX))
    with httpx.Client() as client:
        fetching, url = Fetching(client), ledger.rstrip("/")
        newest = fetching.fetch_checkpoint(url)
        if newest is None:
            raise FetchRefused(f"expected a checkpoint at {url}/checkpoint, found none that can be read")
        return replace(trust, read=fetching.read_ledger(url, newest, streams))


def _audit_address(client: httpx.Client, text: str, terms: Terms, *, processes: int) -> Audited:
    try:
        address = parse_address(text)
        raw, trust = fetch_source(Fetching(client), address, terms.trust)
    except FetchRefused as refused:
        return FileAudit(path=text, verified=None, refusal=str(refused))
    if address.kind == "tournaments":
        return audit_tournament(raw, replace(terms, trust=trust), name=text, processes=processes)
    return audit_bytes(raw, name=text, trust=trust, rebuilder=Rebuilder(terms.builders))
