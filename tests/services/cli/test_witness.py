"""`spina witness` as a program beside a log: asked or looking for itself, and a fork that it never forgets."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import httpx2
import pytest

from domain.ids import StreamId, StreamVersion
from domain.ledger.add_checkpoint import AddCheckpoint, format_add_checkpoint
from domain.ledger.checkpoint import SignedCheckpoint, parse_signed_checkpoint
from domain.ledger.consistency import prove_consistency
from domain.ledger.leaf import Leaf, format_leaf
from domain.ledger.merkle import leaf_hash
from domain.ledger.note import Note, parse_signatures
from domain.ledger.note_key import parse_note_key
from domain.ledger.policy import QUORUM_NONE, Policy, PolicyLog
from domain.ledger.policy_file import format_policy
from domain.ledger.signers import check_signed
from infra.ledger_keys import LogSigner
from infra.witness_files import hash_origin
from tests.domain.ledger.reference_tree import read_from
from tests.domain.ledger.signing import LOG
from tests.services.cli.program import PATIENCE_S
from tests.services.cli.witness_program import Witnessing, witnessing
from tests.services.ledger.operators_log import LEDGER, OperatorsLog

ORIGIN = hash_origin(LOG.key.name)
STREAM = StreamId("0199c0de-0000-7000-8000-000000000001")
SIGNER = LogSigner(LOG.key.name, bytes(range(0x20, 0x40)))
LOOKS_MAX = 1_000
PAUSE_S = 0.1


def entry(version: int, mac: str = "ab" * 32) -> bytes:
    return format_leaf(Leaf(stream=STREAM, version=StreamVersion(version), mac=mac))


HONEST = [entry(version) for version in range(1, 41)]
# The same log to those who have seen four entries, and another one behind them.
FORKED = [*HONEST[:4], entry(5, "cd" * 32), *HONEST[5:]]


class Shown:
    """A log over HTTP that shows the entries that a test wants it to."""

    def __init__(self, entries: list[bytes]) -> None:
        self.log = OperatorsLog(SIGNER, entries)
        self.asked = threading.Event()

    def show(self, entries: list[bytes]) -> None:
        self.log = OperatorsLog(SIGNER, entries)


def sign(entries: list[bytes]) -> SignedCheckpoint:
    return OperatorsLog(SIGNER, entries).signed


@contextmanager
def showing(shown: Shown) -> Iterator[str]:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            answer = shown.log.answer(httpx2.Request("GET", f"http://log.test{self.path}"))
            self.send_response(answer.status_code)
            self.end_headers()
            self.wfile.write(answer.content)
            shown.asked.set()

        def log_message(self, *_: object) -> None:
            """State nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}{LEDGER.removesuffix('/')}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


@pytest.fixture
def policy(tmp_path: Path) -> Path:
    path = tmp_path / "watched.policy"
    path.write_bytes(format_policy(Policy(logs=(PolicyLog(key=LOG.key),), witnesses=(), groups=(), quorum=QUORUM_NONE)))
    return path


def ask(witness: Witnessing, entries: list[bytes], *, old_size: int) -> tuple[int, bytes]:
    """Ask it to cosign a tree, as the log does."""
    leaves = [leaf_hash(each) for each in entries]
    proof = prove_consistency(read_from(leaves), old_size=old_size, new_size=len(leaves))
    body = format_add_checkpoint(AddCheckpoint(old_size=old_size, path=proof.path, signed=sign(entries)))
    return fetch(Request(f"{witness.url}/add-checkpoint", data=body, method="POST"))  # noqa: S310  on the loopback


def ask_on(witness: Witnessing, entries: list[bytes], *, old_size: int) -> tuple[int, bytes]:
    """Ask as a log does: once more from the size that a refusal names, as the witness may have looked for itself."""
    status, answer = ask(witness, entries, old_size=old_size)
    return (status, answer) if status != HTTPStatus.CONFLICT else ask(witness, entries, old_size=int(answer))


def fetch(asked: Request | str) -> tuple[int, bytes]:
    try:
        with urlopen(asked, timeout=PATIENCE_S) as answer:  # noqa: S310  the witness under test, on the loopback
            return answer.status, answer.read()
    except HTTPError as refused:
        with refused:
            return refused.code, refused.read()


