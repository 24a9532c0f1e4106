"""Bundles, checkpoints and entries from a server's address, within limits of size and time. Nothing is believed."""

import time
from collections.abc import Callable, Collection
from io import BytesIO
from typing import BinaryIO

import httpx2

from domain.audit.findings import escape_unseen
from domain.ids import StreamId
from domain.ledger.checkpoint import SignedCheckpoint, parse_signed_checkpoint
from domain.ledger.entry_reader import EntryReader, LedgerRead
from domain.ledger.note import NOTE_SIZE_MAX
from domain.ledger.spelling import Misspelt
from domain.ledger.tiles import BUNDLE_SIZE_MAX, format_bundle_path
from services.ledger.busy import BUSY_STATUS, read_pause

# A whole game is some megabytes, and the server puts it together when it is asked.
FETCH_TIMEOUT_S = 30.0
# All requests for one source: a tournament, or a million entries. A server that sends a byte a second is given up then.
SOURCE_TIMEOUT_S = 300.0
# About a hundred megabytes, and some ten seconds of hashing; a larger ledger is for witnesses, who read on.
ENTRIES_MAX = 1_000_000
# A refusal repeats so much of a server's own words.
SHOWN_BYTES_MAX = 200


class FetchRefused(Exception):
    """Nothing that could be audited came from there."""


class Fetching:
    """The requests for one source, all together within a time."""

    def __init__(
        self,
        client: httpx2.Client,
        *,
        timeout_s: float = SOURCE_TIMEOUT_S,
        monotonic_s: Callable[[], float] = time.monotonic,
        sleep_s: Callable[[float], None] = time.sleep,
    ) -> None:
        self._client = client
        self._sleep_s = sleep_s
        self._timeout_s = timeout_s
        self._monotonic_s = monotonic_s
        self._until_s = monotonic_s() + timeout_s

    def fetch(self, url: str, *, size_max: int) -> bytes:
        """Return the body of an answer, or raise FetchRefused."""
        self.fetch_into(body := BytesIO(), url, size_max=size_max)
        return body.getvalue()

    def fetch_into(self, file: BinaryIO, url: str, *, size_max: int) -> None:
        """Write the body of an answer, or raise FetchRefused. A busy server is asked again while there is time."""
        while True:
            file.seek(0)
            file.truncate()
            answer = self._ask(url, file, size_max=size_max)
            pause_s = read_pause(answer.headers)
            if answer.status_code != BUSY_STATUS or self._monotonic_s() + pause_s > self._until_s:
                break
            self._sleep_s(pause_s)
        file.seek(0)
        if answer.status_code != httpx2.codes.OK:
            # On one line: a hostile server writes none of its own.
            said = escape_unseen(file.read(SHOWN_BYTES_MAX).decode(errors="replace"))
            raise FetchRefused(f"expected a file at {url}, found status {answer.status_code}: {said}")

    def _ask(self, url: str, file: BinaryIO, *, size_max: int) -> httpx2.Response:
        size = 0
        try:
            with self._client.stream("GET", url, timeout=FETCH_TIMEOUT_S) as answer:
                for piece in answer.iter_bytes():
                    size += file.write(piece)
                    if size > size_max:
                        raise FetchRefused(f"expected at most {size_max} bytes from {url}, found more")
                    if self._monotonic_s() > self._until_s:
                        raise FetchRefused(f"expected {url} within {self._timeout_s:g} s, found {size} bytes")
        except (httpx2.HTTPError, httpx2.InvalidURL) as error:
            raise FetchRefused(f"expected an answer from {url}, found {type(error).__name__}: {error}") from error
        return answer

    def fetch_checkpoint(self, ledger: str) -> SignedCheckpoint | None:
        """Fetch the newest checkpoint; None where there is none that can be read, or an empty ledger."""
        try:
            signed = parse_signed_checkpoint(self.fetch(f"{ledger}/checkpoint", size_max=NOTE_SIZE_MAX))
        except (FetchRefused, Misspelt):
            return None
        return signed if signed.checkpoint.tree_size else None

    def read_ledger(self, ledger: str, signed: SignedCheckpoint, streams: Collection[StreamId]) -> LedgerRead:
        """Read every entry under a checkpoint, and keep the leaves of these streams."""
        size, reader = signed.checkpoint.tree_size, EntryReader(streams)
        read_s, unread, refusal = int(time.time()), None, None
        if size > ENTRIES_MAX:
            unread = f"the ledger has {size} entries, and at most {ENTRIES_MAX} are read here"
        try:
            for bundle in () if unread else reader.list_missing(size):
                reader.add(bundle, self.fetch(f"{ledger}/{format_bundle_path(bundle)}", size_max=BUNDLE_SIZE_MAX))
        except FetchRefused as refused:
            unread = str(refused)
        except Misspelt as error:
            refusal = str(error)
        if not (unread or refusal) and reader.root() != signed.checkpoint.root:
            refusal = f"entries that lead to the root {reader.root().hex()}"
        leaves = {stream: tuple(found) for stream, found in reader.leaves.items()}
        return LedgerRead(signed=signed, leaves=leaves, read_s=read_s, unread=unread, refusal=refusal)
