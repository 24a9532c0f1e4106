"""A ledger of 100,000 entries from fixed seeds, as files over HTTP, and the questions that its witness is asked."""

import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from hashlib import sha256
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.error import HTTPError
from urllib.request import Request, urlopen
from uuid import UUID

from msgspec import Struct

from domain.ids import StreamId, StreamVersion
from domain.ledger.add_checkpoint import AddCheckpoint, format_add_checkpoint
from domain.ledger.checkpoint import SignedCheckpoint, format_signed_checkpoint
from domain.ledger.consistency import prove_consistency
from domain.ledger.leaf import Leaf, format_leaf
from domain.ledger.merkle import leaf_hash, root_hash
from domain.ledger.note_key import build_note_seed, format_note_key, format_note_seed
from domain.ledger.tile_hashes import GrowingTiles
from domain.ledger.tiles import TILE_WIDTH, Bundle, encode_bundle, format_bundle_path, format_tile_path
from tests.domain.ledger.reference_tree import read_from
from tests.domain.ledger.signing import LOG, STRANGER, WITNESS, publish

SIZE = 100_000
# Lines of a game: so a bundle has several games, and a game several bundles.
LINES = 170
LOG_VKEY = format_note_key(LOG.key)
WITNESS_KEY = format_note_seed(build_note_seed(WITNESS.key, seed=bytes(range(32)))) + "\n"
PATIENCE_S = 20.0


class Step(Struct, frozen=True, kw_only=True):
    """A request to a witness; the steps of a dialogue go to one witness in this order."""

    about: str
    body: bytes


class Answer(Struct, frozen=True, kw_only=True):
    about: str
    status: int
    body: str


def build_entry(index: int) -> bytes:
    game, line = divmod(index, LINES)
    stream = StreamId(str(UUID(bytes=sha256(b"game %d" % game).digest()[:16])))
    mac = sha256(b"line %d" % index).hexdigest()
    return format_leaf(Leaf(stream=stream, version=StreamVersion(line + 1), mac=mac))


@cache
def build_entries() -> tuple[bytes, ...]:
    return tuple(build_entry(index) for index in range(SIZE))


def build_files(entries: tuple[bytes, ...] | None = None) -> dict[str, bytes]:
    """Build every file of a ledger by its path."""
    entries = build_entries() if entries is None else entries
    tiles = GrowingTiles()
    full = list(tiles.extend(leaf_hash(entry) for entry in entries))
    files = {format_tile_path(tile): raw for tile, raw in (*full, *tiles.partial())}
    for first in range(0, len(entries), TILE_WIDTH):
        cut = list(entries[first : first + TILE_WIDTH])
        files[format_bundle_path(Bundle(index=first // TILE_WIDTH, width=len(cut)))] = encode_bundle(cut)
    files["checkpoint"] = format_signed_checkpoint(publish(len(entries), tiles.root()))
    return files


@contextmanager
def serving(files: Mapping[str, bytes]) -> Iterator[str]:
    """Serve files by their paths, and yield the address."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            found = files.get(self.path.removeprefix("/"))
            self.send_response(404 if found is None else 200)
            self.send_header("content-length", str(len(found or b"")))
            self.end_headers()
            self.wfile.write(found or b"")

        def log_message(self, *_: object) -> None:
            """State nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def hold(url: str, step: Step) -> Answer:
    """Ask a witness over HTTP."""
    asked = Request(f"{url}/add-checkpoint", data=step.body, method="POST")  # noqa: S310  on the loopback
    try:
        with urlopen(asked, timeout=PATIENCE_S) as answer:  # noqa: S310  on the loopback
            return Answer(about=step.about, status=answer.status, body=answer.read().decode())
    except HTTPError as refused:
        with refused:
            return Answer(about=step.about, status=refused.code, body=refused.read().decode())


class Grown:
    """The fixed ledger at its sizes."""

    def __init__(self) -> None:
        self._read = read_from([leaf_hash(entry) for entry in build_entries()])

    def sign(self, size: int) -> SignedCheckpoint:
        return publish(size, root_hash(self._read, size))

    def extend(self, old_size: int, size: int) -> AddCheckpoint:
        path = prove_consistency(self._read, old_size=old_size, new_size=size).path
        return AddCheckpoint(old_size=old_size, path=path, signed=self.sign(size))


def build_dialogue() -> Iterator[Step]:
    """Yield the questions; a fork is the last, as a witness may remember it."""
    ledger = Grown()
    for old_size, size in ((0, 3), (3, 8), (8, 8), (8, 300), (300, 70_000), (70_000, SIZE)):
        yield _step(f"from {old_size} to {size}", ledger.extend(old_size, size))
    now = ledger.extend(SIZE, SIZE)
    yield _step("from an older size", ledger.extend(8, SIZE))
    yield _step("from nothing", ledger.extend(0, SIZE))
    yield _step("to a smaller tree", AddCheckpoint(old_size=SIZE, path=(), signed=ledger.sign(300)))
    yield Step(about="without a checkpoint", body=b"old 100000\n\n")
    yield Step(about="without an old size", body=format_add_checkpoint(now).removeprefix(b"old "))
    root = now.signed.checkpoint.root
    for about, signed in {
        "by a stranger": publish(SIZE, root, signer=STRANGER),
        "of another log": publish(SIZE, root, signer=STRANGER, origin=STRANGER.key.name),
    }.items():
        yield _step(about, AddCheckpoint(old_size=SIZE, path=(), signed=signed))
    changed = format_add_checkpoint(now).replace(b"\n100000\n", b"\n100001\n")
    yield Step(about="with a text that was changed", body=changed)
    nowhere = publish(SIZE + 1, bytes(32))
    yield _step("without a path that leads there", AddCheckpoint(old_size=SIZE, path=(), signed=nowhere))
    yield _step("a fork at the same size", AddCheckpoint(old_size=SIZE, path=(), signed=publish(SIZE, bytes(32))))


def _step(about: str, request: AddCheckpoint) -> Step:
    return Step(about=about, body=format_add_checkpoint(request))
