"""The sources of an audit: files, folders, and games and tournaments at a server's address, all audited alike.

No answer of a server is believed.
"""

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Literal

import httpx
from msgspec import Struct

from domain.audit.archive import BadArchive
from domain.audit.bundle import BUNDLE_SIZE_MAX, parse_bundle
from domain.audit.case import Trust
from domain.ledger.checkpoint import SignedCheckpoint, parse_signed_checkpoint
from domain.ledger.note import NOTE_SIZE_MAX
from domain.ledger.proof import parse_proof
from domain.ledger.spelling import Misspelt
from domain.rulesets.released import Rebuilder
from services.audits.audit import Audited, FileAudit, Terms, audit_bytes, audit_files, find_files
from services.audits.tournament_audit import (
    OnVerified,
    audit_tournament,
    audit_tournament_file,
    is_tournament_file,
    tell_nobody,
)

# A whole game is some megabytes, and the server puts it together when it is asked.
FETCH_TIMEOUT_S = 30.0
# Two thousand games of a quarter of a megabyte, which a reader is ready to hold in memory.
TOURNAMENT_SIZE_MAX = 512 * 1024 * 1024
# A refusal repeats so much of a server's own words.
SHOWN_BYTES_MAX = 200

# As an organiser has it from a browser, or from a program.
_ADDRESS = re.compile(r"(https?://[^?#]+?)(?:/v1)?/(games|tournaments)/([0-9a-f-]{36})(?:/bundle)?/?")


class FetchRefused(Exception):
    """Nothing that could be audited came from there."""


class Address(Struct, frozen=True, kw_only=True):
    """Where a game or a tournament is read; `kind` is how paths say which."""

    url: str
    kind: Literal["games", "tournaments"]
    stream: str

    @property
    def bundle(self) -> str:
        return f"{self.url}/v1/{self.kind}/{self.stream}/bundle"


class Fetched(Struct, frozen=True, kw_only=True):
    """`trust` is the reader's, with the newest checkpoint of that ledger where they brought none of their own."""

    raw: bytes
    trust: Trust


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


def fetch_tournament_bundle(client: httpx.Client, address: Address) -> bytes:
    """Fetch the bundle of a tournament with all its games. Raises FetchRefused."""
    return _fetch(client, address.bundle, size_max=TOURNAMENT_SIZE_MAX)


def fetch_bundle(client: httpx.Client, address: Address, trust: Trust) -> Fetched:
    """Fetch a game's bundle, with the proof that its ledger and today's, or that of the reader's checkpoint, are one.

    Raises FetchRefused.
    """
    seen = trust.seen or _fetch_newest(client, address)
    since = "" if seen is None else f"?since={seen.checkpoint.tree_size}"
    raw = _fetch(client, f"{address.bundle}{since}", size_max=BUNDLE_SIZE_MAX)
    if trust.seen is None and (seen is None or not _is_of(raw, seen)):
        return Fetched(raw=raw, trust=trust)
    return Fetched(raw=raw, trust=Trust(policy=trust.policy, seen=seen))


def _fetch_newest(client: httpx.Client, address: Address) -> SignedCheckpoint | None:
    """Fetch the newest checkpoint; None where the server has published none that can be read, or an empty ledger."""
    try:
        raw = _fetch(client, f"{address.url}/v1/ledger/checkpoint", size_max=NOTE_SIZE_MAX)
        signed = parse_signed_checkpoint(raw)
    except (FetchRefused, Misspelt):
        return None
    return signed if signed.checkpoint.tree_size else None


def _is_of(raw: bytes, seen: SignedCheckpoint) -> bool:
    """Say whether a game was proven in the log of that name; a server may have begun a new one since."""
    try:
        proof = parse_bundle(raw).last_proof
        return proof is not None and parse_proof(proof).signed.checkpoint.origin == seen.checkpoint.origin
    except (BadArchive, Misspelt):
        return False


def _fetch(client: httpx.Client, url: str, *, size_max: int) -> bytes:
    raw = bytearray()
    try:
        with client.stream("GET", url, timeout=FETCH_TIMEOUT_S) as answer:
            for piece in answer.iter_bytes():
                raw += piece
                if len(raw) > size_max:
                    raise FetchRefused(f"expected at most {size_max} bytes from {url}, found more")
    except (httpx.HTTPError, httpx.InvalidURL) as error:
        raise FetchRefused(f"expected an answer from {url}, found {type(error).__name__}: {error}") from error
    if answer.status_code != httpx.codes.OK:
        said = bytes(raw[:SHOWN_BYTES_MAX]).decode(errors="replace")
        raise FetchRefused(f"expected a file at {url}, found status {answer.status_code}: {said}")
    return bytes(raw)


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