def until_shown(witness: Witnessing, shown: Shown, path: str, text: str) -> bytes:
    """Wait until it shows what it has seen; it looks every few seconds, and asks the log for files when it does."""
    for _ in range(LOOKS_MAX):
        status, raw = fetch(f"{witness.url}/{ORIGIN}/{path}")
        if status == 200 and text.encode() in raw:
            return raw
        shown.asked.wait(PAUSE_S)
        shown.asked.clear()
    raise AssertionError(f"expected {path} to show {text!r}, found {status}")


def test_it_cosigns_for_a_log_that_asks(tmp_path: Path, policy: Path) -> None:
    shown, answers = Shown(HONEST[:3]), []
    with showing(shown) as log, witnessing(tmp_path / "w", log=log, policy=policy) as witness:
        for old, size in ((0, 3), (3, 8), (8, 8), (8, 40)):
            shown.show(HONEST[:size])
            answers.append(ask_on(witness, HONEST[:size], old_size=old))

        key = parse_note_key(witness.key)

    assert [status for status, _ in answers] == [200] * 4
    note = sign(HONEST).note
    assert check_signed(Note(text=note.text, signatures=parse_signatures(answers[-1][1].decode())), (key,))


def test_it_looks_for_itself_at_a_log_that_does_not_ask(tmp_path: Path, policy: Path) -> None:
    shown = Shown(HONEST[:7])
    with showing(shown) as log, witnessing(tmp_path / "w", log=log, policy=policy) as witness:
        first = until_shown(witness, shown, "checkpoint", "\n7\n")
        shown.show(HONEST)
        second = until_shown(witness, shown, "checkpoint", "\n40\n")

        keys = (LOG.key, parse_note_key(witness.key))

    assert [len(check_signed(parse_signed_checkpoint(raw).note, keys)) for raw in (first, second)] == [2, 2]


def test_a_fork_that_it_sees_for_itself_is_refused_for_ever_also_after_a_kill(tmp_path: Path, policy: Path) -> None:
    shown = Shown(HONEST[:8])
    with showing(shown) as log:
        with witnessing(tmp_path / "w", log=log, policy=policy) as witness:
            until_shown(witness, shown, "checkpoint", "\n8\n")
            shown.show(FORKED[:20])
            evidence = until_shown(witness, shown, "fork", "older")
            witness.kill()
        shown.show(HONEST)
        with witnessing(tmp_path / "w", log=log, policy=policy) as again:
            refused, reason = ask(again, HONEST, old_size=8)
            shown_again = fetch(f"{again.url}/{ORIGIN}/fork")
            latest, _ = fetch(f"{again.url}/{ORIGIN}/checkpoint")

    assert (refused, b"has forked" in reason, latest) == (422, True, 404)
    assert shown_again == (200, evidence)
    assert sign(HONEST[:8]).note.text.encode() in evidence
    assert sign(FORKED[:20]).note.text.encode() in evidence
    assert (tmp_path / "w" / f"{ORIGIN}.fork.txt").read_bytes() == evidence


def test_a_fork_that_it_is_asked_to_cosign_is_refused_for_ever(tmp_path: Path, policy: Path) -> None:
    with showing(Shown(HONEST[:8])) as log, witnessing(tmp_path / "w", log=log, policy=policy) as witness:
        cosigned, _ = ask_on(witness, HONEST[:8], old_size=0)
        forked, _ = ask(witness, FORKED[:8], old_size=8)
        honest, reason = ask(witness, HONEST, old_size=8)

    assert (cosigned, forked, honest) == (200, 422, 422)
    assert b"has forked" in reason


def test_a_witness_that_was_killed_goes_on_from_what_it_had_cosigned(tmp_path: Path, policy: Path) -> None:
    shown = Shown(HONEST[:8])
    with showing(shown) as log:
        with witnessing(tmp_path / "w", log=log, policy=policy) as witness:
            ask_on(witness, HONEST[:8], old_size=0)
            key = witness.key
            witness.kill()
        with witnessing(tmp_path / "w", log=log, policy=policy) as again:
            from_nothing = ask(again, HONEST, old_size=0)
            shown.show(HONEST)
            from_there, _ = ask_on(again, HONEST, old_size=8)

    assert again.key == key
    assert from_nothing == (409, b"8\n")
    assert from_there == 200
