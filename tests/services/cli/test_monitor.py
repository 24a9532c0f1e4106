"""`spina monitor` as a reader runs it: once, again from its folder, against a changed ledger, and against none."""

import json
import threading
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from subprocess import CompletedProcess

from domain.ids import StreamId, StreamVersion
from domain.ledger.leaf import Leaf, format_leaf
from tests.clients.go.fixed_ledger import LOG_VKEY, build_entries, build_entry, build_files, serving
from tests.services.cli.program import run

STREAM = StreamId("0199c0de-0000-7000-8000-000000000001")


def one_game(lines: int, *, mac: str = "ab" * 32) -> dict[str, bytes]:
    """Build the files of a ledger with one game, as a server shows them."""
    versions = map(StreamVersion, range(1, lines + 1))
    entries = tuple(format_leaf(Leaf(stream=STREAM, version=version, mac=mac)) for version in versions)
    return {f"v1/ledger/{path}": raw for path, raw in build_files(entries).items()}


def monitor(url: str, folder: Path, *options: str) -> CompletedProcess[str]:
    return run("monitor", url, "--key", LOG_VKEY, "--mirror", str(folder), "--once", *options)


def test_a_ledger_is_followed_and_another_history_of_it_found(tmp_path: Path) -> None:
    shown = one_game(11_000)
    with serving(shown) as url:
        first = monitor(url, tmp_path)
        again = monitor(f"{url}/v1/ledger", tmp_path, "--json")
        shown |= one_game(11_000, mac="cd" * 32)
        changed = monitor(url, tmp_path, "--json")
    away = monitor(url, tmp_path)

    assert (first.returncode, first.stderr) == (0, "10,240 entries read\n")
    assert first.stdout.splitlines()[0] == "11,000 entries, 0 games and tournaments shown to all"
    assert json.loads(again.stdout) == {
        "exit_code": 0,
        "entries": 11_000,
        "contradictions": [],
        "unreached": [],
        "openers": [],
        "not_shown": 1,
    }
    assert changed.returncode == 1
    assert changed.stderr.startswith("contradiction: ")
    assert away.returncode == 3
    assert "no answer: ConnectError" in away.stderr


def test_a_mirror_behind_any_web_server_is_the_ledger_to_another_reader(tmp_path: Path) -> None:
    folder = tmp_path / "served" / "v1" / "ledger"
    with serving(one_game(1_000)) as url:
        monitor(url, folder)
    handler = partial(SilentHandler, directory=tmp_path / "served")
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever).start()

        told = monitor(f"http://127.0.0.1:{server.server_port}", tmp_path / "again")
        server.shutdown()

    assert (told.returncode, told.stdout.splitlines()[0]) == (0, "1,000 entries, 0 games and tournaments shown to all")
    assert list_ledger(tmp_path / "again") == list_ledger(folder)


class SilentHandler(SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        """State nothing."""


def list_ledger(folder: Path) -> dict[str, bytes]:
    files = [folder / "checkpoint", *(path for path in (folder / "tile").rglob("*") if path.is_file())]
    return {str(file.relative_to(folder)): file.read_bytes() for file in files}


def test_a_line_logged_twice_ends_with_one(tmp_path: Path) -> None:
    entries = (*build_entries()[:300], build_entry(299))
    with serving({f"v1/ledger/{path}": raw for path, raw in build_files(entries).items()}) as url:
        told = monitor(url, tmp_path)

    assert told.returncode == 1
    assert "entry 300 is line 130" in told.stderr


def test_which_ledger_is_trusted_is_the_readers_choice(tmp_path: Path) -> None:
    told = run("monitor", "http://127.0.0.1:1", "--mirror", str(tmp_path))

    assert told.returncode == 2
    assert "expected --policy or --key" in told.stderr
