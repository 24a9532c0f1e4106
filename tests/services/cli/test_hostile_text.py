"""Texts of strangers at the command line: names of files, answers of servers. No control byte reaches the terminal."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest

from tests.services.cli.program import run

# Clears the screen, colours, names the window, turns the text about, and is invisible.
HOSTILE = "\x1b[2J\x1b[31mAll holds.\x1b[0m\x1b]0;PWNED\x07\r\x9b1m\u202e\u200b\u2066\U000e0041"
ID = "0199c0de-0000-7000-8000-000000000001"
PROBLEM = {"type": f"urn:{HOSTILE}", "title": HOSTILE, "status": 409, "detail": HOSTILE}
ANSWERS = {
    "text refused": (404, "text/plain", HOSTILE.encode()),
    "problem": (409, "application/problem+json", json.dumps(PROBLEM, ensure_ascii=False).encode()),
    "list": (200, "application/json", json.dumps({"items": [PROBLEM], "next": None, "name": HOSTILE}).encode()),
}
COMMANDS = (
    ("verify", "URL/games/ID"),
    ("verify", "--json", "URL/tournaments/ID"),
    ("tournament", "show", "--url", "URL", "ID"),
    ("tournament", "show", "--json", "--url", "URL", "ID"),
    ("tournament", "list", "--url", "URL"),
    ("tournament", "export", "--url", "URL", "ID", "--to", "FOLDER/cup.csv"),
    ("demo", "chariot-race", "--url", "URL"),
)


def find_unseen(printed: str) -> str:
    return "".join(sorted({each for each in printed if not each.isprintable() and each != "\n"}))


@contextmanager
def answering(status: int, kind: str, body: bytes) -> Iterator[str]:
    """Answer every request alike."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(status)
            self.send_header("content-type", kind)
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        do_POST = do_GET  # noqa: N815  the same

        def log_message(self, *_: object) -> None:
            """Keep the test's output clean."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


@pytest.mark.parametrize("name", ANSWERS)
def test_the_answer_of_a_hostile_server_is_written_out(tmp_path: Path, name: str) -> None:
    with answering(*ANSWERS[name]) as url:
        for command in COMMANDS:
            given = {"URL": url, "ID": ID, "FOLDER": str(tmp_path)}
            ended = run(*(_fill(each, given) for each in command), SPINA_TOKEN="spina_1_x")

            assert (command, find_unseen(ended.stdout + ended.stderr)) == (command, "")


def test_the_name_of_a_file_is_written_out(tmp_path: Path) -> None:
    hostile = tmp_path / f"{HOSTILE}.tournament.zip"
    hostile.write_bytes(b"no bundle")
    (tmp_path / f"{HOSTILE}.spina.zip").write_bytes(b"none either")

    for arguments in (["verify", str(tmp_path)], ["replay", str(hostile)], [HOSTILE], ["verify", HOSTILE]):
        ended = run(*arguments)

        assert (arguments, find_unseen(ended.stdout + ended.stderr)) == (arguments, "")
        assert ended.returncode


def _fill(text: str, given: dict[str, str]) -> str:
    for name, value in given.items():
        text = text.replace(name, value)
    return text
