"""The sources of an audit: files, folders, and games and tournaments at a server's address, all audited alike.

No answer of a server is believed.
"""

import re
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Literal

import httpx2
from msgspec import Struct
from msgspec.structs import replace

from domain.audit.archive import BadArchive, Source
from domain.audit.bundle import BUNDLE_SIZE_MAX, parse_bundle
from domain.audit.case import Trust
from domain.audit.tournament_bundle import TOURNAMENT_SIZE_MAX
from domain.ids import StreamId
from domain.ledger.checkpoint import SignedCheckpoint
from domain.ledger.proof import parse_proof
from domain.ledger.spelling import Misspelt
from domain.rulesets.released import Rebuilder
from services.audits.audit import Audited, FileAudit, Terms, audit_file, audit_files
from services.audits.fetching import Fetching, FetchRefused
from services.audits.files import StoredFile, find_files, read_file
from services.audits.tournament_audit import OnVerified, audit_tournament_file, is_tournament_file, tell_nobody

# As an organiser has it from a browser, or from a program.
_ADDRESS = re.compile(r"(https?://[^?#]+?)(?:/v1)?/(games|tournaments)/([0-9a-f-]{36})(?:/bundle)?/?")
_STREAM = re.compile(rb'"stream":"([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})"')
_STREAM_BYTES = len('"stream":""') + 36
_BLOCK_BYTES = 1024 * 1024


class Address(Struct, frozen=True, kw_only=True):
    """Where a game or a tournament is read; `kind` is how paths state which."""

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


def fetch_source(fetching: Fetching, address: Address, trust: Trust, *, into: Path) -> Trust:
    """Fetch a bundle into a file; return the reader's trust with all that the server shows of its ledger.

    Its ledger is compared with the reader's checkpoint, or with today's where there is none; every entry is read.
    Raises FetchRefused and OSError.
    """
    newest, size_max = fetching.fetch_checkpoint(address.ledger), TOURNAMENT_SIZE_MAX
    seen, since = trust.seen, ""
    # A tournament is compared with a checkpoint that its file was made for alone.
    if address.kind == "games":
        seen, size_max = seen or newest, BUNDLE_SIZE_MAX
        since = "" if seen is None else f"?since={seen.checkpoint.tree_size}"
    with into.open("w+b") as file:
        fetching.fetch_into(file, f"{address.bundle}{since}", size_max=size_max)
    if trust.seen is None and seen is not None and not _is_of(into, seen):
        seen = None
    # Newer than the bundle, whose last lines it shall have.
    newest = newest and (fetching.fetch_checkpoint(address.ledger) or newest)
    streams = list_streams(StoredFile(into, size_max=size_max))
    read = None if newest is None else fetching.read_ledger(address.ledger, newest, streams)
    return replace(trust, seen=seen, read=read)


def list_streams(raw: Source) -> set[StreamId]:
    """List the streams of which a bundle has lines: nothing in it is compressed."""
    blocks = (raw[at : at + _BLOCK_BYTES + _STREAM_BYTES] for at in range(0, len(raw), _BLOCK_BYTES))
    return {StreamId(found.decode()) for block in blocks for found in _STREAM.findall(block)}


def _is_of(path: Path, seen: SignedCheckpoint) -> bool:
    """Return whether a game was proven in the log of that name; a server may have begun a new one since."""
    try:
        proof = parse_bundle(read_file(path, size_max=BUNDLE_SIZE_MAX)).last_proof
        return proof is not None and parse_proof(proof).signed.checkpoint.origin == seen.checkpoint.origin
    except (BadArchive, Misspelt):
        return False


# A token leaves this machine over TLS alone.
LOOPBACK = frozenset({"127.0.0.1", "::1", "localhost"})


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
    paths = [Path(name) for name in given if not is_address(name)]
    missing = [path for path in paths if not path.exists()]
    if missing:
        raise SourceRefused(f"expected a bundle, a folder or the address of a game, found nothing at {missing[0]}")
    addresses = tuple(dict.fromkeys(name for name in given if is_address(name)))
    return Sources(files=tuple(find_files(paths)), addresses=addresses)


def read_token(path: Path, addresses: Sequence[str] = ()) -> str:
    """Read the token of an account for these addresses, or raise SourceRefused without showing anything of it."""
    check_token_addresses(addresses)
    try:
        token = path.read_text(encoding="ascii").strip()
    except (OSError, UnicodeDecodeError):
        token = ""
    if not token or not token.isprintable():
        raise SourceRefused(f"expected a token in {path}, found none that can be read")
    return token


def check_token_addresses(addresses: Sequence[str]) -> None:
    """Check that a token goes to one server, and over TLS or to this machine; raise SourceRefused."""
    try:
        urls = [httpx2.URL(address) for address in addresses]
    except httpx2.InvalidURL as error:
        raise SourceRefused(f"expected the address of a game beside a token, found {error}") from None
    servers = {(url.scheme, url.host, url.port) for url in urls}
    if len(servers) > 1:
        raise SourceRefused(f"expected addresses of one server beside a token, found {len(servers)} servers")
    clear = next((url for url in urls if url.scheme != "https" and url.host not in LOOPBACK), None)
    if clear is not None:
        raise SourceRefused(f"expected https beside a token, found http to {clear.host}")


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
        with httpx2.Client(headers=headers) as client:
            for address in sources.addresses:
                yield _audit_address(client, address, terms, processes=processes)


def read_ledger_for(files: Sequence[Path], ledger: str | None, trust: Trust) -> Trust:
    """Add all that a ledger at an address has of these files. Raises FetchRefused where it has no checkpoint."""
    if ledger is None:
        return trust
    streams: set[StreamId] = set()
    for path in files:
        with suppress(OSError):
            streams |= list_streams(StoredFile(path, size_max=TOURNAMENT_SIZE_MAX))
    with httpx2.Client() as client:
        fetching, url = Fetching(client), ledger.rstrip("/")
        newest = fetching.fetch_checkpoint(url)
        if newest is None:
            raise FetchRefused(f"expected a checkpoint at {url}/checkpoint, found none that can be read")
        return replace(trust, read=fetching.read_ledger(url, newest, streams))


def _audit_address(client: httpx2.Client, text: str, terms: Terms, *, processes: int) -> Audited:
    with tempfile.TemporaryDirectory(prefix="spina-verify-") as folder:
        path = Path(folder) / "bundle.zip"
        try:
            address = parse_address(text)
            own = replace(terms, trust=fetch_source(Fetching(client), address, terms.trust, into=path))
        except (FetchRefused, OSError) as refused:
            return FileAudit(path=text, verified=None, refusal=str(refused))
        if address.kind == "tournaments":
            return replace(audit_tournament_file(path, own, processes=processes), path=text)
        return replace(audit_file(path, own, Rebuilder(terms.builders)), path=text)
